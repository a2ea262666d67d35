import type { ApiRequest } from '../../ui/page/api-call-text';

const PATHS = { shop: '/api/shop-statistics', listing: '/api/product-statistics' };

interface SampleSource {
  /** A stored day; the sample is the request that stores it. */
  example?: { shop_id: string; date: string; extra: Record<string, unknown>; updated_at: string } | undefined;
  /** The marketplace shop ID and the day in the page's filters, for a sample without a stored day. */
  marketplaceShopId?: string | undefined;
  day: string;
}

/** Returns a sample request that stores a day. */
export function createSampleUpsertRequest(kind: keyof typeof PATHS, source: SampleSource): ApiRequest {
  const { example, marketplaceShopId = 'my-shop', day } = source;
  const sample =
    kind === 'shop'
      ? { shop_id: marketplaceShopId, date: day, total_orders: 12, total_revenue: 345.6, total_visits: 210 }
      : {
          listing_id: 1089353670,
          shop_id: marketplaceShopId,
          date: day,
          visits: 40,
          orders: 2,
          revenue: 57.5,
        };
  return { method: 'POST', path: PATHS[kind], body: example ? bodyOf(example) : sample };
}

/** Converts a stored day to the body that stores it: without null fields, and with the members of `extra` at the top level. */
function bodyOf({
  extra,
  updated_at: _,
  ...day
}: NonNullable<SampleSource['example']>): Record<string, unknown> {
  const presentFields = Object.entries(day).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(presentFields), ...extra };
}
