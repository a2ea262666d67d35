import { encodeCursor } from '../../../../src/server/core/lists/cursor';
import { type ComparedRow, comparisonStatement } from '../../../../src/server/statistics/comparison-service';
import { type DayRow, daysStatement } from '../../../../src/server/statistics/days-service';
import { exportStatement } from '../../../../src/server/statistics/export/day-export-service';
import { withCurrency } from '../../../../src/server/statistics/export/table-columns';
import { dayTableStatement } from '../../../../src/server/statistics/export/table-export-service';
import type { LISTING_FIELDS, SHOP_FIELDS } from '../../../../src/server/statistics/fields';
import {
  type SeriesRow,
  seriesStatement,
  type TopListingRow,
  topListingsStatement,
} from '../../../../src/server/statistics/series-service';
import type { DayFilter, SumColumns } from '../../../../src/server/statistics/sums-sql';
import { LISTING_TABLE, SHOP_TABLE, type StatisticTable } from '../../../../src/server/statistics/tables';
import type { ComposedStatement, Variant } from './statement';

/** No filter, each part of a filter alone, and all parts together. */
const FILTERS: DayFilter[] = [
  {},
  { shop_ids: ['a'] },
  { listing_ids: [1] },
  { from: '2026-08-01' },
  { to: '2026-08-31' },
  { shop_ids: ['a'], listing_ids: [1], from: '2026-08-01', to: '2026-08-31' },
];
const TABLES = [SHOP_TABLE, LISTING_TABLE];
const DIRECTIONS = ['asc', 'desc'] as const;

type ColumnTypes<Row> = Record<
  Exclude<keyof Row, keyof typeof SHOP_FIELDS | keyof typeof LISTING_FIELDS>,
  string
>;

/** The PostgreSQL types of the columns; the compiler checks their names against the declared rows. */
const DAY_COLUMNS: ColumnTypes<DayRow> = {
  shop_id: 'character varying',
  date: 'text',
  extra: 'jsonb',
  updated_at: 'timestamp with time zone',
  position: 'text[]',
};
const SUM_COLUMNS: ColumnTypes<SumColumns> = { currency: 'text', rows: 'integer' };
const SERIES_COLUMNS: ColumnTypes<SeriesRow> = {
  ...SUM_COLUMNS,
  id: 'text',
  group_currency: 'text',
  is_by_currency: 'boolean',
  date: 'text',
  shops_without_currency: 'character varying[]',
};
const COMPARISON_COLUMNS: ColumnTypes<ComparedRow> = {
  ...SUM_COLUMNS,
  group_currency: 'text',
  is_by_currency: 'boolean',
  is_in_range: 'boolean',
};
const TOP_LISTING_COLUMNS: ColumnTypes<TopListingRow> = {
  ...SUM_COLUMNS,
  listing_id: 'bigint',
  shop_ids: 'character varying[]',
  profit: 'numeric',
};

/** Returns the PostgreSQL type of each field: bigint for a count in a stored day; numeric for every sum and every other field. */
const getFieldTypes = ({ kindByField }: StatisticTable, forSums: boolean) =>
  Object.fromEntries(
    Object.entries(kindByField).map(([field, kind]) => [
      field,
      kind === 'count' && !forSums ? 'bigint' : 'numeric',
    ]),
  );

/** Returns example values for a cursor: the sort column first, then the rest of the key. */
function makeCursorValues(table: StatisticTable, sort: string): string[] {
  const examples: Record<string, string> = { date: '2026-08-22', shop_id: 'a', listing_id: '1' };
  const keyColumns = ['date', ...table.key.filter((name) => name !== 'date')];
  return [sort, ...keyColumns.filter((name) => name !== sort)].map((name) => examples[name] ?? '1');
}

/** Returns a variant of the statement for each filter. */
const withFilters = (makeStatement: (filter: DayFilter) => Omit<Variant, 'name'>, name: string): Variant[] =>
  FILTERS.map((filter) => ({ name: `${name} ${JSON.stringify(filter)}`, ...makeStatement(filter) }));

