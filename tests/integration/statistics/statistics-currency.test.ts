import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShop } from '../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let admin: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  admin = await createSignedInUser(service, 'admin');
  for (const [shopId, currency] of [
    ['us-1', 'USD'],
    ['us-2', 'USD'],
    ['uk-1', 'GBP'],
    ['none', undefined],
  ] as const)
    await createShop(service.app.services.db, TEST_ACTOR, { name: `Shop ${shopId}`, shopId, currency });
  for (const [shop_id, ad_spend, ad_revenue, total_visits] of [
    ['us-1', 1, 4, 10],
    ['us-2', 2, 2, 20],
    ['uk-1', 5, 50, 30],
    ['none', 100, 100, 40],
  ]) {
    await sendStatistics({
      shop_id,
      date: '2026-05-01',
      ad_spend,
      ad_revenue,
      total_revenue: 100,
      total_visits,
    });
    const listingDay = { listing_id: 7, shop_id, date: '2026-05-01', spent_total: ad_spend, ad_revenue };
    await sendStatistics({ ...listingDay, revenue: 1 }, 'product');
  }
});
afterAll(() => service.close());

const sendStatistics = (body: object, kind = 'shop') => service.send(`/api/${kind}-statistics`, { body });
const RANGE = { from: '2026-05-01', to: '2026-05-31' };
const readSeries = async (shop_ids?: string[]) =>
  (await admin.call('statistics.shopSeries', { ...RANGE, ...(shop_ids ? { shop_ids } : {}) })).data;

describe('amounts', () => {
  it('in several currencies are never added together, only within each currency; shops without a currency are named', async () => {
    const data = await readSeries();
    expect(data.together.total).toMatchObject({
      total_visits: 100,
      ad_spend: null,
      ad_revenue: null,
      ad_revenue_ratio: null,
      currency: null,
    });
    expect(data.together.days[0]).toMatchObject({ total_visits: 100, total_revenue: null });
    expect(data.by_currency.map(({ currency, total }: never) => [currency, total])).toEqual([
      ['USD', expect.objectContaining({ ad_spend: 3, ad_revenue: 6, ad_revenue_ratio: 3, rows: 2 })],
      ['GBP', expect.objectContaining({ ad_spend: 5, ad_revenue: 50, rows: 1 })],
    ]);
    expect(data.by_currency[0].days).toEqual([expect.objectContaining({ date: '2026-05-01', ad_spend: 3 })]);
    expect(data.without_currency).toEqual(['none']);
  });

  it('are shown with the currency of the largest revenue first, however many days the others have', async () => {
    const days = ['2026-07-01', '2026-07-02'];
    for (const date of days) await sendStatistics({ shop_id: 'us-1', date, total_revenue: 1 });
    await sendStatistics({ shop_id: 'uk-1', date: days[0], total_revenue: 500 });
    const { data } = await admin.call('statistics.shopSeries', { from: days[0], to: days[1] });
    expect(data.by_currency.map(({ currency }: never) => currency)).toEqual(['GBP', 'USD']);
  });

  it('are added together if they are in one currency or belong to one shop', async () => {
    expect((await readSeries(['us-1', 'us-2'])).together.total).toMatchObject({
      currency: 'USD',
      ad_spend: 3,
    });
    const seriesWithoutCurrency = await readSeries(['none']);
    expect(seriesWithoutCurrency.together.total).toMatchObject({ currency: null, ad_spend: 100 });
    expect(seriesWithoutCurrency.shops[0].total).toMatchObject({ currency: null, ad_spend: 100 });
  });

  it('in several currencies result in no sum and no ROAS for a listing either', async () => {
    const [listingOfAllShops] = (await admin.call('statistics.topListings', RANGE)).data;
    expect(listingOfAllShops).toMatchObject({ revenue: null, roas: null, currency: null, rows: 4 });
    const dollarInput = { ...RANGE, shop_ids: ['us-1', 'us-2'] };
    const [listing] = (await admin.call('statistics.topListings', dollarInput)).data;
    expect(listing).toMatchObject({ revenue: 2, spent_total: 3, ad_revenue: 6, roas: 2, currency: 'USD' });
  });
});

