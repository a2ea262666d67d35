import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDeliveries } from '../../../src/server/overview/deliveries-service';
import { COUNTRY_COLUMNS } from '../../../src/server/overview/schema';
import { readOverview } from '../../../src/server/overview/service';
import { createShop } from '../../../src/server/shops/account-service';
import { type SignedIn, signedInAs } from '../../support/service/person';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let dollars: number;
let pounds: number;
let viewer: SignedIn;

beforeAll(async () => {
  service = await startTestService();
  viewer = await signedInAs(service, 'viewer');
  dollars = service.accountId;
  const other = { name: 'Owl', shopId: 'owl', currency: 'GBP' };
  pounds = (await createShop(service.app.services.db, TEST_ACTOR, other)).id;
  await service.database.query(`UPDATE shops SET currency = 'USD' WHERE id = $1`, [dollars]);
});
afterAll(() => service.close());
beforeEach(async () => {
  for (const table of ['orders', 'order_days', 'shop_daily_statistics', 'product_daily_statistics'])
    await service.database.query(`DELETE FROM ${table}`);
});

/** A day on which the whole range is over. */
const LATER = '2026-09-15T16:00:00Z';
const WEEK = { from: '2026-08-08', to: '2026-08-14' };

const read = async (range: { from: string; to: string; shops?: number[] } = WEEK, now = LATER) => {
  await service.app.services.search.settled();
  const reader = { userId: 1, hasCarrier: false, now: Date.parse(now) };
  return readOverview(service.app.services.db, range, reader);
};

let receipts = 0;
const order = (day: string, amount: string, more: object = {}) => ({
  receipt_id: `r${++receipts}`,
  title: 'Fox',
  item_total: amount,
  currency: 'USD',
  sale_date: day,
  ...more,
});
const sell = async (rows: object[], shop = dollars) => {
  const { status, text } = await service.importRows(rows, { account_id: shop });
  expect(status, text).toBe(200);
};
const report = async (date: string, more: object, shop_id = 'test-shop') => {
  const { status, text } = await service.send('/api/shop-statistics', { body: { shop_id, date, ...more } });
  expect(status, text).toBe(200);
};
const listing = (listing_id: number, more: object, shop_id = 'test-shop') =>
  service.send('/api/product-statistics', { body: { listing_id, shop_id, date: '2026-08-08', ...more } });

describe('the period before', () => {
  it('has as many days and ends just before the range, also across a change of the clocks', async () => {
    expect((await read()).period).toEqual({
      before_from: '2026-08-01',
      before_to: '2026-08-07',
      today: null,
    });
    await sell([
      order('3/7/2026 11:59 PM', '1'),
      order('3/8/2026', '2'),
      order('3/8/2026 11:59 PM', '4'),
      order('3/9/2026', '8'),
    ]);
    const { orders, currencies, days } = await read({ from: '2026-03-08', to: '2026-03-08' });
    expect(orders).toEqual({ value: 2, compared: 2, before: 1, change: 1 });
    expect(currencies).toMatchObject([
      { currency: 'USD', revenue: { value: '6', compared: '6', before: '1', change: 5 } },
    ]);
    expect(days).toMatchObject([{ day: '2026-03-08', before: '2026-03-07', orders: 2, orders_before: 1 }]);
  });

  it('gives each figure its change, to the cent, by currency and by shop', async () => {
    await sell([order('8/3/2026', '10.01'), order('8/7/2026', '9.99'), order('8/8/2026', '22.47')]);
    await sell(
      [order('8/1/2026', '40', { currency: 'GBP' }), order('8/14/2026', '30', { currency: 'GBP' })],
      pounds,
    );
    const data = await read();
    expect(data.orders).toEqual({ value: 2, compared: 2, before: 3, change: -0.3333 });
    expect(data.currencies).toMatchObject([
      {
        currency: 'GBP',
        revenue: { value: '30', before: '40', change: -0.25 },
        ad_spend: null,
        profit: null,
      },
      { currency: 'USD', revenue: { value: '22.47', before: '20', change: 0.1235 }, roas: null },
    ]);
    expect(data.shops).toMatchObject([
      { name: 'Owl', orders: { value: 1, before: 1, change: 0 }, revenue: [{ currency: 'GBP' }] },
      {
        name: 'Test shop',
        orders: { value: 1, before: 2, change: -0.5 },
        revenue: [{ currency: 'USD', revenue: { value: '22.47', change: 0.1235 } }],
        to_ship: 3,
      },
    ]);
    expect((await read({ ...WEEK, shops: [pounds] })).currencies).toMatchObject([{ currency: 'GBP' }]);
  });

  it('without orders gives no change, and neither does a range without any', async () => {
    await sell([order('8/8/2026', '5')]);
    expect((await read()).orders).toEqual({ value: 1, compared: 1, before: 0, change: null });
    const after = await read({ from: '2026-08-15', to: '2026-08-21' });
    expect(after.currencies).toMatchObject([
      { currency: 'USD', revenue: { value: '0', compared: '0', before: '5', change: -1 } },
    ]);
    const empty = await read({ from: '2025-08-08', to: '2025-08-14' });
    expect(empty.orders).toEqual({ value: 0, compared: 0, before: 0, change: null });
    expect(empty.currencies).toEqual([]);
    expect(JSON.stringify([after, empty])).not.toMatch(/NaN|Infinity/);
  });
});

