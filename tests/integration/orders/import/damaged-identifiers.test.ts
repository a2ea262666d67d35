import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Problem } from '../../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { type Cells, commitDraft, exportOf, uploadDraft } from '../../../support/service/import-drafts';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let user: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'operator');
  await service.importRows([{ receipt_id: 'z0', transaction_id: '1', sku: '00731' }]);
});
afterAll(() => service.close());

const ROWS: Cells[] = [
  { receipt: 'w1', country: 'Atlantis' },
  { receipt: 'w2', country: 'United States', zip: '2134' },
  { receipt: 'w3', transaction_id: '1.91E+18' },
  { receipt: 'w4', listing_id: '1912345678901200' },
  { receipt: 'w5', sku: '2-Jan' },
  { receipt: 'w6', sku: '731' },
  { receipt: '4165098857.0' },
];

const WARNING_PATHS = [
  'rows.1.country_name',
  'rows.2.zip',
  'rows.3.transaction_id',
  'rows.4.listing_id',
  'rows.5.sku',
  'rows.6.sku',
  'rows.7.receipt_id',
];

/** Returns the warnings of the last import from the history, sorted by path. */
async function readLastWarnings(): Promise<Problem[]> {
  return service.database.query<Problem>(
    `SELECT path, reason, "values" FROM import_issues
      WHERE import_id = (SELECT max(id) FROM imports) AND severity = 'warning' ORDER BY path`,
  );
}

it('damaged identifiers cause the same warnings in the API and on the page', async () => {
  const importResponse = await service.send('/api/orders/import', {
    body: { account_id: service.shopId, excel_format: true, rows: exportOf(ROWS) },
  });
  expect(importResponse.status).toBe(200);
  const apiWarnings = await readLastWarnings();
  expect(apiWarnings.map(({ path }) => path)).toEqual(WARNING_PATHS);
  expect(sentenceOf(apiWarnings.find(({ path }) => path === 'rows.6.sku')!)).toContain('"00731"');

  const commitResponse = await commitDraft(user, await uploadDraft(service, user, ROWS));
  expect(commitResponse.data.warnings).toBe(WARNING_PATHS.length);
  expect(await readLastWarnings()).toEqual(apiWarnings);
});

it('held-back rows are counted separately from warnings, and listed with their problems', async () => {
  const rows: Cells[] = [
    { receipt: 'h1', quantity: 'two', price: '12,00' },
    { receipt: 'h1' },
    { receipt: 'h2', country: 'Atlantis' },
  ];
  const { data } = await commitDraft(user, await uploadDraft(service, user, rows));
  expect(data).toMatchObject({ new_orders: 1, held_back: 2, warnings: 1 });
  const details = (await user.call('imports.one', { id: data.import_id })).data;
  expect(details.import).toMatchObject({ held_rows: 2, errors: 2, warnings: 1, rows: 1 });
  expect(details.entries.map((entry: { severity: string }) => entry.severity)).toEqual([
    'error',
    'error',
    'warning',
  ]);
});

it.each([
  ['/api/orders/import', 'rows.0.additional', { rows: [{ receipt_id: 'd1', additional: 0 }] }],
  ['/api/shop-statistics', 'nested.deep.0', { shop_id: 's', date: '2026-08-22', nested: { deep: [0] } }],
  [
    '/api/product-statistics',
    'additional',
    { shop_id: 's', listing_id: 1, date: '2026-08-22', additional: 0 },
  ],
  ['/api/marketplace/message', 'nested.one', { shop_name: 's', nested: { one: 0 } }],
])('%s refuses a whole number whose digits would be lost, naming %s', async (endpoint, path, members) => {
  const shopMember = endpoint === '/api/orders/import' ? { account_id: service.shopId } : {};
  const text = JSON.stringify({ ...shopMember, ...members });
  const body = text.replace(/:0\b|\[0\]/, (zero) => zero.replace('0', '12345678901234567890'));
  const response = await fetch(`${service.url}${endpoint}`, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key, 'Content-Type': 'application/json' },
    body,
  });
  const json = (await response.json()) as { errors: { path: string; message: string }[] };
  expect([response.status, json.errors]).toEqual([
    422,
    [{ path, message: expect.stringContaining('2^53-1') }],
  ]);
});
