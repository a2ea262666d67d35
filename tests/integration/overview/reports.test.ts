import { describe, expect, it } from 'vitest';
import { AFTER_WEEK, startOverviewService, WEEK } from '../../support/service/overview-service';

const backOffice = startOverviewService();

describe('advertising', () => {
  it('is compared on days with a report in both periods, and its ROAS on days that also have both amounts', async () => {
    await backOffice.sendStatistics('2026-08-01', { ad_spend: 10.5, ad_revenue: 42 });
    await backOffice.sendStatistics('2026-08-02', { ad_spend: 4 });
    await backOffice.sendStatistics('2026-08-08', { ad_spend: 21, ad_revenue: 63 });
    await backOffice.sendStatistics('2026-08-09', { ad_spend: 8, ad_revenue: 80 });
    await backOffice.sendStatistics('2026-08-10', { ad_spend: 1_000, ad_revenue: 1 });
    const [usd] = (await backOffice.read()).currencies;
    expect(usd!.ad_spend).toEqual({ value: '1029', compared: '29', before: '14.5', change: 1 });
    expect(usd!.roas).toEqual({ value: 0.1399, compared: 3, before: 4, change: -0.25 });
  });

  it('leaves a profit or a loss: the revenue of the orders less the ad spend, on days with ad spend', async () => {
    await backOffice.importOrders([
      backOffice.createOrderRow('8/1/2026', '50.55'),
      backOffice.createOrderRow('8/8/2026', '99.99'),
      backOffice.createOrderRow('8/9/2026', '7'),
      // A day without ad spend has no profit, and revenue in another currency does not count towards the shop's profit.
      backOffice.createOrderRow('8/10/2026', '500'),
      backOffice.createOrderRow('8/8/2026', '300', { currency: 'EUR' }),
    ]);
    await backOffice.sendStatistics('2026-08-01', { ad_spend: 10.55 });
    await backOffice.sendStatistics('2026-08-08', { ad_spend: 19.99 });
    await backOffice.sendStatistics('2026-08-09', { ad_spend: 30 });
    await backOffice.sendStatistics('2026-08-10', { ad_revenue: 9 });
    await backOffice.sendStatistics('2026-08-08', { ad_spend: 3 }, 'owl');
    const { currencies, shops, days } = await backOffice.read();
    const usd = currencies.find(({ currency }) => currency === 'USD')!;
    expect(usd.profit).toEqual({ value: '57', compared: '80', before: '40', change: 1 });
    expect(shops.find(({ id }) => id === backOffice.dollarShopId)!.profit).toEqual(usd.profit);
    expect(currencies.find(({ currency }) => currency === 'GBP')).toMatchObject({
      revenue: { value: '0' },
      profit: { value: '-3', compared: null, before: null, change: null },
    });
    expect(days[1]!.currencies).toMatchObject([{ currency: 'USD', ad_spend: '30', profit: '-23' }]);
    expect(days[2]!.currencies).toMatchObject([{ revenue: '500', ad_spend: null, profit: null }]);
  });

  it('has no percentage change from a loss, and no ROAS without ad spend', async () => {
    await backOffice.sendStatistics('2026-08-01', { ad_spend: 5, ad_revenue: 0 });
    await backOffice.sendStatistics('2026-08-08', { ad_spend: 0, ad_revenue: 0 });
    const [usd] = (await backOffice.read()).currencies;
    expect(usd!.profit).toEqual({ value: '0', compared: '0', before: '-5', change: null });
    expect(usd!.roas).toBeNull();
    expect(usd!.ad_spend).toMatchObject({ value: '0', before: '5', change: -1 });
  });
});

describe('the reports of a shop', () => {
  const readReportDays = async (now = AFTER_WEEK) => {
    const {
      id: _,
      report_days,
      missing_days,
    } = (await backOffice.read({ ...WEEK, shops: [backOffice.dollarShopId] }, now)).shops[0]!;
    return { report_days, missing_days };
  };

  it('are counted, and so are the days without one', async () => {
    expect(await readReportDays()).toEqual({ report_days: 0, missing_days: 0 });
    await backOffice.sendStatistics('2026-08-10', { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 1, missing_days: 4 });
    for (const day of ['11', '12', '14'])
      await backOffice.sendStatistics(`2026-08-${day}`, { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 4, missing_days: 1 });
    await backOffice.sendStatistics('2026-08-13', { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 5, missing_days: 0 });
  });

  it('are missing from the first day of the range if there are earlier ones, whether or not the range has any', async () => {
    await backOffice.sendStatistics('2026-07-01', { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 0, missing_days: 7 });
    expect(await readReportDays('2026-08-10T12:00:00Z')).toEqual({ report_days: 0, missing_days: 2 });
    await backOffice.sendStatistics('2026-08-10', { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 1, missing_days: 6 });
    await backOffice.sendStatistics('2026-08-08', { total_orders: 1 });
    expect(await readReportDays()).toEqual({ report_days: 2, missing_days: 5 });
  });

  it('are not missing for a day that is not over in the shop’s time zone', async () => {
    await backOffice.sendStatistics('2026-08-10', { total_orders: 1 });
    expect(await readReportDays('2026-08-12T03:00:00Z')).toEqual({ report_days: 1, missing_days: 0 });
    expect(await readReportDays('2026-08-12T05:00:00Z')).toEqual({ report_days: 1, missing_days: 1 });
    await backOffice.service.database.query(`UPDATE shops SET time_zone = 'Asia/Shanghai' WHERE id = $1`, [
      backOffice.dollarShopId,
    ]);
    expect(await readReportDays('2026-08-12T03:00:00Z')).toEqual({ report_days: 1, missing_days: 1 });
    await backOffice.service.database.query(`UPDATE shops SET time_zone = 'America/New_York' WHERE id = $1`, [
      backOffice.dollarShopId,
    ]);
  });
});

const sendListingStatistics = (listing_id: number, figures: object, shop_id = 'test-shop') =>
  backOffice.service.send('/api/product-statistics', {
    body: { listing_id, shop_id, date: '2026-08-08', ...figures },
  });

describe('the listings', () => {
  it('are ranked by profit within their currency; the overview shows the best and those with a loss', async () => {
    for (let listingId = 1; listingId <= 7; listingId++)
      await sendListingStatistics(listingId, { revenue: 10 * listingId, spent_total: 1.05, ad_revenue: 2.1 });
    await sendListingStatistics(21, { revenue: 5, spent_total: 46.25, ad_revenue: 37 });
    await sendListingStatistics(22, { revenue: 0, spent_total: 0.01 });
    await sendListingStatistics(31, { revenue: 5 });
    await sendListingStatistics(41, { revenue: 9, spent_total: 3, ad_revenue: 0 }, 'owl');
    const { listings } = await backOffice.read();
    expect(
      listings.map(({ currency, listings: listingCount, losing }) => [currency, listingCount, losing]),
    ).toEqual([
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
