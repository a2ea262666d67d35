import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

const FORMULA = '=HYPERLINK("http://x")';
const dateInAugust = (dayOfMonth: number) => `2026-08-${String(dayOfMonth).padStart(2, '0')}`;
const RANGE = { from: dateInAugust(1), to: dateInAugust(31) };
const COLUMNS = ['date', 'shop', 'total_orders', 'total_revenue', 'conversion_rate'];

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
  const owner = await createSignedInUser(service, 'owner');
  await owner.call('shops.create', { name: FORMULA, shop_id: 'fox', currency: 'GBP' });
  await owner.call('shops.create', { name: 'Owl', shop_id: 'owl', currency: 'USD' });
  const sendStatistics = async (path: string, body: object) =>
    expect((await service.send(path, { body })).status).toBe(200);
  // More days than a page of the list has.
  for (let dayOfMonth = 1; dayOfMonth <= 31; dayOfMonth++)
    for (const [shop_id, orderCount] of [
      ['fox', dayOfMonth],
      ['owl', 100 - dayOfMonth],
    ] as const)
      await sendStatistics('/api/shop-statistics', {
        shop_id,
        date: dateInAugust(dayOfMonth),
        total_orders: orderCount,
        total_revenue: 1_234.5,
        total_visits: 100,
        conversion_rate: 7.3456,
      });
  const sharedFields = { shop_id: 'fox', date: dateInAugust(1), ad_revenue: 30, roas: 2.5 };
  await sendStatistics('/api/product-statistics', {
    ...sharedFields,
    listing_id: 11,
    revenue: 40,
    spent_total: 50.25,
  });
  await sendStatistics('/api/product-statistics', {
    ...sharedFields,
    listing_id: 12,
    revenue: 90,
    spent_total: 12,
  });
  await sendStatistics('/api/product-statistics', { ...sharedFields, listing_id: 13 });
  await service.importRows([
    { receipt_id: '1', listing_id: '12', title: FORMULA, quantity: 1, item_total: '5', currency: 'GBP' },
  ]);
});
afterAll(() => service.close());

interface TableRequest {
  path: string;
  input: object;
  columns?: string[];
  format?: 'csv' | 'xlsx';
  language?: string;
  zone?: string;
}

const requestTable = (
  user: SignedInUser,
  { path, input, columns = [], format = 'csv', ...options }: TableRequest,
) => {
  const query = new URLSearchParams([
    ['format', format],
    ...Object.entries(options),
    ...columns.map((column) => ['column', column]),
    ['input', JSON.stringify(input)],
  ]);
  return fetch(`${service.url}/api/downloads/${path}?${query}`, { headers: { Cookie: user.cookie } });
};

async function downloadTable(request: TableRequest): Promise<Buffer> {
  const response = await requestTable(viewer, request);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const downloadRows = async (request: TableRequest) =>
  parse(await downloadTable(request), { bom: true }) as string[][];

/** Returns the days of all pages of the list. */
async function readAllDays(procedure: string, input: object): Promise<Record<string, unknown>[]> {
  const days = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await viewer.call(procedure, { ...input, ...(cursor ? { cursor } : {}), limit: 20 });
    days.push(...data.days);
    cursor = data.next;
  }
  return days;
}

