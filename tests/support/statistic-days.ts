import type { TestService } from './service/test-service';

/** Sends a day of a shop's statistics. */
export const sendShopDay = (
  service: TestService,
  shopId: string,
  date: string,
  members: Record<string, unknown> = {},
) => service.send('/api/shop-statistics', { body: { shop_id: shopId, date, ...members } });

/** Sends a day of a listing's statistics. */
export const sendListingDay = (
  service: TestService,
  listingId: number,
  shopId: string,
  date: string,
  members: Record<string, unknown> = {},
) =>
  service.send('/api/product-statistics', {
    body: { listing_id: listingId, shop_id: shopId, date, ...members },
  });