describe('the day that is not over', () => {
  it('counts in the value, and is not compared, nor is the day a period earlier', async () => {
    await sell([
      order('8/1/2026', '10'),
      order('8/7/2026', '100'),
      order('8/8/2026', '15'),
      order('8/14/2026', '1'),
    ]);
    const data = await read(WEEK, '2026-08-15T03:59:00Z');
    expect(data.period.today).toBe('2026-08-14');
    expect(data.orders).toEqual({ value: 2, compared: 1, before: 1, change: 0 });
    expect(data.currencies[0]!.revenue).toEqual({ value: '16', compared: '15', before: '10', change: 0.5 });
    // A minute later it is over in New York.
    const next = await read(WEEK, '2026-08-15T04:00:00Z');
    expect(next.period.today).toBeNull();
    expect(next.currencies[0]!.revenue).toEqual({
      value: '16',
      compared: '16',
      before: '110',
      change: -0.8545,
    });
  });

  it('is not compared in the reports either', async () => {
    await report('2026-08-07', { ad_spend: 100 });
    await report('2026-08-14', { ad_spend: 1 });
    await report('2026-08-01', { ad_spend: 10 });
    await report('2026-08-08', { ad_spend: 20 });
    const [own] = (await read(WEEK, '2026-08-14T16:00:00Z')).currencies;
    expect(own!.ad_spend).toEqual({ value: '21', compared: '20', before: '10', change: 1 });
  });
});