function makeDaysStatement(table: StatisticTable): ComposedStatement {
  const sorts = [...table.key, ...table.fields].flatMap((sort) =>
    DIRECTIONS.map((direction) => ({ sort, direction })),
  );
  return {
    name: `list of days of a ${table.kind}`,
    columns: {
      ...DAY_COLUMNS,
      ...getFieldTypes(table, false),
      ...(table.kind === 'product' ? { listing_id: 'bigint' } : {}),
    },
    variants: sorts.flatMap(({ sort, direction }) => {
      const nextPageCursor = encodeCursor(
        `${table.kind}-statistics ${sort} ${direction}`,
        makeCursorValues(table, sort),
      );
      return [undefined, nextPageCursor].flatMap((cursor) =>
        withFilters(
          (filter) => daysStatement(table, { ...filter, sort, direction, limit: 10, cursor }),
          `${sort} ${direction}${cursor === undefined ? '' : ', next page'}`,
        ),
      );
    }),
  };
}

const makeSumsStatement = (table: StatisticTable): ComposedStatement => ({
  name: `sums of a ${table.kind}`,
  columns: { ...SERIES_COLUMNS, ...getFieldTypes(table, true) },
  variants: (['shop_id', 'listing_id'] as const)
    .filter((by) => table.key.includes(by))
    .flatMap((by) => withFilters((filter) => seriesStatement(table, by, filter), by)),
});

const makeComparisonStatement = (table: StatisticTable): ComposedStatement => ({
  name: `compared sums of a ${table.kind}`,
  columns: { ...COMPARISON_COLUMNS, ...getFieldTypes(table, true) },
  variants: withFilters(
    (filter) =>
      comparisonStatement(
        table,
        filter,
        { from: '2026-08-01', dayCount: 7 },
        Date.parse('2026-08-07T12:00:00Z'),
      ),
    'compared',
  ),
});

const makeExportStatement = (table: StatisticTable): ComposedStatement => ({
  name: `export of days of a ${table.kind}`,
  columns: Object.fromEntries([...table.key, ...table.fields, 'extra'].map((name) => [name, 'text'])),
  variants: withFilters((filter) => exportStatement(table, filter), 'export'),
});

/** Returns the statement for the table of days on a page, with every column that the page can show. */
function makeDayTableStatement(table: StatisticTable): ComposedStatement {
  const fields = table.fields as (keyof typeof SHOP_FIELDS | keyof typeof LISTING_FIELDS)[];
  const columns = withCurrency(['date', 'shop', ...fields, 'updated']);
  const sorts = ['date', 'shop_id', ...fields].flatMap((sort) =>
    DIRECTIONS.map((direction) => ({ sort, direction })),
  );
  return {
    name: `table of days of a ${table.kind}`,
    columns: Object.fromEntries(columns.map((_, index) => [`c${index}`, 'text'])),
    variants: sorts.flatMap(({ sort, direction }) =>
      withFilters(
        (filter) => dayTableStatement(table, { ...filter, sort, direction }, columns, 'UTC'),
        `${sort} ${direction}`,
      ),
    ),
  };
}

const TOP_LISTINGS_STATEMENT: ComposedStatement = {
  name: 'top listings',
  columns: { ...TOP_LISTING_COLUMNS, ...getFieldTypes(LISTING_TABLE, true) },
  variants: LISTING_TABLE.fields.flatMap((sort) =>
    DIRECTIONS.flatMap((direction) =>
      withFilters(
        (filter) => topListingsStatement({ ...filter, sort, direction, limit: 10 }),
        `${sort} ${direction}`,
      ),
    ),
  ),
};

export const STATISTICS_STATEMENTS: ComposedStatement[] = [
  ...TABLES.map(makeDaysStatement),
  ...TABLES.map(makeSumsStatement),
  ...TABLES.map(makeComparisonStatement),
  ...TABLES.map(makeExportStatement),
  ...TABLES.map(makeDayTableStatement),
  TOP_LISTINGS_STATEMENT,
];
