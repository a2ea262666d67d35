import { describe, expect, it } from 'vitest';
import { startOverviewService, WEEK } from '../../support/service/overview-service';

const backOffice = startOverviewService();

describe('the preceding period', () => {
  it('has the same number of days and ends just before the range, even when the clocks change', async () => {
    expect((await backOffice.read()).period).toEqual({
      before_from: '2026-08-01',
      before_to: '2026-08-07',
      today: null,
    });
    await backOffice.importOrders([
      backOffice.createOrderRow('3/7/2026 11:59 PM', '1'),
      backOffice.createOrderRow('3/8/2026', '2'),
      backOffice.createOrderRow('3/8/2026 11:59 PM', '4'),
      backOffice.createOrderRow('3/9/2026', '8'),
    ]);
    const { orders, currencies, days } = await backOffice.read({ from: '2026-03-08', to: '2026-03-08' });
    expect(orders).toEqual({ value: 2, compared: 2, before: 1, change: 1 });
    expect(currencies).toMatchObject([
      { currency: 'USD', revenue: { value: '6', compared: '6', before: '1', change: 5 } },
    ]);
    expect(days).toMatchObject([{ day: '2026-03-08', before: '2026-03-07', orders: 2, orders_before: 1 }]);
  });

  it('is compared with the range in orders and revenue, by currency and by shop', async () => {
    await backOffice.importOrders([
      backOffice.createOrderRow('8/3/2026', '10.01'),
      backOffice.createOrderRow('8/7/2026', '9.99'),
      backOffice.createOrderRow('8/8/2026', '22.47'),
    ]);
    await backOffice.importOrders(
      [
        backOffice.createOrderRow('8/1/2026', '40', { currency: 'GBP' }),
        backOffice.createOrderRow('8/14/2026', '30', { currency: 'GBP' }),
      ],
      backOffice.poundShopId,
    );
    const data = await backOffice.read();
    expect(data.orders).toEqual({ value: 2, compared: 2, before: 3, change: -0.333333 });
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
    expect((await backOffice.read({ ...WEEK, shops: [backOffice.poundShopId] })).currencies).toMatchObject([
      { currency: 'GBP' },
    ]);
  });

  it('results in no change if it has no orders, and in a change of -100% if only the range has none', async () => {
    await backOffice.importOrders([backOffice.createOrderRow('8/8/2026', '5')]);
    expect((await backOffice.read()).orders).toEqual({ value: 1, compared: 1, before: 0, change: null });
    const followingOverview = await backOffice.read({ from: '2026-08-15', to: '2026-08-21' });
    expect(followingOverview.currencies).toMatchObject([
      { currency: 'USD', revenue: { value: '0', compared: '0', before: '5', change: -1 } },
    ]);
    const emptyOverview = await backOffice.read({ from: '2025-08-08', to: '2025-08-14' });
    expect(emptyOverview.orders).toEqual({ value: 0, compared: 0, before: 0, change: null });
    expect(emptyOverview.currencies).toEqual([]);
    expect(JSON.stringify([followingOverview, emptyOverview])).not.toMatch(/NaN|Infinity/);
  });
});

describe('the current day', () => {
  it('counts towards the value, but is not compared, nor is the day one period earlier', async () => {
    await backOffice.importOrders([
      backOffice.createOrderRow('8/1/2026', '10'),
      backOffice.createOrderRow('8/7/2026', '100'),
      backOffice.createOrderRow('8/8/2026', '15'),
      backOffice.createOrderRow('8/14/2026', '1'),
    ]);
    const data = await backOffice.read(WEEK, '2026-08-15T03:59:00Z');
    expect(data.period.today).toBe('2026-08-14');
    expect(data.orders).toEqual({ value: 2, compared: 1, before: 1, change: 0 });
    expect(data.currencies[0]!.revenue).toEqual({ value: '16', compared: '15', before: '10', change: 0.5 });
    // A minute later the day is over in New York.
    const nextOverview = await backOffice.read(WEEK, '2026-08-15T04:00:00Z');
    expect(nextOverview.period.today).toBeNull();
    expect(nextOverview.currencies[0]!.revenue).toEqual({
      value: '16',
      compared: '16',
      before: '110',
      change: -0.854545,
    });
  });

  it('is not compared in the reports either', async () => {
    await backOffice.sendStatistics('2026-08-07', { ad_spend: 100 });
    await backOffice.sendStatistics('2026-08-14', { ad_spend: 1 });
    await backOffice.sendStatistics('2026-08-01', { ad_spend: 10 });
    await backOffice.sendStatistics('2026-08-08', { ad_spend: 20 });
    const [usd] = (await backOffice.read(WEEK, '2026-08-14T16:00:00Z')).currencies;
    expect(usd!.ad_spend).toEqual({ value: '21', compared: '20', before: '10', change: 1 });
  });
});