describe('advertising', () => {
  it('is compared on the days whose report is there in both periods; ROAS on those with both amounts', async () => {
    await report('2026-08-01', { ad_spend: 10.5, ad_revenue: 42 });
    await report('2026-08-02', { ad_spend: 4 });
    await report('2026-08-08', { ad_spend: 21, ad_revenue: 63 });
    await report('2026-08-09', { ad_spend: 8, ad_revenue: 80 });
    await report('2026-08-10', { ad_spend: 1_000, ad_revenue: 1 });
    const [own] = (await read()).currencies;
    expect(own!.ad_spend).toEqual({ value: '1029', compared: '29', before: '14.5', change: 1 });
    expect(own!.roas).toEqual({ value: 0.1399, compared: 3, before: 4, change: -0.25 });
  });

  it('leaves as profit the revenue of the orders less the ad spend, on days with a report', async () => {
    await sell([
      order('8/1/2026', '50.55'),
      order('8/8/2026', '99.99'),
      order('8/9/2026', '7'),
      // Without a report the day has no profit; and an order in another currency is none of the shop's revenue.
      order('8/10/2026', '500'),
      order('8/8/2026', '300', { currency: 'EUR' }),
    ]);
    await report('2026-08-01', { ad_spend: 10.55 });
    await report('2026-08-08', { ad_spend: 19.99 });
    await report('2026-08-09', { ad_spend: 30 });
    await report('2026-08-10', { ad_revenue: 9 });
    await report('2026-08-08', { ad_spend: 3 }, 'owl');
    const { currencies, shops, days } = await read();
    const usd = currencies.find(({ currency }) => currency === 'USD')!;
    expect(usd.profit).toEqual({ value: '57', compared: '80', before: '40', change: 1 });
    expect(shops.find(({ id }) => id === dollars)!.profit).toEqual(usd.profit);
    expect(currencies.find(({ currency }) => currency === 'GBP')).toMatchObject({
      revenue: { value: '0' },
      profit: { value: '-3', compared: null, before: null, change: null },
    });
    expect(days[1]!.currencies).toMatchObject([{ currency: 'USD', ad_spend: '30', profit: '-23' }]);
    expect(days[2]!.currencies).toMatchObject([{ revenue: '500', ad_spend: null, profit: null }]);
  });

  it('has no percentage of a loss or of nothing', async () => {
    await report('2026-08-01', { ad_spend: 5, ad_revenue: 0 });
    await report('2026-08-08', { ad_spend: 0, ad_revenue: 0 });
    const [own] = (await read()).currencies;
    expect(own!.profit).toEqual({ value: '0', compared: '0', before: '-5', change: null });
    expect(own!.roas).toBeNull();
    expect(own!.ad_spend).toMatchObject({ value: '0', before: '5', change: -1 });
  });
});

describe('the reports of a shop', () => {
  const stateOf = async (now = LATER) => {
    const { id: _, report_days, missing_days } = (await read({ ...WEEK, shops: [dollars] }, now)).shops[0]!;
    return { report_days, missing_days };
  };

  it('are complete, miss days, or are not there at all', async () => {
    expect(await stateOf()).toEqual({ report_days: 0, missing_days: 0 });
    await report('2026-08-10', { total_orders: 1 });
    expect(await stateOf()).toEqual({ report_days: 1, missing_days: 4 });
    for (const day of ['11', '12', '14']) await report(`2026-08-${day}`, { total_orders: 1 });
    expect(await stateOf()).toEqual({ report_days: 4, missing_days: 1 });
    await report('2026-08-13', { total_orders: 1 });
    expect(await stateOf()).toEqual({ report_days: 5, missing_days: 0 });
  });

  it('miss no day that is not over in the time zone of the shop', async () => {
    await report('2026-08-10', { total_orders: 1 });
    expect(await stateOf('2026-08-12T03:00:00Z')).toEqual({ report_days: 1, missing_days: 0 });
    expect(await stateOf('2026-08-12T05:00:00Z')).toEqual({ report_days: 1, missing_days: 1 });
    await service.database.query(`UPDATE shops SET time_zone = 'Asia/Shanghai' WHERE id = $1`, [dollars]);
    expect(await stateOf('2026-08-12T03:00:00Z')).toEqual({ report_days: 1, missing_days: 1 });
    await service.database.query(`UPDATE shops SET time_zone = 'America/New_York' WHERE id = $1`, [dollars]);
  });
});

describe('the listings', () => {
  it('are ranked by profit in each currency, with those that lose most', async () => {
    for (let id = 1; id <= 7; id++)
      await listing(id, { revenue: 10 * id, spent_total: 1.05, ad_revenue: 2.1 });
    await listing(21, { revenue: 5, spent_total: 46.25, ad_revenue: 37 });
    await listing(22, { revenue: 0, spent_total: 0.01 });
    await listing(31, { revenue: 5 });
    await listing(41, { revenue: 9, spent_total: 3, ad_revenue: 0 }, 'owl');
    const { listings } = await read();
    expect(listings.map(({ currency, listings: all, losing }) => [currency, all, losing])).toEqual([
      ['GBP', 1, 0],
      ['USD', 9, 2],
    ]);
    expect(listings[1]!.shown.map(({ listing_id, profit, roas }) => [listing_id, profit, roas])).toEqual([
      [7, '68.95', 2],
      [6, '58.95', 2],
      [5, '48.95', 2],
      [4, '38.95', 2],
      [3, '28.95', 2],
      [22, '-0.01', null],
      [21, '-41.25', 0.8],
    ]);
  });
});

