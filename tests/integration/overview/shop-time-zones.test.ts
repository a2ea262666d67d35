import { afterEach, describe, expect, it } from 'vitest';
import { compareSums } from '../../../src/server/statistics/comparison-service';
import { LISTING_TABLE, SHOP_TABLE } from '../../../src/server/statistics/tables';
import { startOverviewService } from '../../support/service/overview-service';

const backOffice = startOverviewService();

const DAY = { from: '2026-11-19', to: '2026-11-19' };
const HONOLULU = 'Pacific/Honolulu';
const TOKYO = 'Asia/Tokyo';

const setTimeZone = (timeZone: string) =>
  backOffice.service.database.query('UPDATE shops SET time_zone = $2 WHERE id = $1', [
    backOffice.dollarShopId,
    timeZone,
  ]);

afterEach(() => setTimeZone('America/New_York'));

async function sendListingStatistics(date: string, figures: object) {
  const { status, text } = await backOffice.service.send('/api/product-statistics', {
    body: { shop_id: 'test-shop', listing_id: 7, date, ...figures },
  });
  expect(status, text).toBe(200);
}

describe.each([
  // Each day ends at its midnight in the shop's zone: at 5:00 UTC in New York, at 10:00 in Honolulu, at 15:00 a day before in Tokyo.
  ['America/New_York', '2026-11-20T05:00:00Z'],
  [HONOLULU, '2026-11-20T10:00:00Z'],
  [TOKYO, '2026-11-19T15:00:00Z'],
])('the reports of a shop in %s', (timeZone, endOfDay) => {
  const justBefore = new Date(Date.parse(endOfDay) - 1_000).toISOString();

  it('are compared on the overview as soon as the day is over in the shop, and not before', async () => {
    await setTimeZone(timeZone);
    await backOffice.sendStatistics('2026-11-18', { ad_spend: 10, ad_revenue: 20 });
    await backOffice.sendStatistics('2026-11-19', { ad_spend: 20, ad_revenue: 80 });
    const readUsd = async (now: string) => (await backOffice.read(DAY, now)).currencies[0]!;
    expect(await readUsd(justBefore)).toMatchObject({
      ad_spend: { value: '20', compared: null, before: null },
      roas: { value: 4, compared: null, before: null },
    });
    expect(await readUsd(endOfDay)).toMatchObject({
      ad_spend: { value: '20', compared: '20', before: '10', change: 1 },
      roas: { value: 4, compared: 4, before: 2, change: 1 },
    });
  });

  it('are compared on the pages of statistics as soon as the day is over in the shop, and not before', async () => {
    await setTimeZone(timeZone);
    await backOffice.sendStatistics('2026-11-18', { total_orders: 3 });
    await backOffice.sendStatistics('2026-11-19', { total_orders: 5 });
    await sendListingStatistics('2026-11-18', { visits: 30 });
    await sendListingStatistics('2026-11-19', { visits: 50 });
    const { db } = backOffice.service.app.services;
    for (const [table, now, before] of [
      [SHOP_TABLE, { total_orders: 5 }, { total_orders: 3 }],
      [LISTING_TABLE, { visits: 50 }, { visits: 30 }],
    ] as const) {
      expect(await compareSums(db, table, DAY, Date.parse(justBefore))).toEqual(new Map());
      expect((await compareSums(db, table, DAY, Date.parse(endOfDay))).get(null)).toMatchObject({
        now,
        before,
      });
    }
  });
});

describe('the days of a shop that is not stored', () => {
  it("are over when New York's are", async () => {
    await backOffice.sendStatistics('2026-11-18', { total_orders: 3 }, 'not stored');
    await backOffice.sendStatistics('2026-11-19', { total_orders: 5 }, 'not stored');
    const { db } = backOffice.service.app.services;
    const compareAt = (now: string) => compareSums(db, SHOP_TABLE, DAY, Date.parse(now));
    expect(await compareAt('2026-11-20T04:59:59Z')).toEqual(new Map());
    expect((await compareAt('2026-11-20T05:00:00Z')).get(null)).toMatchObject({ now: { total_orders: 5 } });
  });
});

describe('the profit after ads', () => {
  it.each([
    [TOKYO, '2026-11-20T05:00:00Z'],
    [HONOLULU, '2026-11-20T10:00:00Z'],
  ])("of a shop in %s is compared when New York's day of the orders is over too", async (timeZone, over) => {
    await setTimeZone(timeZone);
    await backOffice.importOrders([
      backOffice.createOrderRow('11/18/2026', '50'),
      backOffice.createOrderRow('11/19/2026', '90'),
    ]);
    await backOffice.sendStatistics('2026-11-18', { ad_spend: 10 });
    await backOffice.sendStatistics('2026-11-19', { ad_spend: 10 });
    const readProfit = async (now: string) => (await backOffice.read(DAY, now)).currencies[0]!.profit;
    const justBefore = new Date(Date.parse(over) - 1_000).toISOString();
    expect(await readProfit(justBefore)).toEqual({ value: '80', compared: null, before: null, change: null });
    expect(await readProfit(over)).toEqual({ value: '80', compared: '80', before: '40', change: 1 });
  });
});
