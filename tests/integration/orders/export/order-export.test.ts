import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbookStream } from '../../../../src/server/core/spreadsheet/workbook-stream';
import { createShop } from '../../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

const FORMULA_TITLE = '=HYPERLINK("http://x")';

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  await service.importRows([
    {
      receipt_id: '4165098857',
      title: FORMULA_TITLE,
      name: '+1 me',
      zip: '02134',
      sale_date: '8/22/2026',
      order_shipping: '4.5',
      country_name: 'US',
    },
    { receipt_id: '0002', title: 'a <b> & "c"\u0001\n第二', sale_date: '8/21/2026', country_name: 'Germany' },
    { receipt_id: '0003', title: 'T', sale_date: '8/20/2026', country_name: 'Germany' },
  ]);
});
afterAll(() => service.close());

const downloadOrders = (format: string, filter?: object, headers: Record<string, string> = {}) => {
  const query = new URLSearchParams({ format, ...(filter ? { filter: JSON.stringify(filter) } : {}) });
  return fetch(`${service.url}/api/downloads/orders?${query}`, {
    headers: { Cookie: viewer.cookie, ...headers },
  });
};

describe('a download of orders', () => {
  it('in CSV has exactly the orders that match the filter, in the order of the list, and its formulas are text', async () => {
    const response = await downloadOrders('csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const rows: Record<string, string>[] = parse(await response.text(), { columns: true });
    expect(rows.map((row) => row.receipt_id)).toEqual(['4165098857', '0002', '0003']);
    expect(rows[0]).toMatchObject({
      name: "'+1 me",
      zip: '02134',
      order_shipping: '4.5',
      country_code: 'US',
    });
    const filteredRows: Record<string, string>[] = parse(
      await (await downloadOrders('csv', { countries: ['DE'] })).text(),
      { columns: true },
    );
    expect(filteredRows.map((row) => row.receipt_id)).toEqual(['0002', '0003']);
  });

  it('as a workbook has the same columns and orders, and its formulas are text', async () => {
    const response = await downloadOrders('xlsx');
    expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet');
    const bytes = Buffer.from(await response.arrayBuffer());
    const [header, ...rows] = await readSheet(bytes);
    const csvRows: string[][] = parse(await (await downloadOrders('csv')).text());
    expect(header).toEqual(csvRows[0]);
    const columnOf = (name: string) => header!.indexOf(name);
    expect(rows.map((row) => row[columnOf('receipt_id')])).toEqual(['4165098857', '0002', '0003']);
    expect(rows[0]![columnOf('name')]).toBe('+1 me');
    expect(JSON.parse(String(rows[0]![columnOf('items')]))[0].title).toBe(FORMULA_TITLE);
    expect(strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!)).not.toContain('<f');
  });

  it('as a workbook has only complete JSON: a cell says if it is too long for that, and the CSV has it', async () => {
    const { id: shopId } = await createShop(service.app.services.db, TEST_ACTOR, { name: 'Long orders' });
    const rows = Array.from({ length: 80 }, (_, index) => ({
      receipt_id: 'long',
      transaction_id: String(index),
      title: 'Fox '.repeat(60),
      ...(index === 0 && { tracking_number: 'LX1CN' }),
    }));
    await service.importRows([...rows, { receipt_id: 'short', title: 'Fox' }], { account_id: shopId });
    const filter = { shops: [shopId] };
    const csvRows: Record<string, string>[] = parse(await (await downloadOrders('csv', filter)).text(), {
      columns: true,
    });
    const itemsOf = (receiptId: string) => csvRows.find((row) => row.receipt_id === receiptId)!.items!;
    expect(JSON.parse(itemsOf('long'))).toHaveLength(80);
    const workbook = await (await downloadOrders('xlsx', filter)).arrayBuffer();
    const [header, ...sheetRows] = await readSheet(Buffer.from(workbook));
    const cells = sheetRows.map((row) =>
      ['receipt_id', 'shipments', 'items'].map((name) => row[header!.indexOf(name)]),
    );
    expect(cells.toSorted()).toEqual([
      [
        'long',
        expect.stringMatching(/^\[\{.*"LX1CN".*\}\]$/),
        `Too long for a cell of a workbook (${itemsOf('long').length} characters). Export as CSV instead.`,
      ],
      ['short', '[]', itemsOf('short')],
    ]);
  });

  it('is refused without a session, from pages of other sites, and with an invalid format or filter', async () => {
    expect((await downloadOrders('csv', {}, { Cookie: '' })).status).toBe(401);
    expect((await downloadOrders('csv', {}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await downloadOrders('pdf')).status).toBe(422);
    expect((await downloadOrders('csv', { countries: ['Germany'] })).status).toBe(422);
    const response = await fetch(`${service.url}/api/downloads/orders?format=csv&filter={`, {
      headers: { Cookie: viewer.cookie },
    });
    expect([response.status, (await response.json()).errors[0].path]).toEqual([422, 'filter']);
  });
});

it('a workbook stream writes a workbook that can be read, whatever the cells contain', async () => {
  const chunks: Uint8Array[] = [];
  const workbook = openWorkbookStream('Any', async (chunk) => {
    chunks.push(chunk);
  });
  const cells = [
    'plain',
    '',
    null,
    ' spaced ',
    '0012',
    '1.91E+18',
    '<&>"\'',
    '第二行\nnext',
    '\u0000\u0001\ud800',
    'x'.repeat(40_000),
  ];
  await workbook.writeRows([cells]);
  for (let n = 0; n < 50; n++)
    await workbook.writeRows(Array.from({ length: 100 }, (_, row) => [`r${n}-${row}`]));
  await workbook.end();
  const rows = await readSheet(Buffer.concat(chunks), { trim: false });
  expect(rows).toHaveLength(5_001);
  expect(rows[0]!.slice(0, 8)).toEqual([
    'plain',
    null,
    null,
    ' spaced ',
    '0012',
    '1.91E+18',
    '<&>"\'',
    '第二行\nnext',
  ]);
  expect(rows[0]![8]).toBe('\ufffd\ufffd\ufffd');
  expect(String(rows[0]![9])).toHaveLength(32_767);
  expect(rows.at(-1)).toContain('r49-99');
});
