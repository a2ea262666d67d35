import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSpreadsheet } from '../../../../src/server/core/spreadsheet/spreadsheet';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

const FORMULA_TITLE = '=HYPERLINK("http://x")';

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  await service.importRows([
    {
      receipt_id: '4165098857',
      transaction_id: '1',
      title: FORMULA_TITLE,
      variations: 'Size:A3\nPersonalization:=1+1',
      quantity: 2,
      price: '4.49',
      item_total: '8.98',
      discount_amount: '1.1',
      currency: 'USD',
      sale_date: '8/22/2026 3:04 PM',
      order_shipping: '5',
      order_sales_tax: '0.36',
      name: '+1 me',
      zip: '02134',
      country_name: 'US',
      phone: '+1 617 555 0100',
    },
    {
      receipt_id: '4165098857',
      transaction_id: '2',
      title: 'Owl Magnet',
      sku: '007',
      quantity: 1,
      item_total: '0.0001',
      order_shipping: '0',
      tracking_number: 'LX1CN',
    },
    // Adds a shipment, and a blank item, which no export includes.
    { receipt_id: '4165098857', tracking_number: 'LX2CN' },
    {
      receipt_id: '0002',
      title: 'Pin',
      quantity: 3,
      item_total: '10',
      currency: 'GBP',
      sale_date: '8/21/2026',
    },
    {
      receipt_id: '0003',
      title: 'Pin',
      quantity: 4,
      item_total: '99',
      currency: 'Taler',
      sale_date: '8/20/2026',
    },
  ]);
});
afterAll(() => service.close());

