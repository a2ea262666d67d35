import { vi } from 'vitest';
import type { BackOffice } from './back-office';

/** The number of days with orders, the last of which is today, and of days with statistics, the last of which is yesterday. */
export const DAY_COUNT = 12;
/** The first shop has no statistics for the day this many days ago. */
export const GAP_DAYS_AGO = 5;
export const LISTING_ID = 1_089_350_185;

/** Returns the date in New York `days` days ago. */
export function dateDaysAgo(days: number): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}

/** Creates two shops with daily orders and statistics. The first lacks a day of statistics and has a shipment held by customs. */
export async function makeDailyData(backOffice: BackOffice): Promise<void> {
  // Computed once: at midnight, some days would be made twice and others not at all.
  const dates = Array.from({ length: DAY_COUNT + 1 }, (_, days) => dateDaysAgo(days));
  const shopIds: number[] = [];
  for (const name of ['Fox and Bricks', 'Owl Atelier'])
    shopIds.push(
      (await backOffice.call('shops.create', { name, shop_id: name.slice(0, 3).toLowerCase() })).id,
    );
  const foxId = shopIds[0]!;
  const makeOrderRow = (shopId: number, days: number) => ({
    receipt_id: String(4_165_000_000 + shopId * 1_000 + days),
    listing_id: LISTING_ID,
    title: 'Owl Magnet',
    quantity: 2,
    price: 10,
    item_total: 20,
    currency: shopId === foxId ? 'USD' : 'GBP',
    sale_date: dates[days]!.replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'),
    name: `Buyer ${days}`,
    country_name: 'United States',
  });
  for (const shopId of shopIds) {
    const rows = Array.from({ length: DAY_COUNT }, (_, days) => makeOrderRow(shopId, days));
    await backOffice.send('/api/orders/import', { account_id: shopId, rows });
  }
  const heldShipment = {
    receipt_id: String(4_165_000_000 + foxId * 1_000 + 9),
    tracking_number: 'LX000000060CN',
  };
  await backOffice.send('/api/orders/import', {
    account_id: foxId,
    rows: [{ ...heldShipment, carrier_code: 'yanwen' }],
  });
  await backOffice.send('/api/v1/tracks', {
    event: 'tracking',
    data: { tracking_number: 'LX000000060CN', status: 'exception', description: 'Held by customs' },
  });
  for (let days = 1; days <= DAY_COUNT; days++) {
    const date = dates[days]!;
    for (const shop_id of ['fox', 'owl']) {
      if (days === GAP_DAYS_AGO && shop_id === 'fox') continue;
      const figures = { total_orders: days, total_revenue: 20.5 * days, total_visits: 100 };
      await backOffice.send('/api/shop-statistics', {
        shop_id,
        date,
        ...figures,
        ad_spend: 2,
        ad_revenue: 9,
      });
    }
    const listingDay = { listing_id: LISTING_ID, shop_id: 'fox', date, visits: 40, orders: 1, revenue: 20.5 };
    await backOffice.send('/api/product-statistics', listingDay);
  }
  // Daily sums are updated a moment after orders arrive.
  const readSums = () => backOffice.query('overview.read', { from: dates[DAY_COUNT - 1], to: dates[0] });
  await vi.waitUntil(async () => (await readSums()).orders.value === 2 * DAY_COUNT, {
    timeout: 20_000,
    interval: 100,
  });
}
