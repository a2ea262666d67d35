import { plusDays } from '../core/days';
import { type Period, periodOf } from '../core/period';
import { NEW_YORK } from '../core/time';
import type { Database } from '../db/client';
import { withNumbers } from './service';
import {
  type ComposedStatement,
  type DayFilter,
  dayConditionSql,
  daysWithCurrencySql,
  dayValues,
  type SumColumns,
  sumsSql,
} from './sums-sql';
import type { StatisticTable } from './tables';

type Sums = Record<string, unknown>;

/** The sums of the compared days of a range, and of their counterparts in the period before. */
export interface ComparedSums {
  now: Sums;
  before: Sums;
}

/** A group of compared rows, as the statement returns it. */
export interface ComparedRow extends SumColumns {
  group_currency: string | null;
  is_by_currency: boolean;
  is_in_range: boolean;
}

/**
 * Returns the statement for the sums of both periods, together and by currency. A shop's or listing's day counts only if the same
 * shop or listing has a row one period earlier or later, and both days are over in the shop's time zone or, for a shop that is not
 * stored, in New York's. Of the two days, only the fields that both have count: a figure that was not reported before would look
 * like an increase.
 */
export function comparisonStatement(
  table: StatisticTable,
  filter: DayFilter,
  { from, dayCount }: Pick<Period, 'from' | 'dayCount'>,
  now: number,
): ComposedStatement {
  const sameKeyConditions = table.key
    .filter((name) => name !== 'date')
    .map((name) => `p.${name} = s.${name}`);
  const isOverSql = `s.date + CASE WHEN s.date >= $5 THEN 0 ELSE $6::int END
                      < ($7::timestamptz AT TIME ZONE coalesce(k.time_zone, $8))::date`;
  const join = `JOIN ${table.tableName} p ON ${sameKeyConditions.join(' AND ')}
                 AND p.date = s.date + CASE WHEN s.date >= $5 THEN -$6::int ELSE $6::int END`;
  const columns = [
    's.shop_id',
    's.date',
    ...table.fields.map((field) => `CASE WHEN p.${field} IS NOT NULL THEN s.${field} END AS ${field}`),
  ].join(', ');
  const text = `
    SELECT s.shop_currency AS group_currency, grouping(s.shop_currency) = 0 AS is_by_currency,
           s.date >= $5::date AS is_in_range, ${sumsSql(table, 's.shop_currency')}
      FROM ${daysWithCurrencySql(table, `${dayConditionSql(table)} AND ${isOverSql}`, { columns, join })}
     GROUP BY GROUPING SETS ((s.date >= $5), (s.shop_currency, s.date >= $5))`;
  const values = dayValues({ ...filter, from: plusDays(from, -dayCount) });
  return { text, values: [...values, from, dayCount, new Date(now), NEW_YORK] };
}

/**
 * Returns the sums of a range and of the period before it (docs/statistics.md), from the days that can be compared.
 *
 * @returns the sums by currency and, under null, the sums of all currencies; empty if no two days can be compared
 */
export async function compareSums(
  db: Database,
  table: StatisticTable,
  filter: DayFilter & { from: string; to: string },
  now: number,
): Promise<Map<string | null, ComparedSums>> {
  const { rows } = await db.pool.query<ComparedRow>(
    comparisonStatement(table, filter, periodOf(filter, now), now),
  );
  const sumsByCurrency = new Map<string | null, Partial<ComparedSums>>();
  for (const { group_currency, is_by_currency, is_in_range, ...row } of rows) {
    if (is_by_currency && group_currency === null) continue;
    sumsByCurrency.set(group_currency, {
      ...sumsByCurrency.get(group_currency),
      [is_in_range ? 'now' : 'before']: withNumbers(row, table),
    });
  }
  return sumsByCurrency as Map<string | null, ComparedSums>;
}
