import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIELD_NAMES } from '../../../../src/server/orders/column-map';
import { readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ LOG_LEVEL: 'silent' });
  await service.importRows([
    { receipt_id: '1', transaction_id: '1', tracking_number: 'W1', title: 'Stored' },
  ]);
});
afterAll(() => service.close());

const cell = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '-1',
    '4.49',
    '1,234.50',
    '12,00',
    '$5',
    '8/22/2026',
    '2026-08-22',
    '45000',
    'na',
    '#1',
    '\u0000',
    '\ud800',
    '&nbsp;',
    'US',
    '1e5',
    '9'.repeat(30),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const fieldName = fc.oneof(
  fc.constantFrom(...FIELD_NAMES),
  fc.constantFrom('__proto__', 'constructor', 'toString'),
  fc.string({ maxLength: 8 }),
);
const validRow = fc.record({
  receipt_id: fc.constantFrom('1', '2', 3, '#4'),
  title: fc.stringMatching(/^[a-z]{0,5}$/),
  transaction_id: fc.option(fc.constantFrom('1', '2')),
  tracking_number: fc.option(fc.constantFrom('W1', 'w 2')),
});
const row = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fieldName, cell, { maxKeys: 8 }) },
  {
    weight: 3,
    arbitrary: fc.record({
      receipt_id: fc.constantFrom('1', '2', 3, '#4'),
      title: fc.string({ maxLength: 5 }),
      transaction_id: fc.option(fc.constantFrom('1', '2')),
      tracking_number: fc.option(fc.constantFrom('W1', 'w 2')),
    }),
  },
  { weight: 2, arbitrary: fc.array(cell, { maxLength: 36 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const request = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      account_id: fc.constant(1),
      rows: fc.array(validRow, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record(
      {
        account_id: fc.constant(1),
        rows: fc.array(row, { minLength: 1, maxLength: 6 }),
        excel_format: fc.option(fc.boolean(), { nil: undefined }),
      },
      { requiredKeys: ['account_id', 'rows'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { account_id: fc.jsonValue(), rows: fc.jsonValue(), excel_format: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** The tables in which a refused request is recorded: the import history and the use of API keys. */
const REFUSAL_TABLES = ['imports', 'import_issues', 'api_keys', 'api_key_calls'];
let readTablesAsJson: () => Promise<string>;

beforeAll(async () => {
  const tables = await service.database.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL($1)`,
    [REFUSAL_TABLES],
  );
  const selectStatements = tables.map(
    ({ name }) => `SELECT '${name}' AS name, t::text AS row_text FROM "${name}" t`,
  );
  readTablesAsJson = async () => {
    await service.app.services.searchIndexer.finishIndexing();
    return JSON.stringify(
      await service.database.query(`${selectStatements.join(' UNION ALL ')} ORDER BY 1, 2`),
    );
  };
});

it('any JSON body results in 200, 401, 413, 415 or 422, and a refused request changes nothing except the import history and the usage of its key', async () => {
  let tablesBefore = await readTablesAsJson();
  const statusCounts = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      request,
      fc.constantFrom(...Array(18).fill('json'), 'no key', 'text'),
      async (body, variant) => {
        const headers =
          variant === 'no key'
            ? { 'X-Api-Key': undefined }
            : variant === 'text'
              ? { 'Content-Type': 'text/plain' }
              : {};
        const response = await service.send('/api/orders/import', {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json', ...headers },
        });
        statusCounts.set(response.status, (statusCounts.get(response.status) ?? 0) + 1);
        expect([200, 401, 413, 415, 422], response.text).toContain(response.status);
        expect(response.json.success).toBe(response.status === 200);
        const tablesAfter = await readTablesAsJson();
        if (response.status !== 200) {
          expect(tablesAfter).toBe(tablesBefore);
          expect(response.json.request_id).toBe(response.headers.get('x-request-id'));
        }
        tablesBefore = tablesAfter;
      },
    ),
    { numRuns: 600 },
  );
  // If no import had succeeded, or none had been refused, the property would prove nothing.
  expect(statusCounts.get(200)).toBeGreaterThan(20);
  expect(statusCounts.get(422)).toBeGreaterThan(100);
}, 120_000);

it('importing any accepted rows a second time creates and changes nothing', async () => {
  // Few different items and many rows of each, because a row might be matched with the wrong one of several similar items.
  const item = fc.record({
    receipt_id: fc.constantFrom('a', 'a', 'a', 'b'),
    transaction_id: fc.constantFrom('1', '2', '3', '', '', ''),
    title: fc.constantFrom('T', 'T', 'T', 'U'),
    sku: fc.constantFrom('7', '7', '007', ''),
    quantity: fc.constantFrom('', 1, 2, 3),
  });
  const order = fc.record(
    {
      listing_id: fc.constantFrom('', '', '', '9'),
      order_shipping: fc.constantFrom('', 0, '5', 6),
      zip: fc.constantFrom('', '02134', 2134),
      tracking_number: fc.constantFrom('', 'P1', 'P2'),
      carrier_code: fc.constantFrom('', 'yanwen', 'ups'),
      sale_date: fc.constantFrom('', '1/2/2026', '1/3/2026'),
    },
    { requiredKeys: [] },
  );
  const plainRow = fc.tuple(item, order).map(([itemCells, orderCells]) => ({ ...itemCells, ...orderCells }));
  const rows = fc.array(plainRow, { minLength: 1, maxLength: 8 });
  await fc.assert(
    // Which item a row without a transaction_id matches depends on the stored items, so each run starts with none.
    fc.asyncProperty(rows, rows, async (earlierRows, repeatedRows) => {
      await service.database.query('DELETE FROM orders');
      expect((await service.importRows(earlierRows)).status).toBe(200);
      expect((await service.importRows(repeatedRows)).status).toBe(200);
      const ordersBefore = JSON.stringify(await readStoredOrders(service.database));
      const secondResponse = await service.importRows(repeatedRows);
      expect(secondResponse.json.data).toMatchObject({ new_orders: 0, order_items_inserted: 0 });
      expect(JSON.stringify(await readStoredOrders(service.database))).toBe(ordersBefore);
    }),
    { numRuns: 300 },
  );
}, 120_000);
