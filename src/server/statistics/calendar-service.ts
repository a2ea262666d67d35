import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import * as sql from './statistics.queries';

/** Returns every marketplace shop that has or can have statistics, with the stored shop it belongs to. */
export function knownShops(db: Database): Promise<sql.ListKnownShopsRow[]> {
  return sql.listKnownShops.run(db.pool);
}

interface CalendarQuery {
  kind: 'shop' | 'listing';
  shop_ids: string[];
  from: string;
  to: string;
}

/**
 * Returns the days without statistics in a range of months, per shop. Days before a shop's first one are not missing, nor is
 * the current day, which the marketplace has not counted yet. Days are in the shop's time zone, New York's for a shop that is
 * not stored.
 */
export function missingDays(db: Database, { kind, shop_ids: shopIds, from, to }: CalendarQuery, now: Date) {
  const statement = kind === 'shop' ? sql.listMissingShopDays : sql.listMissingListingDays;
  return statement.run(db.pool, { shopIds, from: `${from}-01`, to: `${to}-01`, now, timeZone: NEW_YORK });
}
