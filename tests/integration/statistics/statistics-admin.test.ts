import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTING_FIELDS } from '../../../src/server/statistics/fields';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const sendShopDay = (shopId: string, date: string, members: Record<string, unknown> = {}) =>
  service.send('/api/shop-statistics', { body: { shop_id: shopId, date, ...members } });
const sendListingDay = (
  listingId: number,
  shopId: string,
  date: string,
  members: Record<string, unknown> = {},
) =>
  service.send('/api/product-statistics', {
    body: { listing_id: listingId, shop_id: shopId, date, ...members },
  });
const problemPathsOf = (response: { error: { problems: { path: string; message: string }[] } | null }) =>
  response.error?.problems.map(({ path }) => path);
const datesInMarch = (firstDay: number, dayCount: number) =>
  Array.from({ length: dayCount }, (_, n) => `2026-03-${String(firstDay + n).padStart(2, '0')}`);

describe('the list of days', () => {
  it('shows every row exactly once, page by page, in any order, even with missing and equal values', async () => {
    for (const [index, date] of datesInMarch(1, 9).entries()) {
      const figures = index % 3 === 0 ? {} : { total_revenue: (index % 2) * 10.5 };
      await sendShopDay('list-a', date, figures);
      await sendShopDay('list-b', date, figures);
    }
    for (const sort of ['date', 'shop_id', 'total_revenue'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const pagedDays: Record<string, unknown>[] = [];
        let cursor: string | undefined;
        do {
          const input = { shop_ids: ['list-a', 'list-b'], sort, direction, limit: 5, cursor };
          const { status, data, error } = await viewer.call('statistics.shopDays', input);
          expect(status, error?.message).toBe(200);
          pagedDays.push(...data.days);
          cursor = data.next ?? undefined;
        } while (cursor);
        expect(pagedDays).toHaveLength(18);
        expect(new Set(pagedDays.map((day) => `${day.shop_id} ${day.date}`)).size).toBe(18);
        const values = pagedDays.map((day) => day[sort]);
        const presentValues = values.filter((value) => value !== null) as (string | number)[];
        const sortedValues = presentValues.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(presentValues).toEqual(direction === 'asc' ? sortedValues : sortedValues.reverse());
        // Missing values come last in either direction.
        expect(values.slice(presentValues.length).every((value) => value === null)).toBe(true);
      }
    }
  });

  it('immediately shows what the API stores', async () => {
    await sendListingDay(501, 'list-c', '2026-03-01', { visits: 4, roas: 1.25, mood: 'good' });
    const { data } = await viewer.call('statistics.listingDays', { listing_ids: [501] });
    expect(data.next).toBeNull();
    expect(data.days).toMatchObject([
      { listing_id: 501, shop_id: 'list-c', date: '2026-03-01', visits: 4, roas: 1.25, orders: null },
    ]);
    expect(data.days[0].extra).toEqual({ mood: 'good' });
    await sendListingDay(501, 'list-c', '2026-03-01', { visits: 5 });
    expect((await viewer.call('statistics.listingDays', { listing_ids: [501] })).data.days[0].visits).toBe(5);
  });

  it.each([
    [{ from: '2026-02-30' }, 'from'],
    [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
    [{ sort: 'mood' }, 'sort'],
    [{ sort: 'updated_at; DROP TABLE users' }, 'sort'],
    [{ shop_ids: [] }, 'shop_ids'],
    [{ shop_ids: ['x'.repeat(51)] }, 'shop_ids.0'],
    [{ shop_ids: ['\u0000'] }, 'shop_ids.0'],
    [{ limit: 201 }, 'limit'],
    [{ cursor: 'nonsense' }, 'cursor'],
    [
      { cursor: Buffer.from('["shop-statistics date desc","2026-02-31","x"]').toString('base64url') },
      'cursor',
    ],
    [{ cursor: Buffer.from('["shop-statistics date desc","2026-02-01"]').toString('base64url') }, 'cursor'],
    [
      { cursor: Buffer.from('["shop-statistics date asc","2026-02-01","x"]').toString('base64url') },
      'cursor',
    ],
    [{ more: 1 }, 'more'],
  ])('refuses %j, naming %s', async (input, path) => {
    const response = await viewer.call('statistics.shopDays', input);
    expect([response.status, problemPathsOf(response)]).toEqual([422, [path]]);
  });
});

describe('sums', () => {
  it('compute rates from sums, never as averages, together and for each shop', async () => {
    await sendShopDay('sum-a', '2026-04-01', {
      total_orders: 1,
      total_visits: 2,
      conversion_rate: 50,
      ad_spend: 0.1,
    });
    await sendShopDay('sum-a', '2026-04-02', {
      total_orders: 1,
      total_visits: 998,
      conversion_rate: 0.1,
      ad_spend: 0.2,
    });
    await sendShopDay('sum-b', '2026-04-02', { total_orders: 10, total_visits: 1000 });
    const input = { shop_ids: ['sum-a', 'sum-b', 'sum-none'], from: '2026-04-01', to: '2026-04-30' };
    const { data } = await viewer.call('statistics.shopSeries', input);
    expect(data.together.total).toMatchObject({
      rows: 3,
      total_orders: 12,
      conversion_rate: 0.6,
      // Two shops without a currency: their amounts are not added.
      ad_spend: null,
    });
    expect(data.together.days.map((day: { date: string }) => day.date)).toEqual(['2026-04-01', '2026-04-02']);
    expect(data.together.days[1]).toMatchObject({ rows: 2, total_orders: 11, total_visits: 1998 });
    expect(data.shops.map((shop: { shop_id: string }) => shop.shop_id)).toEqual([
      'sum-a',
      'sum-b',
      'sum-none',
    ]);
    expect(data.shops[0].total).toMatchObject({ rows: 2, conversion_rate: 0.2, ad_spend: 0.3 });
    expect(data.shops[2]).toMatchObject({ total: { rows: 0, total_orders: null }, days: [] });
  });

  it('are compared by currency with those of the period before, using only days that have a row in both periods', async () => {
    for (const [shopId, currency] of [
      ['cmp-a', 'USD'],
      ['cmp-b', 'GBP'],
    ])
      await service.database.query(`INSERT INTO shops (name, shop_id, currency) VALUES ($1, $1, $2)`, [
        shopId,
        currency,
      ]);
    const makeFigures = (total_orders: number, ad_spend: number) => ({ total_orders, ad_spend });
    await sendShopDay('cmp-a', '2026-04-01', makeFigures(10, 1.25));
    await sendShopDay('cmp-a', '2026-04-02', makeFigures(7, 100));
    await sendShopDay('cmp-a', '2026-04-03', makeFigures(15, 2.5));
    await sendShopDay('cmp-b', '2026-04-02', makeFigures(4, 8));
    await sendShopDay('cmp-b', '2026-04-04', makeFigures(2, 4));
    const range = { shop_ids: ['cmp-a', 'cmp-b'], from: '2026-04-03', to: '2026-04-04' };
    const { data } = await viewer.call('statistics.shopSeries', range);
    expect(data.together.total.total_orders).toBe(17);
    expect(data.together.compared).toMatchObject({
      now: { total_orders: 17, ad_spend: null },
      before: { total_orders: 14, ad_spend: null },
    });
    const comparisonByCurrency = Object.fromEntries(
      data.by_currency.map((sums: { currency: string; compared: object }) => [sums.currency, sums.compared]),
    );
    expect(comparisonByCurrency).toMatchObject({
      USD: { now: { total_orders: 15, ad_spend: 2.5 }, before: { total_orders: 10, ad_spend: 1.25 } },
      GBP: { now: { total_orders: 2, ad_spend: 4 }, before: { total_orders: 4, ad_spend: 8 } },
    });
    const laterResponse = await viewer.call('statistics.shopSeries', {
      ...range,
      from: '2026-04-04',
      to: '2026-04-05',
    });
    expect(laterResponse.data.by_currency.map((sums: { compared: object | null }) => sums.compared)).toEqual([
      expect.objectContaining({ now: expect.objectContaining({ total_orders: 2, ad_spend: 4 }) }),
    ]);
    const emptyResponse = await viewer.call('statistics.shopSeries', {
      ...range,
      from: '2027-04-04',
      to: '2027-04-05',
    });
    expect(emptyResponse.data.together.compared).toBeNull();
  });

  it('are compared only as far as both periods have them: a figure that is reported only since lately does not look like an increase', async () => {
    for (let day = 1; day <= 4; day++)
      await sendShopDay('cmp-since', `2026-05-0${day}`, {
        total_orders: 10 * day,
        ...(day >= 2 && { ad_spend: day }),
      });
    const { data } = await viewer.call('statistics.shopSeries', {
      shop_ids: ['cmp-since'],
      from: '2026-05-03',
      to: '2026-05-04',
    });
    expect(data.together.total).toMatchObject({ total_orders: 70, ad_spend: 7 });
    expect(data.together.compared).toMatchObject({
      now: { total_orders: 70, ad_spend: 4 },
      before: { total_orders: 30, ad_spend: 2 },
    });
  });

  it('leave days that lack the numerator or denominator out of a rate, and keep the stored rate of a single day', async () => {
    await sendShopDay('half', '2026-04-01', { ad_clicks: 5, ad_impressions: 100, ad_revenue_ratio: 12.5 });
    await sendShopDay('half', '2026-04-02', { ad_clicks: 900 });
    const { data } = await viewer.call('statistics.shopSeries', {
      shop_ids: ['half'],
      from: '2026-04-01',
      to: '2026-04-02',
    });
    expect(data.together.total).toMatchObject({ ad_clicks: 905, ad_click_rate: 5, ad_revenue_ratio: null });
    expect(data.together.days[0].ad_revenue_ratio).toBe(12.5);
  });

  it('of listings are ranked by revenue or by profit, with the title from the newest order', async () => {
    await sendListingDay(601, 'top', '2026-04-01', { revenue: 5, spent_total: 2, ad_revenue: 4 });
    await sendListingDay(601, 'top', '2026-04-02', { revenue: 6, spent_total: 2, ad_revenue: 4 });
    await sendListingDay(602, 'top', '2026-04-01', { revenue: 10 });
    await sendListingDay(603, 'top', '2026-04-01', {});
    await service.importRows([
      { receipt_id: '9001', listing_id: 601, title: 'Old name' },
      { receipt_id: '9002', listing_id: 601, title: 'Brick dog' },
    ]);
    const range = { shop_ids: ['top'], from: '2026-04-01', to: '2026-04-30' };
    const { data } = await viewer.call('statistics.topListings', { ...range, limit: 3 });
    expect(data.map((row: { listing_id: number }) => row.listing_id)).toEqual([601, 602, 603]);
    expect(data[0]).toMatchObject({ revenue: 11, roas: 2, rows: 2, title: 'Brick dog', shop_ids: ['top'] });
    // Profit needs revenue and ad spend of the same day.
    await sendListingDay(603, 'top', '2026-04-02', { revenue: 1.05, spent_total: 2 });
    await sendListingDay(603, 'top', '2026-04-03', { spent_total: 50 });
    const profitResponse = await viewer.call('statistics.topListings', { ...range, sort: 'profit' });
    expect(
      profitResponse.data.map((row: { listing_id: number; profit: number }) => [row.listing_id, row.profit]),
    ).toEqual([
      [601, 7],
      [603, -0.95],
      [602, null],
    ]);
    const titledResponse = await viewer.call('statistics.listingSeries', { listing_ids: [601], ...range });
    expect(titledResponse.data.listings[0]).toMatchObject({
      title: 'Brick dog',
      total: { revenue: 11, roas: 2 },
    });
    const untitledResponse = await viewer.call('statistics.listingSeries', { listing_ids: [602], ...range });
    expect(untitledResponse.data.listings[0].title).toBeNull();
  });

  it('of listings can be ranked by every field that the API offers, in both directions', async () => {
    const fields = Object.keys(LISTING_FIELDS);
    for (let listingId = 1; listingId <= 12; listingId++) {
      // Modulo a prime number, each field ranks the listings differently.
      const figures = fields.map((name, index) => [name, (listingId * (index + 1)) % 13]);
      await sendListingDay(listingId, 'ranks', '2026-04-01', Object.fromEntries(figures));
    }
    const range = { shop_ids: ['ranks'], from: '2026-04-01', to: '2026-04-01' };
    for (const sort of [...fields, 'profit'])
      for (const direction of ['asc', 'desc']) {
        const { data } = await viewer.call('statistics.topListings', { ...range, sort, direction });
        const values: number[] = data.map((row: Record<string, number>) => row[sort]);
        const sortedValues = values.toSorted((a, b) => (direction === 'asc' ? a - b : b - a));
        expect([sort, values]).toEqual([sort, sortedValues]);
        expect(new Set(values).size, sort).toBeGreaterThan(6);
      }
  });

  it('are refused for ranges that run backwards or are too long', async () => {
    for (const to of ['2026-03-31', '2030-01-01']) {
      const response = await viewer.call('statistics.shopSeries', { from: '2026-04-01', to });
      expect([response.status, problemPathsOf(response)]).toEqual([422, ['to']]);
    }
  });
});

describe('the calendar', () => {
  it('lists the days without figures after the first day with figures', async () => {
    for (const date of ['2026-01-30', '2026-02-01', '2026-02-28']) await sendShopDay('gaps', date);
    const input = { shop_ids: ['gaps', 'never'], from: '2026-01', to: '2026-02' };
    const { data } = await viewer.call('statistics.missingDays', input);
    expect(data[0]).toMatchObject({ shop_id: 'gaps', first_day: '2026-01-30', last_day: '2026-02-28' });
    expect(data[0].missing).toHaveLength(27);
    expect(data[0].missing.slice(0, 2)).toEqual(['2026-01-31', '2026-02-02']);
    const newYorkToday = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
      Date.now(),
    );
    expect(data[1]).toEqual({
      shop_id: 'never',
      first_day: null,
      last_day: null,
      today: newYorkToday,
      missing: [],
    });
    const listingResponse = await viewer.call('statistics.missingDays', { kind: 'listing', ...input });
    expect(listingResponse.data[0].missing).toEqual([]);
  });

  it('counts neither the current day nor later ones as missing', async () => {
    const dateAtOffset = (dayOffset: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
        Date.now() + dayOffset * 86_400_000,
      );
    await sendShopDay('now', dateAtOffset(-2));
    const input = { shop_ids: ['now'], from: dateAtOffset(-2).slice(0, 7), to: dateAtOffset(40).slice(0, 7) };
    const { data } = await viewer.call('statistics.missingDays', input);
    expect(data[0].missing).toEqual([dateAtOffset(-1)]);
  });

  it('says which day is today in each shop’s time zone, so that a day that is not over there does not look stored', async () => {
    const timeZones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    for (const timeZone of timeZones)
      await service.database.query(`INSERT INTO shops (name, shop_id, time_zone) VALUES ($1, $1, $1)`, [
        timeZone,
      ]);
    const input = { shop_ids: timeZones, from: '2026-01', to: '2026-02' };
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(Date.now());
    for (const kind of ['shop', 'listing']) {
      const { data } = await viewer.call('statistics.missingDays', { kind, ...input });
      expect(data.map((shop: { today: string }) => shop.today)).toEqual(timeZones.map(dayIn));
    }
  });

  it('offers the shops with statistics of either kind, and the stored shops', async () => {
    await sendListingDay(7, 'only-listings', '2026-01-01');
    const { data } = await viewer.call('statistics.knownShops');
    const shopById = new Map(data.map((shop: { shop_id: string }) => [shop.shop_id, shop]));
    expect(shopById.get('only-listings')).toMatchObject({ name: null, days: 0 });
    expect(shopById.get('test-shop')).toMatchObject({ name: 'Test shop', account_id: service.shopId });
    expect(shopById.get('gaps')).toMatchObject({ days: 3, first_day: '2026-01-30' });
  });

  it.each([
    [{ from: '2025-13' }, 'from'],
    [{ to: '2025-12' }, 'to'],
    [{ to: '2028-01' }, 'to'],
    [{ shop_ids: undefined }, 'shop_ids'],
  ])('refuses %j, naming %s', async (change, path) => {
    const response = await viewer.call('statistics.missingDays', {
      shop_ids: ['x'],
      from: '2026-01',
      to: '2026-02',
      ...change,
    });
    expect([response.status, problemPathsOf(response)]).toEqual([422, [path]]);
  });
});

it('an operator can import statistics, but a viewer cannot', async () => {
  const csv = 'shop_id,date\nx,2026-01-01\n';
  expect((await viewer.call('statistics.importDays', { kind: 'shop', csv })).status).toBe(403);
  expect((await operator.call('statistics.importDays', { kind: 'shop', csv })).status).toBe(200);
});
