import { isRealDay } from '../core/days';
import { decodeCursor, encodeCursor, invalidCursorError } from '../core/lists/cursor';
import type { Database } from '../db/client';
import { withNumbers } from './service';
import type { UpsertListingDaysRow, UpsertShopDaysRow } from './statistics.queries';
import { type ComposedStatement, type DayFilter, dayConditionSql, dayValues } from './sums-sql';
import type { StatisticTable } from './tables';

interface DayQuery extends DayFilter {
  sort: string;
  direction: 'asc' | 'desc';
  limit: number;
  cursor?: string | undefined;
}

const PATTERN_BY_COLUMN: Record<string, RegExp> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the one character that PostgreSQL cannot hold
  shop_id: /^[^\u0000]{1,50}$/u,
  listing_id: /^\d{1,16}$/,
};
const NUMBER_PATTERN = /^(?:-1|Infinity|\d{1,16}(?:\.\d{1,4})?)$/;
const TYPE_BY_COLUMN: Record<string, string> = { date: 'date', shop_id: 'text', listing_id: 'bigint' };

/**
 * Returns the columns that days are sorted by: the chosen one, then the rest of the key, all in one direction, so that a single
 * row comparison finds the next page.
 */
function sortColumnsOf({ key }: StatisticTable, { sort, direction }: Pick<DayQuery, 'sort' | 'direction'>) {
  // Missing values come last in either direction.
  const missingValueSql = direction === 'desc' ? '-1' : `'Infinity'`;
  const keyColumns = ['date', ...key.filter((name) => name !== 'date')];
  const names = keyColumns.includes(sort)
    ? [sort, ...keyColumns.filter((name) => name !== sort)]
    : [sort, ...keyColumns];
  return names.map((name) => {
    const type = TYPE_BY_COLUMN[name];
    return {
      expression: type ? `s.${name}` : `coalesce(s.${name}::numeric, ${missingValueSql})`,
      type: type ?? 'numeric',
      pattern: PATTERN_BY_COLUMN[name] ?? NUMBER_PATTERN,
    };
  });
}

/** Returns the expressions for ORDER BY, for a statement whose table of days has the alias `s`. */
export const orderBySql = (table: StatisticTable, query: Pick<DayQuery, 'sort' | 'direction'>): string =>
  sortColumnsOf(table, query)
    .map(({ expression }) => `${expression} ${query.direction}`)
    .join(', ');

/** A stored day as the statement returns it. */
export type DayRow = (Omit<UpsertShopDaysRow, 'created'> | Omit<UpsertListingDaysRow, 'created'>) & {
  /** The values of the columns that the list is sorted by, for the cursor. */
  position: string[];
};

const cursorNameOf = (table: StatisticTable, { sort, direction }: Pick<DayQuery, 'sort' | 'direction'>) =>
  `${table.kind}-statistics ${sort} ${direction}`;

/**
 * Returns the statement for a page of days, plus one row that shows whether another page follows.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export function daysStatement(table: StatisticTable, query: DayQuery): ComposedStatement {
  const sortColumns = sortColumnsOf(table, query);
  const cursorName = cursorNameOf(table, query);
  const values = dayValues(query);
  let afterCursorSql = '';
  if (query.cursor !== undefined) {
    const cursorValues = decodeCursor(
      query.cursor,
      cursorName,
      sortColumns.map(({ pattern }) => pattern),
    );
    const cursorDays = cursorValues.filter((_, index) => sortColumns[index]!.type === 'date');
    if (!cursorDays.every(isRealDay)) throw invalidCursorError();
    const placeholders = sortColumns.map(({ type }, index) => `$${values.length + index + 1}::${type}`);
    values.push(...cursorValues);
    const operator = query.direction === 'asc' ? '>' : '<';
    afterCursorSql = `AND (${sortColumns.map(({ expression }) => expression).join(', ')}) ${operator} (${placeholders.join(', ')})`;
  }
  const columns = [
    ...table.key.filter((column) => column !== 'date'),
    ...table.fields,
    'extra',
    'updated_at',
  ];
  const text = `
    SELECT ${columns.map((column) => `s.${column}`).join(', ')}, s.date::text AS date,
           ARRAY[${sortColumns.map(({ expression }) => `(${expression})::text`).join(', ')}] AS position
      FROM ${table.tableName} s WHERE ${dayConditionSql(table)} ${afterCursorSql}
     ORDER BY ${orderBySql(table, query)}
     LIMIT ${query.limit + 1}`;
  return { text, values };
}

/**
 * Returns a page of the stored days of shops or of listings.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listDays(db: Database, table: StatisticTable, query: DayQuery) {
  const { rows } = await db.pool.query<DayRow>(daysStatement(table, query));
  const days = rows.slice(0, query.limit);
  return {
    days: days.map(({ position: _, updated_at, ...row }) => ({
      ...withNumbers(row, table),
      updated_at: updated_at.toISOString(),
    })),
    next: rows.length > query.limit ? encodeCursor(cursorNameOf(table, query), days.at(-1)!.position) : null,
  };
}
