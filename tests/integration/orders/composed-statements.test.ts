import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_NAMES, exportJson, exportText } from '../../../src/server/orders/export/export-sql';
import { afterCursor, ORDER_BY, orderConditions } from '../../../src/server/orders/list/filter-sql';
import type { OrderFilter } from '../../../src/server/orders/list/schema';
import { countStatement, type ListedOrder, listStatement } from '../../../src/server/orders/list/service';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

/** The PostgreSQL types of the list's columns; the compiler checks their names against the declared row. */
const LISTED: Record<keyof ListedOrder, string> = {
  id: 'text',
  receipt_id: 'text',
  shop_id: 'integer',
  shop: 'text',
  status: 'order_status',
  tracking_status: 'tracking_status',
  sale_date: 'text',
  buyer: 'text',
  name: 'text',
  country_code: 'text',
  country_name: 'text',
  currency: 'text',
  value: 'text',
  items: 'integer',
  quantity: 'double precision',
  title: 'text',
  tracking_numbers: 'text[]',
  carrier_code: 'text',
};

/** Every part of a filter in each of its forms. */
const PARTS: OrderFilter[] = [
  { shops: [1] },
  { statuses: ['paid'] },
  { tracking: ['delivered'] },
  { tracking: ['none'] },
  { tracking: ['delivered', 'none'] },
  { sold_from: '2026-08-22' },
  { sold_to: '2026-08-22' },
  { countries: ['US'] },
  { countries: ['--'] },
  { countries: ['US', '--'] },
  { unshipped_days: 3 },
  { import_id: '1' },
  { text: 'ab' },
  { text: 'lantern' },
  { text: 'a lantern' },
  { text: '4165001001 4165001002' },
];
const FILTERS: OrderFilter[] = [{}, ...PARTS, Object.assign({}, ...PARTS)];
const FOUND = { shopIds: [1], orderIds: ['1'] };

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
async function columnsOf(text: string, values: unknown[]): Promise<Record<string, string>> {
  const { fields } = await client.query(text, values);
  const { rows } = await client.query<{ name: string; type: string }>(
    'SELECT name, format_type(oid, NULL) AS type FROM unnest($1::text[], $2::oid[]) AS f(name, oid)',
    [fields.map((field) => field.name), fields.map((field) => field.dataTypeID)],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}

describe.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
  'filter %s',
  (_, filter) => {
    const composed = () => [orderConditions(filter, null), orderConditions(filter, FOUND)];

    it('lists the declared columns, from any position in either direction', async () => {
      for (const direction of ['newest', 'oldest'] as const) {
        for (const position of [
          null,
          { saleDate: null, id: '1' },
          { saleDate: '2026-08-22T00:00:00.000000Z', id: '1' },
        ]) {
          for (const { conditions, values } of composed()) {
            if (position) conditions.push(afterCursor(position, direction, values));
            const text = listStatement(conditions, direction, `$${values.push(50)}::int`);
            expect(await columnsOf(text, values)).toEqual(LISTED);
          }
        }
      }
    });

    it('counts', async () => {
      for (const { conditions, values } of composed())
        expect(await columnsOf(countStatement(conditions), values)).toEqual({ count: 'integer' });
    });

    it('exports', async () => {
      for (const { conditions, values } of composed()) {
        const exported = { condition: conditions.join(' AND ') || 'true', order: ORDER_BY.newest };
        expect(Object.keys(await columnsOf(exportText(exported), values))).toEqual(EXPORT_NAMES);
        expect(await columnsOf(exportJson(exported), values)).toEqual({ row_to_json: 'text' });
      }
    });
  },
);
