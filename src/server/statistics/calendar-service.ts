import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import * as sql from './statistics.queries';

/** How many days of listings one statement reads to find their shops. */
const DAYS_PER_STATEMENT = 5_000;

/** Returns the marketplace shop IDs that have days of listings, sorted. */
async function listShopsWithListings(db: Database): Promise<string[]> {
  const shopIds: string[] = [];
  for (let afterShopId = ''; ; afterShopId = shopIds.at(-1)!) {
    const nextShops = await sql.findNextShops.runPrepared(db.pool, {
      afterShopId,
      limit: DAYS_PER_STATEMENT,
    });
    if (nextShops.length === 0) return shopIds;
    for (const { shop_id: shopId } of nextShops) shopIds.push(shopId);
  }
}

/** Returns every marketplace shop that has or can have statistics, with the stored shop it belongs to, if any. */
export async function listKnownShops(db: Database): Promise<sql.ListKnownShopsRow[]> {
  return sql.listKnownShops.run(db.pool, { shopIdsWithListings: await listShopsWithListings(db) });
}

interface CalendarQuery {
  kind: 'shop' | 'listing';
  shop_ids: string[];
  /** A month, such as `2026-08`. */
  from: string;
  /** The last month, inclusive. */
  to: string;
}

/**
 * Returns each shop's days without statistics in a range of months. Days before its first statistics are not missing, nor are the
 * current day and later ones, which the marketplace has not counted yet. Days are in the shop's time zone, or in New York's if
 * the shop is not stored.
 */
export async function findMissingDays(
  db: Database,
  { kind, shop_ids: shopIds, from, to }: CalendarQuery,
  now: Date,
): Promise<({ shop_id: string } & sql.FindMissingShopDaysRow)[]> {
  const statement = kind === 'shop' ? sql.findMissingShopDays : sql.findMissingListingDays;
  const parameters = { from: `${from}-01`, to: `${to}-01`, now, timeZone: NEW_YORK };
  const calendars = [];
  for (const shopId of shopIds) {
    const [calendar] = await statement.run(db.pool, { shopId, ...parameters });
    calendars.push({ shop_id: shopId, ...calendar! });
  }
  return calendars;
}
