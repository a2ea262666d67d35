import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let owner: SignedInUser;
let operator: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  owner = await createSignedInUser(service, 'owner');
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  const item = {
    title: 'Owl Magnet',
    quantity: 2,
    item_total: '9',
    currency: 'USD',
    sale_date: '8/22/2026',
  };
  await service.importRows([
    { ...item, receipt_id: '1', country_name: 'United States' },
    { ...item, receipt_id: '2', country_name: 'Germany' },
    { ...item, receipt_id: '3', country_name: 'Germany', shipped_indicator: 'yes' },
  ]);
});
afterAll(() => service.close());

const makeTemplateSettings = (name: string, overrides: object = {}) => ({
  name,
  format: 'csv',
  totals: false,
  columns: [
    { column: 'quantity', header: '件数' },
    { column: 'receipt_id' },
    { column: 'blank', header: 'HS' },
  ],
  ...overrides,
});

const saveTemplate = async (name: string, overrides: object = {}) => {
  const { status, data } = await operator.call('exports.saveTemplate', makeTemplateSettings(name, overrides));
  expect(status).toBe(200);
  return data.id as number;
};

const downloadOrders = async (template: number | string, filter: object = {}) => {
  const query = new URLSearchParams({
    format: 'csv',
    template: String(template),
    filter: JSON.stringify(filter),
  });
  const response = await fetch(`${service.url}/api/downloads/orders?${query}`, {
    headers: { Cookie: viewer.cookie },
  });
  const text = await response.text();
  const rows: string[][] = response.ok ? parse(text, { bom: true }) : [];
  return { status: response.status, rows };
};

it('a saved template determines the columns, their order and their headers for every user', async () => {
  const id = await saveTemplate('Own');
  const { rows } = await downloadOrders(id);
  expect(rows[0]).toEqual(['件数', 'Order number', 'HS']);
  expect(rows[1]).toEqual(['2', '3', '']);
  const { data } = await viewer.call('exports.templates');
  expect(data.saved).toMatchObject([{ id, name: 'Own', owner: expect.any(String) }]);
  expect(data.built_in.map((template: { id: string }) => template.id)).toContain('forwarder');
});

it('a template with a filter exports only orders that match both its own filter and the filter of the download', async () => {
  const id = await saveTemplate('Germany to pack', { filter: { countries: ['DE'], statuses: ['paid'] } });
  const downloadReceiptIds = async (filter: object) =>
    (await downloadOrders(id, filter)).rows.slice(1).map((row) => row[1]);
  expect(await downloadReceiptIds({})).toEqual(['2']);
  expect(await downloadReceiptIds({ countries: ['DE', 'US'] })).toEqual(['2']);
  expect(await downloadReceiptIds({ countries: ['US'] })).toEqual([]);
  expect(await downloadReceiptIds({ statuses: ['shipped'] })).toEqual([]);
});

it('changes to a template are recorded with the values before and after', async () => {
  const id = await saveTemplate('Recorded');
  await saveTemplate('Recorded again', { id, totals: true });
  await operator.call('exports.removeTemplate', { id });
  const entries = await service.database.query<{ action: string; before: object; after: object }>(
    `SELECT action, before, after FROM audit_log WHERE record_type = 'export_template' AND record_id = $1 ORDER BY id`,
    [String(id)],
  );
  expect(entries).toMatchObject([
    { action: 'export_template.create', before: null, after: { name: 'Recorded', totals: false } },
    {
      action: 'export_template.change',
      before: { name: 'Recorded', totals: false },
      after: { name: 'Recorded again', totals: true },
    },
    { action: 'export_template.remove', before: { name: 'Recorded again' }, after: null },
  ]);
  expect((await downloadOrders(id)).status).toBe(404);
});

it('a download without its template or shop is refused before it begins: HEAD has the status of GET', async () => {
  const template = await saveTemplate('Removed soon');
  const readStatuses = async (query: string) => {
    const statuses: number[] = [];
    for (const method of ['HEAD', 'GET']) {
      const response = await fetch(`${service.url}/api/downloads/${query}`, {
        method,
        headers: { Cookie: owner.cookie },
      });
      await response.arrayBuffer();
      statuses.push(response.status);
    }
    return statuses;
  };
  const ordersQuery = `orders?format=csv&template=${template}`;
  expect(await readStatuses(ordersQuery)).toEqual([200, 200]);
  await operator.call('exports.removeTemplate', { id: template });
  expect(await readStatuses(ordersQuery)).toEqual([404, 404]);
  expect(await readStatuses(`shop?id=${service.shopId}`)).toEqual([200, 200]);
  expect(await readStatuses(`shop?id=${service.shopId + 1}`)).toEqual([404, 404]);
});

it('a viewer may neither save nor remove templates', async () => {
  expect((await viewer.call('exports.saveTemplate', makeTemplateSettings('Mine'))).status).toBe(403);
  expect((await viewer.call('exports.removeTemplate', { id: 1 })).status).toBe(403);
});

it('template names are unique, a template needs at least one column, and unknown columns and templates are refused', async () => {
  const id = await saveTemplate('Taken');
  const duplicateResponse = await operator.call('exports.saveTemplate', makeTemplateSettings('Taken'));
  expect([duplicateResponse.status, duplicateResponse.error?.problems[0]?.path]).toEqual([422, 'name']);
  expect((await operator.call('exports.saveTemplate', { id, ...makeTemplateSettings('Taken') })).status).toBe(
    200,
  );
  const withoutColumnsResponse = await operator.call(
    'exports.saveTemplate',
    makeTemplateSettings('None', { columns: [] }),
  );
  expect(withoutColumnsResponse.error?.problems).toEqual([
    { path: 'columns', message: 'needs at least one column' },
  ]);
  const settingsWithUnknownColumn = makeTemplateSettings('Unknown', { columns: [{ column: 'password' }] });
  expect((await operator.call('exports.saveTemplate', settingsWithUnknownColumn)).status).toBe(422);
  expect(
    (await operator.call('exports.saveTemplate', { id: 999, ...makeTemplateSettings('Nowhere') })).status,
  ).toBe(404);
  expect((await downloadOrders('nothing')).status).toBe(422);
  await expect(
    service.database.query(
      `INSERT INTO export_templates (name, format, totals, columns, updated_at) VALUES ('x', 'pdf', true, '[1]', now())`,
    ),
  ).rejects.toMatchObject({ constraint: 'export_templates_format' });
});
