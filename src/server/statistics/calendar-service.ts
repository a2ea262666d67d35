import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import * as sql from './statistics.queries';

/** Every shop that has statistics or can have them, with the stored shop that it belongs to. */
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
 * The days of some months without figures, for each shop. Days before a shop's first one are not missing, nor is the present day,
 * which the marketplace has not counted yet: by the shop's time zone, New York's for a shop that is not stored.
 */
export function missingDays(db: Database, { kind, shop_ids: shopIds, from, to }: CalendarQuery, now: Date) {
  const statement = kind === 'shop' ? sql.listMissingShopDays : sql.listMissingListingDays;
  return statement.run(db.pool, { shopIds, from: `${from}-01`, to: `${to}-01`, now, timeZone: NEW_YORK });
}
