import pLimit from 'p-limit';
import type { Database } from '../db/client';
import { withNumbers } from './service';
import { findListingTitle } from './statistics.queries';
import {
  type ComposedStatement,
  type DayFilter,
  dayConditionSql,
  daysWithCurrencySql,
  daysWithShopSql,
  dayValues,
  PROFIT_SQL,
  type SumColumns,
  sumsSql,
} from './sums-sql';
import { LISTING_TABLE, type StatisticTable } from './tables';

type Sums = Record<string, unknown>;

/** The maximum number of connections that read titles at the same time. */
const MAX_CONNECTIONS = 4;

/** The sums of a range, in total and by day; days without stored data are left out. */
interface Series {
  total: Sums;
  days: Sums[];
}

/** The sums of a range of days of shops or of listings. */
export interface AllSeries {
  /** The sums of everything that matches the filter; amounts only if all are in one currency or from one shop. */
  together: Series;
  /** The sums of the shops in each currency; the currency with the largest revenue first. */
  by_currency: (Series & { currency: string })[];
  /** The first 50 shops without a currency, whose amounts are not in `by_currency`. */
  without_currency: string[];
  /** The sums of each shop or listing in the filter. */
  by_id: (Series & { id: string | number })[];
}

/** One group of rows, as the statement returns it. */
export interface SeriesRow extends SumColumns {
  id: string | null;
  group_currency: string | null;
  is_by_currency: boolean;
  date: string | null;
  /** The first 50 of the group's shops that have no currency. */
  shops_without_currency: string[] | null;
}

/** Returns the statement for sums in total, by day, by currency, and for each shop or listing if the filter names any. */
export function seriesStatement(
  table: StatisticTable,
  idColumn: 'shop_id' | 'listing_id',
  filter: DayFilter,
): ComposedStatement {
  const hasIds = idsIn(idColumn, filter) !== undefined;
  const groupingSets = ['()', '(s.date)', '(s.shop_currency)', '(s.shop_currency, s.date)'];
  if (hasIds) groupingSets.push(`(s.${idColumn})`, `(s.date, s.${idColumn})`);
  const text = `
    SELECT ${hasIds ? `s.${idColumn}::text` : 'NULL::text'} AS id, s.shop_currency AS group_currency,
           grouping(s.shop_currency) = 0 AS is_by_currency, s.date::text AS date, ${sumsSql(table, 's.shop_currency')},
           (array_agg(DISTINCT s.shop_id) FILTER (WHERE s.shop_currency IS NULL))[1:50] AS shops_without_currency
      FROM ${daysWithCurrencySql(table, dayConditionSql(table))}
     GROUP BY GROUPING SETS (${groupingSets.join(', ')}) ORDER BY s.date`;
  return { text, values: dayValues(filter) };
}

/** Returns the shops or listings in the filter, if it names any. */
const idsIn = (idColumn: 'shop_id' | 'listing_id', filter: DayFilter): (string | number)[] | undefined =>
  idColumn === 'shop_id' ? filter.shop_ids : filter.listing_ids;

/**
 * Returns the sums of a range of days, as a total and per day: once for all rows, once for each currency, and once for each shop or
 * listing in the filter.
 */
export async function readSeries(
  db: Database,
  table: StatisticTable,
  idColumn: 'shop_id' | 'listing_id',
  filter: DayFilter,
): Promise<AllSeries> {
  const { rows } = await db.pool.query<SeriesRow>(seriesStatement(table, idColumn, filter));
  const toSeries = (groupRows: readonly SeriesRow[]): Series => {
    const sums = groupRows.map(({ id, group_currency, is_by_currency, shops_without_currency, ...row }) =>
      withNumbers(row, table),
    );
    const { date: _, ...total } = sums.find(({ date }) => date === null) ?? emptySums(table);
    return { total, days: sums.filter(({ date }) => date !== null) };
  };
  const seriesOf = (id: string | number | null) =>
    toSeries(rows.filter((row) => !row.is_by_currency && row.id === (id === null ? null : String(id))));
  const currencyTotals = rows.filter((row) => row.is_by_currency && row.date === null);
  const revenueField = table.kind === 'shop' ? 'total_revenue' : 'revenue';
  // Pages show the first currency in front, as the overview does.
  const seriesByCurrency = currencyTotals
    .flatMap(({ group_currency: currency }) => (currency === null ? [] : [currency]))
    .sort()
    .map((currency) => ({
      ...toSeries(rows.filter((row) => row.is_by_currency && row.group_currency === currency)),
      currency,
    }))
    .sort((a, b) => Number(b.total[revenueField] ?? 0) - Number(a.total[revenueField] ?? 0));
  return {
    together: seriesOf(null),
    by_currency: seriesByCurrency,
    without_currency: currencyTotals.find((row) => row.group_currency === null)?.shops_without_currency ?? [],
    by_id: [...new Set(idsIn(idColumn, filter))].map((id) => ({ id, ...seriesOf(id) })),
  };
}

function emptySums(table: StatisticTable): Sums {
  return { rows: 0, currency: null, ...Object.fromEntries(table.fields.map((field) => [field, null])) };
}

/** Returns each listing's title in the newest order that has one, by listing id; null if no order has one. */
export async function readListingTitles(
  db: Database,
  listingIds: number[],
): Promise<Map<number, string | null>> {
  const limitConcurrency = pLimit(MAX_CONNECTIONS);
  const titles = await Promise.all(
    [...new Set(listingIds)].map((listingId) =>
      limitConcurrency(async () => {
        const [titleRow] = await findListingTitle.runPrepared(db.pool, { listingId });
        return [listingId, titleRow?.title ?? null] as const;
      }),
    ),
  );
  return new Map(titles);
}

interface TopListingsQuery extends DayFilter {
  sort: string;
  direction: 'asc' | 'desc';
  limit: number;
}

/** A listing's sums, as the statement returns them. */
export interface TopListingRow extends SumColumns {
  listing_id: string;
  shop_ids: string[];
  profit: string | null;
}

/** Returns the statement for the listings with the greatest or smallest sum of a field or profit in a range of days. */
export function topListingsStatement(query: TopListingsQuery): ComposedStatement {
  const text = `
    SELECT s.listing_id, array_agg(DISTINCT s.shop_id) AS shop_ids, ${PROFIT_SQL} AS profit, ${sumsSql(LISTING_TABLE)}
      FROM ${daysWithShopSql(LISTING_TABLE)} WHERE ${dayConditionSql(LISTING_TABLE)}
     GROUP BY s.listing_id ORDER BY ${query.sort} ${query.direction} NULLS LAST, s.listing_id
     LIMIT ${query.limit}`;
  return { text, values: dayValues(query) };
}

/** Returns the listings that {@link topListingsStatement} finds, with their sums, each with its newest known title. */
export async function findTopListings(db: Database, query: TopListingsQuery) {
  const { rows } = await db.pool.query<TopListingRow>(topListingsStatement(query));
  const listings = rows.map(({ profit, ...row }) => ({
    ...withNumbers(row, LISTING_TABLE),
    listing_id: Number(row.listing_id),
    shop_ids: row.shop_ids,
    profit: profit === null ? null : Number(profit),
  }));
  const titles = await readListingTitles(
    db,
    listings.map(({ listing_id }) => listing_id),
  );
  return listings.map((row) => ({ ...row, title: titles.get(row.listing_id) ?? null }));
}
