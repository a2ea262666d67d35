import type { Database } from '../db/client';
import * as sql from './overview.queries';

interface ShopWithReports {
  id: number;
  name: string;
  /** The marketplace shop ID. */
  shop_id: string | null;
  currency: string | null;
  /** The number of days of the range that have a report. */
  report_days: number;
  /** The number of days of the range without a report, as far as one is expected. */
  missing_days: number;
}

/**
 * Returns the chosen shops or, if none are chosen, all that are not archived, sorted by name, with how complete their reports are. A
 * report is expected for each day from the shop's first report to yesterday in its time zone, as on the page "Missing days".
 *
 * Reads the reports of the range. Earlier ones are only looked for where they matter: for shops without a report on its first day.
 */
export async function listShopsWithReports(
  db: Database,
  { from, to, shopIds, now }: { from: string; to: string; shopIds: number[] | null; now: Date },
): Promise<ShopWithReports[]> {
  const rows = await sql.listShops.run(db.pool, { from, to, shopIds, now });
  const openShopIds = rows.flatMap(({ shop_id, first_day }) =>
    shop_id === null || first_day === from ? [] : [shop_id],
  );
  const earlierRows =
    openShopIds.length === 0
      ? []
      : await sql.findShopsWithEarlierReports.run(db.pool, { shopIds: openShopIds, from });
  const earlierShopIds = new Set(earlierRows.map((row) => row.shop_id));
  return rows.map(({ first_day, days_in_range, days_since_first, past_report_days, ...shop }) => {
    const reportsFromStart =
      first_day === from || (shop.shop_id !== null && earlierShopIds.has(shop.shop_id));
    const expectedDays = reportsFromStart ? days_in_range : days_since_first;
    return { ...shop, missing_days: expectedDays - past_report_days };
  });
}
