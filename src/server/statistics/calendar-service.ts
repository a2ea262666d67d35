import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import { PRODUCT_TABLE, SHOP_TABLE } from './upsert-sql';

const TABLES = { shop: SHOP_TABLE.table, listing: PRODUCT_TABLE.table };

/** The shops that statistics name and those that are stored with a shop_id; from stepping through an index, not from all rows. */
const KNOWN_SHOPS = `
WITH RECURSIVE walked AS (
  (SELECT shop_id FROM product_daily_statistics ORDER BY shop_id LIMIT 1)
  UNION ALL
  SELECT (SELECT p.shop_id FROM product_daily_statistics p WHERE p.shop_id > w.shop_id ORDER BY p.shop_id LIMIT 1)
    FROM walked w WHERE w.shop_id IS NOT NULL
), known AS (
  SELECT shop_id FROM walked WHERE shop_id IS NOT NULL
  UNION SELECT shop_id FROM shop_daily_statistics
  UNION SELECT shop_id FROM shops WHERE shop_id IS NOT NULL AND archived_at IS NULL
)
SELECT k.shop_id, s.id AS account_id, s.name, s.currency, s.archived_at IS NOT NULL AS archived,
       d.first_day::text, d.last_day::text, d.days
  FROM known k LEFT JOIN shops s ON s.shop_id = k.shop_id
  LEFT JOIN LATERAL (SELECT min(date) AS first_day, max(date) AS last_day, count(*)::int AS days
                       FROM shop_daily_statistics x WHERE x.shop_id = k.shop_id) d ON true
 ORDER BY coalesce(s.name, k.shop_id), k.shop_id`;

interface KnownShop {
  shop_id: string;
  account_id: number | null;
  name: string | null;
  currency: string | null;
  archived: boolean;
  first_day: string | null;
  last_day: string | null;
  days: number;
}

/** Every shop that statistics may be asked of, with the name of the stored one that it belongs to. */
export async function knownShops(db: Database): Promise<KnownShop[]> {
  const { rows } = await db.pool.query<KnownShop>(KNOWN_SHOPS);
  return rows;
}

interface CalendarQuery {
  kind: 'shop' | 'listing';
  shop_ids: string[];
  from: string;
  to: string;
}

/**
 * Which days of some months nothing is stored of, for each shop. Days before a shop's first one are not missing, nor is the
 * present day, which the marketplace has not counted yet; it is the day in the shop's time zone, in New York for a shop that is
 * not stored.
 */
export async function missingDays(db: Database, { kind, shop_ids, from, to }: CalendarQuery, now: Date) {
  const table = TABLES[kind];
  const { rows } = await db.pool.query<{
    shop_id: string;
    first_day: string | null;
    last_day: string | null;
    missing: string[];
  }>(
    `SELECT k.shop_id, f.first_day::text, f.last_day::text,
            coalesce((SELECT array_agg(d.day::date::text ORDER BY d.day)
                        FROM generate_series(greatest($2::date, f.first_day)::timestamp,
                               least(($3::date + interval '1 month')::date - 1, z.today - 1)::timestamp,
                               interval '1 day') AS d(day)
                       WHERE NOT EXISTS (SELECT FROM ${table} s
                                          WHERE s.shop_id = k.shop_id AND s.date = d.day::date)), '{}') AS missing
       FROM unnest($1::text[]) WITH ORDINALITY AS k(shop_id, position)
      CROSS JOIN LATERAL (
        SELECT ($4::timestamptz AT TIME ZONE coalesce(
          (SELECT time_zone FROM shops WHERE shop_id = k.shop_id), '${NEW_YORK}'))::date AS today) z
       LEFT JOIN LATERAL (SELECT min(date) AS first_day, max(date) AS last_day
                            FROM ${table} s WHERE s.shop_id = k.shop_id) f ON true
      ORDER BY k.position`,
    [shop_ids, `${from}-01`, `${to}-01`, now],
  );
  // Of a shop without a single day nothing is missing: greatest() overlooks null.
  return rows.map((row) => (row.first_day === null ? { ...row, missing: [] } : row));
}
