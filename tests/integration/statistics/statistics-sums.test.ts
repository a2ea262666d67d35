import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LISTING_FIELDS } from '../../../src/server/statistics/fields';
import { createSignedInUser, problemPathsOf, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, type TestService } from '../../support/service/test-service';
import { sendListingDay, sendShopDay } from '../../support/statistic-days';

let service: TestService;
let viewer: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

describe('sums', () => {
  it('compute rates from sums, never as averages, together and for each shop', async () => {
    await sendShopDay(service, 'sum-a', '2026-04-01', {
      total_orders: 1,
      total_visits: 2,
      conversion_rate: 50,
      ad_spend: 0.1,
    });
    await sendShopDay(service, 'sum-a', '2026-04-02', {
      total_orders: 1,
      total_visits: 998,
      conversion_rate: 0.1,
      ad_spend: 0.2,
    });
    await sendShopDay(service, 'sum-b', '2026-04-02', { total_orders: 10, total_visits: 1000 });
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
    await sendShopDay(service, 'cmp-a', '2026-04-01', makeFigures(10, 1.25));
    await sendShopDay(service, 'cmp-a', '2026-04-02', makeFigures(7, 100));
    await sendShopDay(service, 'cmp-a', '2026-04-03', makeFigures(15, 2.5));
    await sendShopDay(service, 'cmp-b', '2026-04-02', makeFigures(4, 8));
    await sendShopDay(service, 'cmp-b', '2026-04-04', makeFigures(2, 4));
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
      await sendShopDay(service, 'cmp-since', `2026-05-0${day}`, {
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
    await sendShopDay(service, 'half', '2026-04-01', {
      ad_clicks: 5,
      ad_impressions: 100,
      ad_revenue_ratio: 12.5,
    });
    await sendShopDay(service, 'half', '2026-04-02', { ad_clicks: 900 });
    const { data } = await viewer.call('statistics.shopSeries', {
      shop_ids: ['half'],
      from: '2026-04-01',
      to: '2026-04-02',
    });
    expect(data.together.total).toMatchObject({ ad_clicks: 905, ad_click_rate: 5, ad_revenue_ratio: null });
    expect(data.together.days[0].ad_revenue_ratio).toBe(12.5);
  });

  it('of listings are ranked by revenue or by profit, with the title from the newest order', async () => {
    await sendListingDay(service, 601, 'top', '2026-04-01', { revenue: 5, spent_total: 2, ad_revenue: 4 });
    await sendListingDay(service, 601, 'top', '2026-04-02', { revenue: 6, spent_total: 2, ad_revenue: 4 });
    await sendListingDay(service, 602, 'top', '2026-04-01', { revenue: 10 });
    await sendListingDay(service, 603, 'top', '2026-04-01', {});
    await service.importRows([
      { receipt_id: '9001', listing_id: 601, title: 'Old name' },
      { receipt_id: '9002', listing_id: 601, title: 'Brick dog' },
    ]);
    const range = { shop_ids: ['top'], from: '2026-04-01', to: '2026-04-30' };
    const { data } = await viewer.call('statistics.topListings', { ...range, limit: 3 });
    expect(data.map((row: { listing_id: number }) => row.listing_id)).toEqual([601, 602, 603]);
    expect(data[0]).toMatchObject({ revenue: 11, roas: 2, rows: 2, title: 'Brick dog', shop_ids: ['top'] });
    // Profit needs revenue and ad spend of the same day.
    await sendListingDay(service, 603, 'top', '2026-04-02', { revenue: 1.05, spent_total: 2 });
    await sendListingDay(service, 603, 'top', '2026-04-03', { spent_total: 50 });
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
      await sendListingDay(service, listingId, 'ranks', '2026-04-01', Object.fromEntries(figures));
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
