import { encodeCursor } from '../../../../src/server/core/cursor';
import { type DayRow, daysStatement } from '../../../../src/server/statistics/days-service';
import { exportStatement } from '../../../../src/server/statistics/export';
import type { PRODUCT_FIELDS, SHOP_FIELDS } from '../../../../src/server/statistics/fields';
import {
  type SeriesRow,
  seriesStatement,
  type TopRow,
  topStatement,
} from '../../../../src/server/statistics/series-service';
import type { DayFilter, SumColumns } from '../../../../src/server/statistics/sums-sql';
import { PRODUCT_TABLE, SHOP_TABLE, type StatisticTable } from '../../../../src/server/statistics/tables';
import { type ComposedStatement, filtersOf, type Variant } from './statement';

const FILTERS = filtersOf<DayFilter>([
  { shop_ids: ['a'] },
  { listing_ids: [1] },
  { from: '2026-08-01' },
  { to: '2026-08-31' },
]);
const DIRECTIONS = ['asc', 'desc'] as const;

type Types<Row> = Record<Exclude<keyof Row, keyof typeof SHOP_FIELDS | keyof typeof PRODUCT_FIELDS>, string>;

const DAY: Types<DayRow> = {
  shop_id: 'character varying',
  date: 'text',
  extra: 'jsonb',
  updated_at: 'timestamp with time zone',
  position: 'text[]',
};
const SUMS: Types<SumColumns> = { currency: 'text', rows: 'integer' };
const SERIES: Types<SeriesRow> = {
  ...SUMS,
  of: 'text',
  group_currency: 'text',
  is_by_currency: 'boolean',
  date: 'text',
  shops: 'character varying[]',
};
const TOP: Types<TopRow> = { ...SUMS, listing_id: 'bigint', shop_ids: 'character varying[]' };

/** Stored days have counts as bigint; sums and everything else are numeric. */
const fieldTypes = ({ kinds }: StatisticTable, ofSums: boolean) =>
  Object.fromEntries(
    Object.entries(kinds).map(([field, kind]) => [field, kind === 'count' && !ofSums ? 'bigint' : 'numeric']),
  );

/** A cursor of the list: the values of the sort column and the key. */
function cursorOf(table: StatisticTable, sort: string, direction: string): string {
  const example: Record<string, string> = { date: '2026-08-22', shop_id: 'a', listing_id: '1' };
  const keys = ['date', ...table.key.filter((name) => name !== 'date')];
  const names = [sort, ...keys.filter((name) => name !== sort)];
  return encodeCursor(
    `${table.kind}-statistics ${sort} ${direction}`,
    names.map((name) => example[name] ?? '1'),
  );
}

/** Sorted by each column in either direction, with each filter. */
const sorted = (
  columns: readonly string[],
  statementOf: (query: DayFilter & { sort: string; direction: 'asc' | 'desc' }) => Omit<Variant, 'name'>,
): Variant[] =>
  columns.flatMap((sort) =>
    DIRECTIONS.flatMap((direction) =>
      FILTERS.map((filter) => ({
        name: `${JSON.stringify(filter)} by ${sort} ${direction}`,
        ...statementOf({ ...filter, sort, direction }),
      })),
    ),
  );

function statementsOf(table: StatisticTable): ComposedStatement[] {
  const columns = [...table.key, ...table.fields];
  const filtered = (statementOf: (filter: DayFilter) => Omit<Variant, 'name'>) =>
    FILTERS.map((filter) => ({ name: JSON.stringify(filter), ...statementOf(filter) }));
  return [
    {
      name: `days of a ${table.kind}`,
      columns: {
        ...DAY,
        ...fieldTypes(table, false),
        ...(table.kind === 'product' ? { listing_id: 'bigint' } : {}),
      },
      variants: [
        ...sorted(columns, (query) => daysStatement(table, { ...query, limit: 10 })),
        ...sorted(columns, (query) => {
          const cursor = cursorOf(table, query.sort, query.direction);
          return daysStatement(table, { ...query, limit: 10, cursor });
        }),
      ],
    },
    {
      name: `sums of days of a ${table.kind}`,
      columns: { ...SERIES, ...fieldTypes(table, true) },
      variants: (['shop_id', 'listing_id'] as const)
        .filter((by) => table.key.includes(by))
        .flatMap((by) => filtered((filter) => seriesStatement(table, by, filter))),
    },
    {
      name: `export of days of a ${table.kind}`,
      columns: Object.fromEntries([...columns, 'extra'].map((name) => [name, 'text'])),
      variants: filtered((filter) => exportStatement(table, filter)),
    },
  ];
}

export const STATISTIC_STATEMENTS: ComposedStatement[] = [
  ...statementsOf(SHOP_TABLE),
  ...statementsOf(PRODUCT_TABLE),
  {
    name: 'top listings',
    columns: { ...TOP, ...fieldTypes(PRODUCT_TABLE, true) },
    variants: sorted(PRODUCT_TABLE.fields, (query) => topStatement({ ...query, limit: 10 })),
  },
];