describe('the deliveries', () => {
  const scan = (tracking_number: string, status: string, time: string) =>
    service.send('/api/v1/tracks', { body: { event: 'x', data: { tracking_number, status, time } } });
  const deliveries = (range: object = WEEK, now = LATER) =>
    readDeliveries(service.app.services.db, { ...WEEK, ...range }, Date.parse(now));

  it('have their countries, and the median days on the way', async () => {
    const to = (country_name: string, tracking_number: string) => ({ country_name, tracking_number });
    await sell([
      order('8/2/2026', '1', to('Germany', 'D1')),
      order('8/8/2026', '1', to('Germany', 'D2')),
      order('8/9/2026', '1', to('Germany', 'D3')),
      order('8/9/2026', '1', to('France', 'F1')),
      order('8/8/2026', '1', { ...to('France', 'F2'), status: 'cancelled' }),
    ]);
    await service.database.query(
      `UPDATE orders SET status = 'cancelled' WHERE id = (SELECT order_id FROM shipments WHERE tracking_number = 'F2')`,
    );
    for (const [number, shipped, delivered] of [
      ['D1', '2026-08-03T10:00:00Z', '2026-08-07T10:00:00Z'],
      ['D2', '2026-08-09T10:00:00Z', '2026-08-11T10:00:00Z'],
      ['D3', '2026-08-09T22:00:00Z', '2026-08-14T10:00:00Z'],
      ['F1', '2026-08-10T10:00:00Z', '2026-08-14T10:00:00Z'],
    ] as const) {
      await scan(number, 'InfoReceived', '2026-08-01T10:00:00Z');
      await scan(number, 'InTransit', shipped);
      await scan(number, 'Delivered', delivered);
    }
    // Never seen in transit: it took no days.
    await scan('F2', 'Delivered', '2026-08-12T10:00:00Z');
    const data = await deliveries();
    expect(data).toMatchObject({
      time: { value: 4, before: 4, change: 0 },
      deliveries: 3,
    });
    expect(data.countries).toEqual([
      {
        country: 'DE',
        orders: { value: 2, compared: 2, before: 1, change: 1 },
        time: { value: 3.3, compared: 3.3, before: 4, change: -0.175 },
        deliveries: 2,
      },
      {
        country: 'FR',
        orders: { value: 1, compared: 1, before: 0, change: null },
        time: { value: 4, compared: 4, before: null, change: null },
        deliveries: 1,
      },
    ]);
    const table = async (language: string, input: object = WEEK) => {
      const query = new URLSearchParams({ format: 'csv', language, input: JSON.stringify(input) });
      for (const column of COUNTRY_COLUMNS) query.append('column', column);
      const response = await fetch(`${service.url}/api/downloads/countries?${query}`, {
        headers: { Cookie: viewer.cookie },
      });
      expect(response.status).toBe(200);
      return parse(await response.text(), { bom: true }) as string[][];
    };
    // The file has what the page shows, in the reader's language.
    expect(await table('en')).toEqual([
      ['Country', 'Orders', 'Change', 'Delivery time (days)', 'Change in time', 'Deliveries'],
      ['Germany', '2', '100%', '3.3', '-17.5%', '2'],
      ['France', '1', '', '4', '', '1'],
    ]);
    expect((await table('zh')).map(([country]) => country)).toEqual(['国家/地区', '德国', '法国']);
    expect(await table('en', { ...WEEK, shops: [pounds] })).toHaveLength(1);
    expect((await deliveries({ shops: [pounds] })).countries).toEqual([]);
    expect(await deliveries({ shops: [pounds] })).toMatchObject({ time: null, deliveries: 0 });
    const today = await deliveries({}, '2026-08-09T16:00:00Z');
    expect(today.countries[0]).toMatchObject({ orders: { value: 2, compared: 1, before: 0 } });
  });
});