const downloadOrders = async (query: Record<string, string>) => {
  const response = await fetch(`${service.url}/api/downloads/orders?${new URLSearchParams(query)}`, {
    headers: { Cookie: viewer.cookie },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

/** Downloads a CSV file and returns its rows, keyed by header. */
const downloadRows = async (query: Record<string, string>) =>
  parse(await downloadOrders({ format: 'csv', ...query }), { bom: true, columns: true }) as Record<
    string,
    string
  >[];

describe('a spreadsheet of orders', () => {
  it("has one row per item, with the order's amounts in its first row only", async () => {
    const rows = await downloadRows({ template: 'items' });
    const [firstRow, secondRow] = rows;
    expect(firstRow).toMatchObject({
      'Order number': '4165098857',
      'Sold (America/New_York)': '2026-08-22 15:04',
      Line: '1',
      Title: `'${FORMULA_TITLE}`,
      Shipping: '5',
      Value: '7.8801',
      'Paid by the buyer': '13.2401',
      Status: 'Shipped',
      'Postal code': '02134',
    });
    expect(secondRow).toMatchObject({
      'Order number': '4165098857',
      Line: '2',
      SKU: '007',
      'Item total': '0.0001',
      Shipping: '',
      Value: '',
      'Paid by the buyer': '',
      'Postal code': '02134',
      'Tracking number': 'LX1CN\nLX2CN',
    });
  });

  it('ends with a row of exact sums for each currency; amounts without a known currency are in no sum', async () => {
    const totals = (await downloadRows({ template: 'items' })).slice(-3);
    expect(
      totals.map((row) => [row['Order number'], row.Quantity, row['Item total'], row.Value, row.Price]),
    ).toEqual([
      ['Total (GBP)', '3', '10', '10', ''],
      ['Total (USD)', '3', '8.9801', '7.8801', ''],
      ['Total (unknown currency)', '4', '', '', ''],
    ]);
  });

  it('is in the reader’s language', async () => {
    const [row] = await downloadRows({ template: 'items', language: 'zh' });
    expect(row).toMatchObject({
      订单号: '4165098857',
      状态: '已发货',
      '销售时间 (America/New_York)': '2026-08-22 15:04',
    });
  });

  it('in CSV begins with a byte order mark and contains no formulas', async () => {
    const text = (await downloadOrders({ format: 'csv', template: 'items' })).toString('utf8');
    expect(text.startsWith('\ufeff"Order number"')).toBe(true);
    expect(text).toContain(`"'=HYPERLINK`);
    expect(text).toContain(`"'+1 me"`);
  });

  it('as a workbook has real numbers and dates, a frozen header and column widths', async () => {
    const bytes = await downloadOrders({ format: 'xlsx', template: 'items' });
    const [header, firstRow, , , , ...totals] = await readSheet(bytes);
    const columnOf = (name: string) => header!.indexOf(name);
    expect(firstRow![columnOf('Item total')]).toBe(8.98);
    expect(firstRow![columnOf('Quantity')]).toBe(2);
    expect(firstRow![columnOf('Sold (America/New_York)')]).toEqual(new Date('2026-08-22T15:04:00Z'));
    expect(firstRow![columnOf('Order number')]).toBe('4165098857');
    expect(firstRow![columnOf('Title')]).toBe(FORMULA_TITLE);
    expect(totals[1]![columnOf('Item total')]).toBe(8.9801);
    const sheetXml = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!);
    expect(sheetXml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheetXml).toContain('<col min="1" max="1" width="16" customWidth="1"/>');
    expect(sheetXml).not.toContain('<f');
    const { rows } = await readSpreadsheet({ name: 'orders.xlsx', bytes }, { maxBytes: 1e6 });
    expect(rows[1]![columnOf('Sold (America/New_York)')]).toBe('8/22/2026 15:04:00');
    expect(rows[1]![columnOf('Item total')]).toBe(8.98);
  });

  it('shows times in the time zone of its shop', async () => {
    await service.database.query(`UPDATE shops SET time_zone = 'Europe/London'`);
    const [row] = await downloadRows({ template: 'items' });
    expect(row!['Sold (Europe/London)']).toBe('2026-08-22 20:04');
    await service.database.query(`UPDATE shops SET time_zone = 'America/New_York'`);
  });

  it('for a forwarder has one row per order and no row of sums', async () => {
    const rows = await downloadRows({ template: 'forwarder' });
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual({
      'Order number': '4165098857',
      Recipient: "'+1 me",
      'Address line 1': '',
      'Address line 2': '',
      City: '',
      State: '',
      'Postal code': '02134',
      'Country code': 'US',
      Phone: "'+1 617 555 0100",
      Contents: `2 × ${FORMULA_TITLE} (Size:A3, Personalization:=1+1)\n1 × Owl Magnet`,
      Units: '3',
      'Weight (g)': '',
    });
  });

  it('for accounting has the amounts of each order once, and their sums', async () => {
    const rows = await downloadRows({ template: 'accounting' });
    expect(
      rows.map((row) => [
        row['Order number'],
        row['Items total'],
        row.Shipping,
        row['Sales tax'],
        row.Currency,
      ]),
    ).toEqual([
      ['4165098857', '8.9801', '5', '0.36', 'USD'],
      ['0002', '10', '', '', 'GBP'],
      ['0003', '99', '', '', 'Taler'],
      ['Total (GBP)', '10', '0', '0', 'GBP'],
      ['Total (USD)', '8.9801', '5', '0.36', 'USD'],
    ]);
  });

  it('has the selected orders that match the filter, and only a header if there are none', async () => {
    const orderRows = await service.database.query<{ id: string }>('SELECT id::text FROM orders ORDER BY id');
    const selectedRows = await downloadRows({
      template: 'forwarder',
      ids: [orderRows[1]!.id, orderRows[2]!.id].join('.'),
    });
    expect(selectedRows.map((row) => row['Order number'])).toEqual(['0002', '0003']);
    const narrowedRows = await downloadRows({
      template: 'forwarder',
      ids: orderRows.map(({ id }) => id).join('.'),
      filter: JSON.stringify({ statuses: ['shipped'] }),
    });
    expect(narrowedRows.map((row) => row['Order number'])).toEqual(['4165098857']);
    const emptyFile = await downloadOrders({
      format: 'csv',
      template: 'items',
      filter: '{"statuses":["cancelled"]}',
    });
    expect(emptyFile.toString('utf8').trim().split('\r\n')).toHaveLength(1);
  });

  it('counts an item without a quantity as one, for picking and for a forwarder, and ignores blank items', async () => {
    await service.importRows([
      { receipt_id: '0004', title: 'Owl Magnet', sale_date: '8/19/2026' },
      { receipt_id: '0004', tracking_number: 'LX4CN' },
    ]);
    const rows = await downloadRows({ template: 'forwarder' });
    expect(rows.at(-1)).toMatchObject({ 'Order number': '0004', Contents: '1 × Owl Magnet', Units: '1' });
    const pickRows = await downloadRows({ template: 'picking' });
    expect(pickRows.filter((row) => row['Order number'] === '0004').map((row) => row.Quantity)).toEqual([
      '1',
    ]);
  });
});