describe('an identifier', () => {
  it('is trimmed, so that spaces do not create another shop', async () => {
    const day = { date: '2026-06-01', total_orders: 1 };
    expect((await sendStatistics({ shop_id: ' us-1\t', ...day })).json.data).toMatchObject({
      shop_id: 'us-1',
      created: true,
    });
    expect((await sendStatistics({ shop_id: 'us-1', ...day })).json.data.created).toBe(false);
    const csv = 'shop_id,date,total_orders\n" us-1 ",2026-06-01,3\n';
    const importResponse = await admin.call('statistics.importDays', { kind: 'shop', csv });
    expect(importResponse.data).toEqual({ inserted: 0, updated: 1, unchanged: 0 });
    const duplicateResponse = await admin.call('statistics.importDays', {
      kind: 'shop',
      csv: 'shop_id,date\nus-1,2026-06-01\n" us-1",2026-06-01\n',
    });
    expect([duplicateResponse.status, duplicateResponse.error?.problems[0]?.message]).toEqual([
      422,
      'is already on line 2',
    ]);
  });

  it.each(['shop', 'product'])('is refused by the %s statistics if it is blank', async (kind) => {
    const response = await sendStatistics({ shop_id: ' \u00a0', date: '2026-06-01', listing_id: 1 }, kind);
    expect(response.status).toBe(422);
    expect(response.json.errors).toEqual([{ path: 'shop_id', message: 'must not be empty' }]);
  });

  it('is refused if it is blank, whether it names a shop, a product or an order', async () => {
    const row = { receipt_id: ' ', tracking_number: ' ' };
    for (const [procedure, input, field] of [
      ['shops.create', { name: ' ' }, 'name'],
      ['shops.create', { name: 'Fine', shop_id: ' ' }, 'shop_id'],
      ['catalog.createProduct', { code: ' ', category_id: 1 }, 'code'],
      ['orders.setTracking', { shop_id: service.shopId, rows: [row] }, 'rows.0.receipt_id'],
      ['statistics.shopSeries', { shop_ids: [' '], ...RANGE }, 'shop_ids.0'],
    ] as const) {
      const response = await admin.call(procedure, input);
      expect([procedure, response.status, response.error?.problems[0]?.path]).toEqual([
        procedure,
        422,
        field,
      ]);
    }
  });
});

describe("a shop's time zone", () => {
  it('determines when its days are over', async () => {
    const { id } = (
      await admin.call('shops.create', { name: 'Far', shop_id: 'far', time_zone: 'Pacific/Kiritimati' })
    ).data;
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
    const dateDaysAgo = (days: number) =>
      new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
    await sendStatistics({ shop_id: 'far', date: dateDaysAgo(2), total_orders: 1 });
    const readMissingShops = async () =>
      (await admin.call('overview.read', { from: today, to: today, shops: [id] })).data.attention
        .statistics_missing;
    expect(await readMissingShops()).toEqual([{ id, name: 'Far', shop_id: 'far' }]);
    const monthsInput = { from: dateDaysAgo(2).slice(0, 7), to: today.slice(0, 7), shop_ids: ['far'] };
    const [calendar] = (await admin.call('statistics.missingDays', monthsInput)).data;
    expect(calendar.missing).toEqual([dateDaysAgo(1)]);
    await sendStatistics({ shop_id: 'far', date: dateDaysAgo(1), total_orders: 1 });
    expect(await readMissingShops()).toEqual([]);
  });

  it.each(['Mars/Olympus', '+02:00', ' '])('is refused if it is %j', async (time_zone) => {
    const response = await admin.call('shops.create', { name: 'Zone', time_zone });
    expect([response.status, response.error?.problems[0]?.path]).toEqual([422, 'time_zone']);
  });
});

describe("a shop's currency", () => {
  it.each(['XXX', 'Taler', '£', ''])('is refused if it is %j', async (currency) => {
    const response = await admin.call('shops.create', { name: 'Currency', currency });
    expect([response.status, response.error?.problems[0]?.path]).toEqual([422, 'currency']);
  });
});