describe('a table of days', () => {
  it.each([
    { ...RANGE },
    { ...RANGE, shop_ids: ['owl'], sort: 'total_orders', direction: 'asc' },
    { from: dateInAugust(5), to: dateInAugust(7), sort: 'shop_id', direction: 'desc' },
  ])('has the rows of all pages of the list, in the same order: %j', async (input) => {
    const listedDays = await readAllDays('statistics.shopDays', input);
    const [, ...rows] = await downloadRows({ path: 'shop-days', input, columns: COLUMNS });
    const shopNameById = { fox: `'${FORMULA}`, owl: 'Owl' };
    expect(rows.map(([date, shop, orders]) => [date, shop, orders])).toEqual(
      listedDays.map(({ date, shop_id, total_orders }) => [
        date,
        shopNameById[shop_id as keyof typeof shopNameById],
        String(total_orders),
      ]),
    );
  });

  it('in CSV has a byte order mark, exact numbers, percentages and the currency', async () => {
    const input = { ...RANGE, shop_ids: ['fox'], sort: 'date', direction: 'asc' };
    const bytes = await downloadTable({ path: 'shop-days', input, columns: COLUMNS });
    expect(bytes.toString('utf8').startsWith('\ufeff"Day","Shop"')).toBe(true);
    expect((await downloadRows({ path: 'shop-days', input, columns: COLUMNS })).slice(0, 2)).toEqual([
      ['Day', 'Shop', 'Orders', 'Revenue', 'Conversion', 'Currency'],
      [dateInAugust(1), `'${FORMULA}`, '1', '1234.5', '7.3456%', 'GBP'],
    ]);
  });

  it('as a workbook has real numbers, rates and dates, a frozen header and column widths', async () => {
    const input = { ...RANGE, shop_ids: ['fox'], sort: 'date', direction: 'asc' };
    const bytes = await downloadTable({ path: 'shop-days', input, columns: COLUMNS, format: 'xlsx' });
    const [header, firstRow] = await readSheet(bytes);
    expect(header).toEqual(['Day', 'Shop', 'Orders', 'Revenue', 'Conversion', 'Currency']);
    expect(firstRow).toEqual([
      new Date(`${dateInAugust(1)}T00:00:00Z`),
      FORMULA,
      1,
      1_234.5,
      0.073456,
      'GBP',
    ]);
    const zipEntries = unzipSync(bytes);
    const sheetXml = strFromU8(zipEntries['xl/worksheets/sheet1.xml']!);
    expect(sheetXml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheetXml).toContain('<col min="1" max="1" width="12" customWidth="1"/>');
    expect(sheetXml).not.toContain('<f');
    const stylesXml = strFromU8(zipEntries['xl/styles.xml']!);
    const formatOf = (cell: string) => {
      const styleIndex = Number(new RegExp(`r="${cell}" s="(\\d+)"`).exec(sheetXml)![1]);
      return /numFmtId="(\d+)"/.exec(
        stylesXml.slice(stylesXml.indexOf('<cellXfs')).split('<xf')[styleIndex + 1]!,
      )![1];
    };
    // Number format 10 is 0.00%.
    expect(formatOf('E2')).toBe('10');
  });

  it('has only the requested columns, and no currency without an amount', async () => {
    const input = { ...RANGE, shop_ids: ['owl'] };
    const [header] = await downloadRows({ path: 'shop-days', input, columns: ['date', 'total_orders'] });
    expect(header).toEqual(['Day', 'Orders']);
  });

  it('is in the reader’s language and time zone', async () => {
    await service.database.query(`UPDATE shop_daily_statistics SET updated_at = '2026-08-22T16:30:00Z'`);
    const input = { from: dateInAugust(1), to: dateInAugust(1), shop_ids: ['owl'] };
    const columns = ['date', 'total_revenue', 'conversion_rate', 'updated'];
    const options = { language: 'zh', zone: 'Asia/Shanghai' };
    expect(await downloadRows({ path: 'shop-days', input, columns, ...options })).toEqual([
      ['日期', '销售额', '转化率', '更新时间 (Asia/Shanghai)', '币种'],
      [dateInAugust(1), '1234.5', '7.3456%', '2026-08-23 00:30', 'USD'],
    ]);
  });

  it('of one listing has only the days of that listing', async () => {
    const input = { ...RANGE, listing_ids: [12] };
    expect(
      await downloadRows({ path: 'listing-days', input, columns: ['date', 'shop', 'roas', 'revenue'] }),
    ).toEqual([
      ['Day', 'Shop', 'ROAS', 'Revenue', 'Currency'],
      [dateInAugust(1), `'${FORMULA}`, '2.5', '90', 'GBP'],
    ]);
  });
});

describe('the table of listings', () => {
  const columns = ['title', 'id', 'shop', 'profit', 'roas'];

  it('has the listings that the page shows, in the same order', async () => {
    const input = { ...RANGE, sort: 'profit', direction: 'asc', limit: 2 };
    expect(await downloadRows({ path: 'listings', input, columns })).toEqual([
      ['Listing', 'Listing ID', 'Shop', 'Profit after ads', 'ROAS', 'Currency'],
      ['Listing 11', '11', `'${FORMULA}`, '-10.25', '0.597', 'GBP'],
      [`'${FORMULA}`, '12', `'${FORMULA}`, '78', '2.5', 'GBP'],
    ]);
  });

  it('leaves missing figures blank and shows losses as negative numbers', async () => {
    const input = { ...RANGE, sort: 'profit', direction: 'asc', limit: 100 };
    const rows = await readSheet(
      await downloadTable({ path: 'listings', input, columns, format: 'xlsx', language: 'zh' }),
    );
    expect(rows.slice(1).map(([title, id, , profit]) => [title, id, profit])).toEqual([
      ['链接 11', '11', -10.25],
      [FORMULA, '12', 78],
      ['链接 13', '13', null],
    ]);
  });
});

describe('a download', () => {
  it.each([
    ['shop-days', RANGE],
    ['listing-days', RANGE],
    ['listings', RANGE],
    ['countries', RANGE],
  ])('of %s works only for signed-in users, and only from our own pages', async (path, input) => {
    const query = new URLSearchParams({ format: 'csv', input: JSON.stringify(input) });
    const url = `${service.url}/api/downloads/${path}?${query}`;
    const requestStatus = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
    expect(await requestStatus({ Cookie: viewer.cookie })).toBe(200);
    expect(await requestStatus({})).toBe(401);
    expect(await requestStatus({ Cookie: viewer.cookie, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  });

  it.each([
    [{ path: 'shop-days', input: { shops: [1] } }, 'input'],
    [{ path: 'shop-days', input: RANGE, columns: ['password'] }, 'column'],
    [{ path: 'listings', input: { from: dateInAugust(2), to: dateInAugust(1) } }, 'input'],
    [{ path: 'shop-days', input: RANGE, zone: 'Mars/Olympus' }, 'zone'],
  ])('refuses an invalid input, column or zone: %j', async (table, field) => {
    const response = await requestTable(viewer, table);
    expect(response.status).toBe(422);
    expect(JSON.stringify(await response.json())).toContain(field);
  });
});
