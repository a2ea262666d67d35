import type { Database } from '../db/client';
import { withNumbers } from './service';
import { type DayFilter, dayValues, sumsOf, whereDays } from './sums-sql';
import { PRODUCT_TABLE, type StatisticTable } from './upsert-sql';

type Sums = Record<string, unknown>;

/** The sums of a range, whole and by day; days that nothing is stored of are not among them. */
interface Series {
  total: Sums;
  days: Sums[];
}

/**
 * The sums of a range of days: of everything that the filter lets through together, and of each shop or listing that it names.
 */
export async function readSeries(
  db: Database,
  table: StatisticTable,
  by: 'shop_id' | 'listing_id',
  filter: DayFilter,
): Promise<{ together: Series; each: (Series & { of: string | number })[] }> {
  const named: (string | number)[] | undefined = by === 'shop_id' ? filter.shop_ids : filter.listing_ids;
  const sets = named ? `(), (s.date), (s.${by}), (s.date, s.${by})` : '(), (s.date)';
  const { rows } = await db.pool.query(
    `SELECT ${named ? `s.${by}` : 'NULL'} AS of, s.date::text AS date, ${sumsOf(table)}
       FROM ${table.table} s WHERE ${whereDays(table)}
      GROUP BY GROUPING SETS (${sets}) ORDER BY s.date`,
    dayValues(filter),
  );
  const found = rows.map((row) => ({
    of: by === 'listing_id' && row.of !== null ? Number(row.of) : row.of,
    sums: withNumbers({ ...row, of: undefined }, table),
  }));
  const seriesOf = (of: string | number | null): Series => {
    const own = found.filter((row) => row.of === of).map(({ sums: { of: _, ...sums } }) => sums);
    const { date: _, ...total } = own.find(({ date }) => date === null) ?? emptySums(table);
    return { total, days: own.filter(({ date }) => date !== null) };
  };
  return { together: seriesOf(null), each: [...new Set(named)].map((of) => ({ of, ...seriesOf(of) })) };
}

function emptySums(table: StatisticTable): Sums {
  return { rows: 0, ...Object.fromEntries(table.fields.map((field) => [field, null])) };
}

/** What the newest order of a listing calls it. */
const titleOf = (listing: string) => `(
  SELECT i.title FROM order_items i WHERE i.listing_id = (${listing})::text AND i.title IS NOT NULL ORDER BY i.id DESC LIMIT 1)`;

/** What listings are called, by their numbers; null for one that was never ordered. */
export async function listingTitles(
  db: Database,
  listings: readonly number[],
): Promise<Map<number, string | null>> {
  const { rows } = await db.pool.query<{ listing: string; title: string | null }>(
    `SELECT l.id::text AS listing, ${titleOf('l.id')} AS title FROM unnest($1::bigint[]) AS l(id)`,
    [listings],
  );
  return new Map(rows.map(({ listing, title }) => [Number(listing), title]));
}

interface TopQuery extends DayFilter {
  sort: string;
  direction: 'asc' | 'desc';
  limit: number;
}

/** The listings of a range of days with their sums, the first by one field; each with the title that orders gave it last. */
export async function topListings(db: Database, query: TopQuery) {
  const { rows } = await db.pool.query(
    `WITH top AS (
       SELECT s.listing_id, array_agg(DISTINCT s.shop_id) AS shop_ids, ${sumsOf(PRODUCT_TABLE)}
         FROM ${PRODUCT_TABLE.table} s WHERE ${whereDays(PRODUCT_TABLE)}
        GROUP BY s.listing_id ORDER BY ${query.sort} ${query.direction} NULLS LAST, s.listing_id
        LIMIT ${query.limit})
     SELECT top.*, ${titleOf('top.listing_id')} AS title
       FROM top ORDER BY ${query.sort} ${query.direction} NULLS LAST, listing_id`,
    dayValues(query),
  );
  return rows.map((row) => withNumbers(row, PRODUCT_TABLE));
}
