import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportRow, HEADER, readFixtureRows } from '../../../support/fixtures';
import { readStoredOrder, readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_ROWS: '500', IMPORT_MAX_BODY_BYTES: '300000' });
});
afterAll(() => service.close());

const makeSuccessBody = (new_orders: number, updated_orders: number, order_items_inserted: number) => ({
  success: true,
  message: '导入完成',
  data: { new_orders, updated_orders, order_items_inserted },
});

describe('200', () => {
  it('imports the US fixture as 37 new orders with 40 items; importing it again updates the 37 orders and inserts no items', async () => {
    const rows = readFixtureRows('us');
    const firstResponse = await service.importRows(rows, { excel_format: true });
    expect(firstResponse.status).toBe(200);
    expect(firstResponse.json).toEqual(makeSuccessBody(37, 0, 40));
    const ordersBefore = await readStoredOrders(service.database);
    const secondResponse = await service.importRows(rows, { excel_format: true });
    expect(secondResponse.json).toEqual(makeSuccessBody(0, 37, 0));
    expect(await readStoredOrders(service.database)).toEqual(ordersBefore);
  });

  it('imports the UK fixture as 26 new orders with 30 items; importing it again updates the 26 orders and inserts no items', async () => {
    const rows = readFixtureRows('uk');
    expect((await service.importRows(rows, { excel_format: true })).json).toEqual(makeSuccessBody(26, 0, 30));
    expect((await service.importRows(rows, { excel_format: true })).json).toEqual(makeSuccessBody(0, 26, 0));
  });

  it('stores the columns of an export row in their fields', async () => {
    const response = await service.importRows(readFixtureRows('uk'), { excel_format: true });
    expect(response.status).toBe(200);
    const order = await readStoredOrder(service.database, '1864795393');
    expect(order).toMatchObject({
      status: 'shipped',
      sale_date: '2020-12-12T05:00:00Z',
      sold_on: '2020-12-12',
      shipped_indicator: '2020-12-13',
      buyer: 'Roan (23tfxcaw4k7l7cgv)',
      currency: 'GBP',
      shipping_discount: 0,
      order_shipping: 5,
      order_sales_tax: 2.5,
      name: 'Lorne Testwood',
      first_line: '2259 test close',
      second_line: '462',
      city: 'Preston',
      state: 'VIC',
      zip: '3220',
      country_name: 'Australia',
      country_code: 'AU',
      order_type: 'online',
      payment_method: 'online_cc',
      vat_paid_by_buyer: 0,
    });
    expect(order.items).toHaveLength(1);
    expect(order.items[0]).toMatchObject({
      title: 'Otter Line Art (White Background) - Prints and Hand Painted artwork 3',
      quantity: 1,
      price: 20.02,
      discount_amount: 0,
      item_total: 20.02,
      transaction_id: '2226200883',
      listing_id: '814058161',
      variations: 'Style:Print of Artwork,Size:297 x 420mm (A3),Personalisation:1) Sock 2) whippet',
      listing_type: 'listing',
      extra: {},
    });
  });

  it('returns exactly the members that the reference documents', async () => {
    const { json } = await service.importRows([{ receipt_id: 'members-1' }]);
    expect(Object.keys(json)).toEqual(['success', 'message', 'data']);
    expect(Object.keys(json.data)).toEqual(['new_orders', 'updated_orders', 'order_items_inserted']);
  });

  it('accepts rows as objects and as arrays in one request', async () => {
    const response = await service.importRows([
      { receipt_id: 'mixed-1', transaction_id: '1', title: 'Named', sale_date: '1/2/2026' },
      createExportRow({ 1: 'By position', 13: '2', 15: '01/02/2026', 24: 'mixed-2' }),
      ['', 'Short row', '', 2, '1.50'].concat(Array(19).fill(''), ['mixed-2']),
    ]);
    expect(response.json).toEqual(makeSuccessBody(2, 0, 3));
    const order = await readStoredOrder(service.database, 'mixed-2');
    expect(order.items.map((item) => [item.title, item.quantity, item.price])).toEqual([
      ['By position', null, null],
      ['Short row', 2, 1.5],
    ]);
  });

  it('imports nothing from a header alone', async () => {
    const response = await service.importRows([HEADER], { excel_format: true });
    expect(response.status).toBe(200);
    expect(response.json).toEqual(makeSuccessBody(0, 0, 0));
  });

  it('accepts a column header in another letter case and with spaces around it', async () => {
    const otherHeader = HEADER.with(2, '  bUYER ');
    expect((await service.importRows([otherHeader], { excel_format: true })).status).toBe(200);
  });

  it('skips blank rows of an export', async () => {
    const rows = [HEADER, createExportRow({}), createExportRow({ 24: 'blank-1' }), [null, '  ', null]];
    expect((await service.importRows(rows, { excel_format: true })).json).toEqual(makeSuccessBody(1, 0, 1));
  });

  it('reads columns by name if Order ID is not in its usual column, and keeps unknown columns in extra', async () => {
    const header = HEADER.filter((name) => name !== 'Ship Address2').concat('Gift Note');
    const values: Record<string, unknown> = {
      Buyer: 'Ann',
      'Item Name': 'Shifted',
      'Transaction ID': '77',
      'Date Paid': '02/03/2026',
      'Order ID': 'shifted-1',
      'Ship City': 'Utrecht',
      'Ship Country': 'The Netherlands',
      'Gift Note': 'Hello',
      SKU: '007',
    };
    const row = header.map((name) => values[name] ?? '');
    expect((await service.importRows([header, row], { excel_format: true })).json).toEqual(
      makeSuccessBody(1, 0, 1),
    );
    const order = await readStoredOrder(service.database, 'shifted-1');
    expect(order).toMatchObject({
      city: 'Utrecht',
      country_code: 'NL',
      sale_date: '2026-02-03T05:00:00Z',
      second_line: null,
    });
    expect(order.items[0]).toMatchObject({ title: 'Shifted', sku: '007', extra: { 'Gift Note': 'Hello' } });
  });

  it('keeps unknown names and columns beyond 32 in the item’s extra', async () => {
    await service.importRows([
      { receipt_id: 'extra-1', colour: 'red', rush: true, blank: '', constructor: 'c' },
      createExportRow({ 24: 'extra-2', 33: 'past' }, 34),
    ]);
    expect((await readStoredOrder(service.database, 'extra-1')).items[0]!.extra).toEqual({
      colour: 'red',
      rush: true,
      constructor: 'c',
    });
    expect((await readStoredOrder(service.database, 'extra-2')).items[0]!.extra).toEqual({
      column_33: 'past',
    });
  });

  it('keeps a country that matches nothing as text, and reports it in the history', async () => {
    await service.importRows([{ receipt_id: 'country-1', country_name: 'Atlantis' }]);
    expect(await readStoredOrder(service.database, 'country-1')).toMatchObject({
      country_name: 'Atlantis',
      country_code: null,
    });
    const [issue] = await service.database.query(
      `SELECT i.severity, i.path, i.reason, i."values" FROM import_issues i ORDER BY import_id DESC LIMIT 1`,
    );
    expect(issue).toEqual({
      severity: 'warning',
      path: 'rows.0.country_name',
      reason: 'cell.country',
      values: { value: 'Atlantis' },
    });
  });

  it.each([
    ['the stored name', 'united STATES', 'US'],
    ['an alias', 'The Netherlands', 'NL'],
    ['a modern name', 'Türkiye', 'TR'],
    ['an older name', 'Turkey', 'TR'],
    ['its code', 'de', 'DE'],
  ])('matches a country by %s', async (_, name, code) => {
    await service.importRows([{ receipt_id: `match-${code}-${name.length}`, country_name: name }]);
    expect(await readStoredOrder(service.database, `match-${code}-${name.length}`)).toMatchObject({
      country_code: code,
    });
  });

  it('decodes HTML entities once in rows that are arrays and never in rows that are objects', async () => {
    await service.importRows([
      createExportRow({ 17: 'O&#39;Neil &amp;amp; Sons', 24: 'entity-1' }),
      { receipt_id: 'entity-2', name: 'O&#39;Neil' },
    ]);
    expect((await readStoredOrder(service.database, 'entity-1')).name).toBe("O'Neil &amp; Sons");
    expect((await readStoredOrder(service.database, 'entity-2')).name).toBe('O&#39;Neil');
  });

  it('stores hostile text unchanged', async () => {
    const title = `'; DROP TABLE orders; -- "\\ ‮ 😀 <script> {{7*7}} $1 \u2028 %s`;
    await service.importRows([{ receipt_id: 'hostile-1', title, note: 'line\r\nbreak\ttab' }]);
    const order = await readStoredOrder(service.database, 'hostile-1');
    expect(order.items[0]!.title).toBe(title);
    expect(order.note).toBe('line\r\nbreak\ttab');
  });

  it('accepts a byte order mark and the content type application/json; charset=utf-8', async () => {
    const body = `\uFEFF${JSON.stringify({ account_id: service.shopId, rows: [{ receipt_id: 'bom-1' }] })}`;
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    expect((await service.send('/api/orders/import', { body, headers })).json).toEqual(
      makeSuccessBody(1, 0, 1),
    );
  });

  it('records the shop, source, actor, counts and outcome of an import', async () => {
    await service.importRows([{ receipt_id: 'history-1', sold_on: 'soon' }]);
    const [row] = await service.database.query(
      `SELECT i.*, k.name AS key_name FROM imports i JOIN api_keys k ON k.id = i.api_key_id ORDER BY i.id DESC LIMIT 1`,
    );
    expect(row).toMatchObject({
      shop_id: service.shopId,
      source: 'api',
      outcome: 'succeeded',
      actor: 'test key',
      key_name: 'test key',
      rows: 1,
      new_orders: 1,
      updated_orders: 0,
      items_inserted: 1,
      warnings: 1,
      errors: 0,
    });
    expect(row!.content_hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
