import type { LISTING_FIELDS, SHOP_FIELDS } from './fields';
import { RATE_BY_FIELD, type Rate } from './rates';
import type { StatisticTable } from './tables';

/**
 * Returns the SQL for a group's rate to four decimals, from the days with both fields; null if there are none or their `whole` adds
 * up to zero.
 */
function rateSql({ part, whole, factor }: Rate): string {
  const filterSql = `FILTER (WHERE s.${part} IS NOT NULL AND s.${whole} IS NOT NULL)`;
  return `round(${factor} * sum(s.${part}) ${filterSql} / nullif(sum(s.${whole}) ${filterSql}, 0), 4)`;
}

/**
 * Returns the SQL for the sum of a field over several days. A rate is calculated from the days that have both of its fields; if
 * that is impossible and the group is a single row, it is the stored rate.
 */
function sumSql(field: string): string {
  const rate = RATE_BY_FIELD[field];
  if (!rate) return `sum(s.${field})`;
  return `coalesce(${rateSql(rate)}, CASE WHEN count(*) = 1 THEN max(s.${field}) END)`;
}

/**
 * Returns the SQL after FROM that joins the rows of a table, as `s`, with their shops, as `k`. The columns of `k` are null if the
 * shop is not stored. A row's amounts are in its shop's currency.
 */
export const daysWithShopSql = ({ tableName }: StatisticTable): string =>
  `${tableName} s LEFT JOIN shops k ON k.shop_id = s.shop_id`;

/**
 * Returns the SQL after FROM for the rows of {@link daysWithShopSql} that meet a condition. They are named `s` and have their
 * shop's currency as `shop_currency`, for GROUPING SETS. The servers of a cluster cannot calculate grouping sets, so OFFSET 0
 * makes the coordinator do it.
 *
 * @param options.columns the columns of the rows, by default all of the table's
 * @param options.join a join with another table
 */
export const daysWithCurrencySql = (
  table: StatisticTable,
  condition: string,
  { columns = 's.*', join = '' } = {},
): string =>
  `(SELECT ${columns}, k.currency AS shop_currency FROM ${daysWithShopSql(table)} ${join} WHERE ${condition} OFFSET 0) s`;

/** Returns the SQL condition for adding amounts: all are in one currency, or from one shop without a known currency. */
const hasOneCurrencySql = (currency: string): string => {
  const currencyOrShopSql = `coalesce(${currency}, '?' || s.shop_id)`;
  return `min(${currencyOrShopSql}) = max(${currencyOrShopSql})`;
};

/** Returns whether a field is an amount or a rate of amounts. */
const isMoney = (field: string, { kindByField }: StatisticTable) =>
  kindByField[RATE_BY_FIELD[field]?.part ?? field] === 'amount';

/**
 * Returns the SQL columns for the sums of all fields over a group of rows named `s`, their currency, and the number of rows.
 * Amounts are added only if all are in one currency or from one shop; otherwise their sum is null.
 *
 * @param currency the column with the currency of a day's shop
 */
export function sumsSql(table: StatisticTable, currency = 'k.currency'): string {
  const sumColumns = table.fields.map((field) => {
    const fieldSql = sumSql(field);
    return `${isMoney(field, table) ? `CASE WHEN ${hasOneCurrencySql(currency)} THEN ${fieldSql} END` : fieldSql} AS ${field}`;
  });
  return [
    ...sumColumns,
    `CASE WHEN ${hasOneCurrencySql(currency)} THEN min(${currency}) END AS currency`,
    'count(*)::int AS rows',
  ].join(', ');
}

/**
 * The SQL for a listing's revenue less ad spend, from the days that have both. It is null unless all amounts are in one currency
 * or from one shop.
 */
export const PROFIT_SQL = `CASE WHEN ${hasOneCurrencySql('k.currency')} THEN sum(s.revenue - s.spent_total) END`;

/** A statement composed of parts, with the values of its parameters. */
export interface ComposedStatement {
  text: string;
  values: unknown[];
}

/** The columns of {@link sumsSql}: the fields of one of the tables, as decimal strings. */
export type SumColumns = {
  [field in keyof typeof SHOP_FIELDS | keyof typeof LISTING_FIELDS]?: string | null;
} & { currency: string | null; rows: number };

/** Which days to include; missing members do not filter. */
export interface DayFilter {
  shop_ids?: string[] | undefined;
  listing_ids?: number[] | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Returns the SQL condition for a {@link DayFilter}. Its parameters are $1 shops, $2 first day, $3 last day and $4 listings; each
 * may be null for no restriction.
 */
export function dayConditionSql(table: StatisticTable): string {
  const listingConditionSql = table.key.includes('listing_id')
    ? '($4::bigint[] IS NULL OR s.listing_id = ANY($4))'
    : '$4::bigint[] IS NULL';
  return `($1::text[] IS NULL OR s.shop_id = ANY($1)) AND ($2::date IS NULL OR s.date >= $2)
     AND ($3::date IS NULL OR s.date <= $3) AND ${listingConditionSql}`;
}

/** Returns the values of the parameters of {@link dayConditionSql}. */
export function dayValues({ shop_ids, from, to, listing_ids }: DayFilter): unknown[] {
  return [shop_ids ?? null, from ?? null, to ?? null, listing_ids ?? null];
}
