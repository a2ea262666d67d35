import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExportRow, HEADER } from '../../../support/fixtures';
import { readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ IMPORT_MAX_ROWS: '500', IMPORT_MAX_BODY_BYTES: '300000' });
  await service.importRows([{ receipt_id: 'stored before' }]);
});
afterAll(() => service.close());

describe('422', () => {
  it('names every bad row and field, and stores nothing of the request', async () => {
    const ordersBefore = await readStoredOrders(service.database);
    const response = await service.importRows([
      { receipt_id: 'bad-1', quantity: 1 },
      { receipt_id: 'bad-2', quantity: -1, price: '12,00', sale_date: '31/12/2025' },
      { title: 'no receipt' },
    ]);
    expect(response.status).toBe(422);
    expect(response.json).toMatchObject({ success: false, code: 'validation_failed', error_count: 4 });
    expect(response.json.errors.map((error: { path: string }) => error.path).sort()).toEqual([
      'rows.1.price',
      'rows.1.quantity',
      'rows.1.sale_date',
      'rows.2.receipt_id',
    ]);
    expect(await readStoredOrders(service.database)).toEqual(ordersBefore);
  });

  it('comes for more rows than the documents allow: the OpenAPI document, the tool list and MCP state the configured number', async () => {
    const openApi = (await service.send('/docs/api/openapi.json')).json;
    const toolList = (await service.send('/docs/api/mcp-tools.json')).json;
    const mcp = await service.send('/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      headers: { Accept: 'application/json, text/event-stream' },
    });
    const rowsOf = (tools: { name: string; inputSchema: { properties: Record<string, object> } }[]) =>
      tools.find(({ name }) => name === 'post_api_orders_import')!.inputSchema.properties.rows;
    const requestBody = openApi.paths['/api/orders/import'].post.requestBody;
    for (const rows of [
      requestBody.content['application/json'].schema.properties.rows,
      rowsOf(toolList.tools),
      rowsOf(mcp.json.result.tools),
    ])
      expect(rows).toMatchObject({ minItems: 1, maxItems: 500 });
    const tooMany = Array.from({ length: 501 }, (_, index) => ({ receipt_id: `over-${index}` }));
    expect((await service.importRows(tooMany)).status).toBe(422);
  });

  it('lists the first hundred problems and says how many there are', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => ({ receipt_id: `many-${index}`, quantity: 'x' }));
    const { json } = await service.importRows(rows);
    expect(json.errors).toHaveLength(100);
    expect(json.error_count).toBe(150);
  });

  it.each<[string, Record<string, unknown>]>([
    ['the text 5.5 as a quantity', { quantity: '5.5' }],
    ['a quantity of true', { quantity: true }],
    ['a boolean price', { price: false }],
    ['an amount with bad thousands', { price: '1,2345' }],
    ['five decimals', { price: '1.23456' }],
    ['a date that does not exist', { sale_date: '02/30/2026' }],
    ['an ISO date and time without a time zone', { sale_date: '2026-01-02T03:04:05' }],
    ['a cell that is an object', { title: { a: 1 } }],
    ['a cell that is a list', { extra_name: [1] }],
    ['U+0000 in a text', { title: 'a\u0000b' }],
    ['U+0000 in an unknown name', { 'x\u0000y': 'v' }],
    ['half a surrogate pair', { title: '\ud800' }],
    ['an id beyond 2^53 as a number', { transaction_id: 2 ** 53 }],
    ['a receipt_id beyond 2^53 as a number', { receipt_id: 2 ** 63 }],
    ['a blank receipt_id', { receipt_id: '  ' }],
    ['a receipt_id that is only #', { receipt_id: '#' }],
    ['a text that is too long', { title: 'x'.repeat(2001) }],
  ])('refuses %s', async (_, cells) => {
    const { status, json } = await service.importRows([{ receipt_id: 'refused-1', ...cells }]);
    expect(status).toBe(422);
    expect(json.errors[0].path).toMatch(/^rows\.0\./);
  });

  it.each<[string, unknown, string]>([
    ['an unknown member', { account_id: 1, rows: [{ receipt_id: '1' }], foo: 1 }, 'foo'],
    ['__proto__ as a member', '{"account_id":1,"rows":[{"receipt_id":"1"}],"__proto__":{}}', '__proto__'],
    ['an account_id that is text', { account_id: '1', rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['a null account_id', { account_id: null, rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['a fractional account_id', { account_id: 1.5, rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['an account_id beyond 2^53', { account_id: 2 ** 60, rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['an account_id that no shop has', { account_id: 999999, rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['an account_id beyond 32 bits', { account_id: 2 ** 40, rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['no account_id', { rows: [{ receipt_id: '1' }] }, 'account_id'],
    ['a request without rows', { account_id: 1 }, 'rows'],
    ['an empty list of rows', { account_id: 1, rows: [] }, 'rows'],
    ['rows that are an object', { account_id: 1, rows: {} }, 'rows'],
    [
      'an excel_format that is text',
      { account_id: 1, rows: [{ receipt_id: '1' }], excel_format: 'false' },
      'excel_format',
    ],
    [
      'a null excel_format',
      { account_id: 1, rows: [{ receipt_id: '1' }], excel_format: null },
      'excel_format',
    ],
  ])('refuses %s', async (_, body, path) => {
    const { status, json } = await service.send('/api/orders/import', { body });
    expect(status).toBe(422);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('says once, and with the reason, what is wrong with a shop, an id or a date outside its bounds', async () => {
    const rows = [{ receipt_id: '1', listing_id: -5, sale_date: '1/1/1800' }];
    const { json } = await service.send('/api/orders/import', { body: { account_id: 0, rows } });
    expect(json.errors).toEqual([
      { path: 'account_id', message: 'must be at least 1' },
      { path: 'rows.0.listing_id', message: 'must be text or a whole number from 0' },
      { path: 'rows.0.sale_date', message: expect.stringMatching(/^must be a date from 1900 to 2199,/) },
    ]);
  });

  it.each([
    ['a list', '[1]'],
    ['null', 'null'],
    ['a number', '5'],
    ['a text', '"x"'],
    ['half JSON', '{"a":'],
    ['empty', ''],
  ])('refuses a body that is %s', async (_, body) => {
    const response = await service.send('/api/orders/import', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(response.json).toMatchObject({ success: false, code: 'validation_failed' });
  });

  it('refuses a body that is not UTF-8, saying so', async () => {
    const body = Buffer.concat([
      Buffer.from('{"account_id":1,"rows":[{"receipt_id":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}]}'),
    ]);
    const response = await service.send('/api/orders/import', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(response.json.message).toContain('UTF-8');
  });

  it('refuses one row more than the configured limit, but not as many as the limit', async () => {
    const makeRows = (length: number) =>
      Array.from({ length }, (_, index) => ({ receipt_id: `limit-${index}` }));
    const response = await service.importRows(makeRows(501));
    expect(response.status).toBe(422);
    expect(response.json.errors).toEqual([{ path: 'rows', message: expect.stringContaining('500') }]);
    expect((await service.importRows(makeRows(500))).json.data.new_orders).toBe(500);
  });

  it('refuses an excel_format request whose first row is not the header of the right export', async () => {
    const otherHeader = HEADER.with(2, 'Customer');
    const response = await service.importRows([otherHeader, createExportRow({ 24: 'x' })], {
      excel_format: true,
    });
    expect(response.status).toBe(422);
    expect(response.json.errors[0].path).toBe('rows.0.2');
  });

  it('says which export to download if the rows come from another one', async () => {
    const soldOrdersHeader = ['Sale Date', 'Order ID', 'Buyer User ID', 'Full Name'];
    const response = await service.importRows([soldOrdersHeader, ['1/2/26', '1', 'a', 'b']], {
      excel_format: true,
    });
    expect(response.status).toBe(422);
    expect(response.json.message).toContain('Sold order items');
  });

  it('refuses objects among the rows of an excel_format request', async () => {
    const response = await service.importRows([HEADER, { receipt_id: '1' }], { excel_format: true });
    expect(response.status).toBe(422);
    expect(response.json.errors[0].path).toBe('rows.1');
  });

  it('records the refused import with its problems', async () => {
    await service.importRows([{ receipt_id: 'r', quantity: 'x' }]);
    const [row] = await service.database.query(
      `SELECT i.outcome, i.errors, s.path FROM imports i JOIN import_issues s ON s.shop_id = i.shop_id AND s.import_id = i.id ORDER BY i.id DESC LIMIT 1`,
    );
    expect(row).toEqual({ outcome: 'rejected', errors: 1, path: 'rows.0.quantity' });
  });
});
