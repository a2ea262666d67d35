import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../src/server/core/cursor';
import { type DayRow, daysStatement } from '../../../src/server/statistics/days-service';
import type { PRODUCT_FIELDS, SHOP_FIELDS } from '../../../src/server/statistics/fields';
import {
  type SeriesRow,
  seriesStatement,
  type TopRow,
  topStatement,
} from '../../../src/server/statistics/series-service';
import type { DayFilter, SumColumns } from '../../../src/server/statistics/sums-sql';
import { PRODUCT_TABLE, SHOP_TABLE, type StatisticTable } from '../../../src/server/statistics/tables';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** Every part of a filter, and all together. */
const FILTERS: DayFilter[] = [
  {},
  { shop_ids: ['a'] },
  { listing_ids: [1] },
  { from: '2026-08-01' },
  { to: '2026-08-31' },
  { shop_ids: ['a'], listing_ids: [1], from: '2026-08-01', to: '2026-08-31' },
];
const TABLES = [SHOP_TABLE, PRODUCT_TABLE];
const DIRECTIONS = ['asc', 'desc'] as const;

type Types<Row> = Record<Exclude<keyof Row, keyof typeof SHOP_FIELDS | keyof typeof PRODUCT_FIELDS>, string>;

/** The PostgreSQL types of the columns; the compiler checks their names against the declared rows. */
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

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the statement's columns with their types, as PostgreSQL sees them. */
async function columnsOf({ text, values }: { text: string; values: unknown[] }): Promise<object> {
  const { fields } = await client.query(text, values);
  const { rows } = await client.query<{ name: string; type: string }>(
    'SELECT name, format_type(oid, NULL) AS type FROM unnest($1::text[], $2::oid[]) AS f(name, oid)',
    [fields.map((field) => field.name), fields.map((field) => field.dataTypeID)],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

/** The values of a cursor, in the order of the sort column and the key. */
function cursorValues(table: StatisticTable, sort: string): string[] {
  const example: Record<string, string> = { date: '2026-08-22', shop_id: 'a', listing_id: '1' };
  const keys = ['date', ...table.key.filter((name) => name !== 'date')];
  return [sort, ...keys.filter((name) => name !== sort)].map((name) => example[name] ?? '1');
}

describe.each(TABLES)('days of a $kind', (table) => {
  const stored = {
    ...DAY,
    ...fieldTypes(table, false),
    ...(table.kind === 'product' ? { listing_id: 'bigint' } : {}),
  };

  it.each([...table.key, ...table.fields])(
    'are listed by %s with the declared columns, from any position in either direction',
    async (sort) => {
      for (const direction of DIRECTIONS) {
        const cursor = encodeCursor(
          `${table.kind}-statistics ${sort} ${direction}`,
          cursorValues(table, sort),
        );
        for (const filter of FILTERS) {
          for (const from of [undefined, cursor]) {
            const statement = daysStatement(table, { ...filter, sort, direction, limit: 10, cursor: from });
            expect(await columnsOf(statement)).toEqual(stored);
          }
        }
      }
    },
  );

  it('are summed with the declared columns', async () => {
    for (const by of ['shop_id', 'listing_id'] as const) {
      if (!table.key.includes(by)) continue;
      for (const filter of FILTERS) {
        expect(await columnsOf(seriesStatement(table, by, filter))).toEqual({
          ...SERIES,
          ...fieldTypes(table, true),
        });
      }
    }
  });
});

it.each(PRODUCT_TABLE.fields)('the top listings by %s have the declared columns', async (sort) => {
  for (const direction of DIRECTIONS) {
    for (const filter of FILTERS) {
      expect(await columnsOf(topStatement({ ...filter, sort, direction, limit: 10 }))).toEqual({
        ...TOP,
        ...fieldTypes(PRODUCT_TABLE, true),
      });
    }
  }
});
