import { DateTime } from 'luxon';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_QUEUES } from '../../../src/server/queues/queue';
import { createShop } from '../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { startTestService, TEST_ACTOR, type TestService } from '../../support/service/test-service';

let service: TestService;
let viewer: SignedInUser;

const RANGE = { from: '2026-08-21', to: '2026-08-23' };

beforeAll(async () => {
  service = await startTestService();
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());

const readOverview = async (input: object = {}) => {
  await service.app.services.searchIndexer.finishIndexing();
  const { data, error } = await viewer.call('overview.read', { ...RANGE, ...input });
  expect(error).toBeNull();
  return data;
};

/** Returns the revenue of each currency. */
const revenuesOf = (data: { currencies: { currency: string; revenue: { value: string } }[] }) =>
  data.currencies.map(({ currency, revenue }) => [currency, revenue.value]);

describe('the sums', () => {
  it('are zero without orders, in total and on every day, and come with the first steps', async () => {
    const data = await readOverview();
    expect(data).toMatchObject({
      orders: { value: 0, change: null },
      items: 0,
      currencies: [],
      without_currency: [],
      listings: [],
      first_steps: { shop: false, shop_without_currency: service.shopId, import: false, prompt: false },
    });
    expect(data.days).toMatchObject(
      ['2026-08-21', '2026-08-22', '2026-08-23'].map((day) => ({ day, orders: 0, currencies: [] })),
    );
  });

  it('count orders by the day in New York, and add up revenue exactly by currency', async () => {
    await service.importRows([
      {
        receipt_id: '1',
        transaction_id: 'a',
        title: 'A',
        item_total: '0.1',
        quantity: 2,
        sale_date: '8/22/2026',
        currency: 'USD',
      },
      { receipt_id: '1', transaction_id: 'b', title: 'B', item_total: '0.2', quantity: 1 },
      { receipt_id: '2', title: 'C', item_total: '10', sale_date: '8/22/2026 11:59 PM', currency: 'EUR' },
      { receipt_id: '3', title: 'D', item_total: '5', sale_date: '8/23/2026', currency: 'USD' },
      { receipt_id: '4', title: 'E', item_total: '99', sale_date: '8/24/2026', currency: 'USD' },
      { receipt_id: '5', title: 'F', item_total: '7' },
      // A row with only a tracking number creates a blank item, which is not counted.
      { receipt_id: '2', tracking_number: 'LX123456785CN' },
    ]);
    const data = await readOverview();
    expect(data).toMatchObject({ orders: { value: 3 }, items: 4, quantity: 5 });
    expect(revenuesOf(data)).toEqual([
      ['EUR', '10'],
      ['USD', '5.3'],
    ]);
    expect(data.days[1]).toMatchObject({ day: '2026-08-22', orders: 2 });
    expect(data.days[1].currencies).toHaveLength(2);
    expect(data.days[1].currencies).toContainEqual(
      expect.objectContaining({ currency: 'EUR', revenue: '10' }),
    );
    expect(data.days[1].currencies).toContainEqual(
      expect.objectContaining({ currency: 'USD', revenue: '0.3' }),
    );
  });

  it('change when an import changes a day or an amount, and when a user cancels an order', async () => {
    await service.importRows([{ receipt_id: '3', sale_date: '8/21/2026', title: 'D', item_total: '6' }]);
    const data = await readOverview();
    expect(data.days.map(({ orders }: { orders: number }) => orders)).toEqual([1, 2, 0]);
    expect(data.days[0].currencies).toMatchObject([{ currency: 'USD', revenue: '6' }]);
    const operator = await createSignedInUser(service, 'operator');
    const [order] = (await operator.call('orders.list', { filter: { text: '3' } })).data.orders;
    await operator.call('orders.setStatus', { filter: { ids: [order.id] }, count: 1, status: 'cancelled' });
    const dataWithoutCancelledOrder = await readOverview();
    expect(dataWithoutCancelledOrder.days[0]).toMatchObject({ orders: 0, currencies: [] });
    const trackedOrderCount = dataWithoutCancelledOrder.tracking.reduce(
      (sum: number, { orders }: { orders: number }) => sum + orders,
      0,
    );
    expect(trackedOrderCount).toBe(dataWithoutCancelledOrder.orders.value);
    await operator.call('orders.setStatus', { filter: { ids: [order.id] }, count: 1, status: 'paid' });
    expect((await readOverview()).days[0]).toMatchObject({ orders: 1 });
  });

  it('match the orders themselves even after concurrent imports into one shop', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        service.importRows(
          Array.from({ length: 20 }, (_row, index) => ({
            receipt_id: `c${n}-${index}`,
            title: 'T',
            item_total: '1.01',
            sale_date: `8/${21 + (index % 3)}/2026`,
            currency: 'USD',
          })),
        ),
      ),
    );
    const data = await readOverview();
    const [expectedSums] = await service.database.query<{ orders: number; usd: string }>(`
      SELECT count(DISTINCT o.id)::int AS orders, trim_scale(sum(i.item_total) FILTER (WHERE o.currency = 'USD'))::text AS usd
        FROM orders o JOIN order_items i ON i.shop_id = o.shop_id AND i.order_id = o.id
       WHERE o.sale_date >= '2026-08-21 04:00Z' AND o.sale_date < '2026-08-24 04:00Z'`);
    expect(data.orders.value).toBe(expectedSums!.orders);
    expect(revenuesOf(data)).toContainEqual(['USD', expectedSums!.usd]);
  });

  it('are those of the chosen shops only', async () => {
    const rows = await service.database.query<{ id: number }>(
      `INSERT INTO shops (name) VALUES ('Empty') RETURNING id`,
    );
    expect(await readOverview({ shops: [rows[0]!.id] })).toMatchObject({
      orders: { value: 0 },
      currencies: [],
      tracking: [],
    });
    expect((await readOverview({ shops: [service.shopId] })).orders.value).toBeGreaterThan(0);
  });
});

describe('advertising', () => {
  it('is summed by currency, and ROAS is calculated from the days that have both amounts', async () => {
    const otherShop = await createShop(service.app.services.db, TEST_ACTOR, {
      name: 'Other',
      shopId: 'other',
      currency: 'GBP',
    });
    const { database, shopId } = service;
    await database.query(`UPDATE shops SET currency = 'USD' WHERE id = $1`, [shopId]);
    const sendStatistics = (marketplaceShopId: string, date: string, figures: object) =>
      service.send('/api/shop-statistics', { body: { shop_id: marketplaceShopId, date, ...figures } });
    await sendStatistics('test-shop', '2026-08-22', {
      ad_impressions: 100,
      ad_clicks: 5,
      ad_spend: 2,
      ad_revenue: 5,
    });
    await sendStatistics('test-shop', '2026-08-23', {
      ad_impressions: 50,
      ad_clicks: 1,
      ad_spend: 2,
      ad_revenue: 0,
    });
    // Days without ad spend or without ad revenue do not count towards ROAS.
    await sendStatistics('test-shop', '2026-08-21', { ad_spend: 7 });
    await sendStatistics('other', '2026-08-23', { ad_impressions: 1, ad_spend: 3, ad_revenue: 9 });
    await sendStatistics('elsewhere', '2026-08-23', { ad_impressions: 1, ad_spend: 100, ad_revenue: 100 });
    const data = await readOverview();
    expect(data.without_currency).toEqual([{ id: null, name: 'elsewhere' }]);
    const advertisingOf = (
      rows: { currency: string; ad_spend: { value: string }; roas: { value: number } }[],
    ) =>
      rows.flatMap(({ currency, ad_spend, roas }) =>
        ad_spend ? [[currency, ad_spend.value, roas.value]] : [],
      );
    expect(advertisingOf(data.currencies)).toEqual([
      ['USD', '11', 1.25],
      ['GBP', '3', 3],
    ]);
    expect(data.days[2].currencies).toContainEqual(
      expect.objectContaining({ currency: 'USD', ad_spend: '2', roas: 0 }),
    );
    expect(data.days[2].currencies).toContainEqual(
      expect.objectContaining({ currency: 'GBP', ad_spend: '3', roas: 3 }),
    );
    const otherOverview = await readOverview({ shops: [otherShop.id] });
    expect(advertisingOf(otherOverview.currencies)).toEqual([['GBP', '3', 3]]);
    expect(otherOverview.without_currency).toEqual([]);
  });
});

describe('what needs attention', () => {
  it('is counted whatever the sale date, and matches the orders in the list', async () => {
    await service.importRows([
      { receipt_id: 'x1', title: 'T', sale_date: '1/2/2026', tracking_number: 'EX1' },
      { receipt_id: 'x2', title: 'T', sale_date: '1/2/2026', tracking_number: 'DF1' },
      { receipt_id: 'x3', title: 'T', sale_date: '1/2/2026', country_name: 'Atlantis' },
    ]);
    for (const [tracking_number, status] of [
      ['EX1', 'exception'],
      ['DF1', 'delivery_failure'],
    ])
      await service.send('/api/v1/tracks', { body: { event: 'x', data: { tracking_number, status } } });
    const { attention } = await readOverview();
    expect(attention).toMatchObject({
      queues: { exception: 1, delivery_failed: 1 },
      imports_with_warnings: 1,
    });
    const countOrders = async (filter: object) => (await viewer.call('orders.count', { filter })).data.count;
    expect(attention.queues.late).toBe(await countOrders({ unshipped_days: 3 }));
    expect(attention.queues.to_ship).toBe(await countOrders({ statuses: ['paid'] }));
    for (const queue of ORDER_QUEUES)
      expect(attention.queues[queue], queue).toBe(await countOrders({ queue }));
  });

  it('includes as many imports with warnings as the history shows', async () => {
    await service.importRows([
      { receipt_id: 'x4', title: 'T', sale_date: '1/2/2026', country_name: 'Lemuria' },
    ]);
    await service.database.query(
      `WITH newest_import AS (SELECT max(id) AS id FROM imports)
       INSERT INTO imports (shop_id, source, outcome, actor, content_hash, rows, warnings, held_rows, created_at, undone_at)
       SELECT shop_id, source, v.outcome::import_outcome, actor, content_hash, rows, v.warnings, v.held_rows,
              (date_trunc('day', now() AT TIME ZONE 'America/New_York') + since_midnight::interval) AT TIME ZONE 'America/New_York',
              CASE WHEN v.outcome = 'undone' THEN now() END
         FROM imports, newest_import,
              (VALUES ('succeeded', 0, 2, '-7 days'), ('succeeded', 1, 0, '-7 days -1 second'),
                      ('undone', 1, 0, '0'), ('rejected', 1, 0, '0'), ('rejected', 1, 0, '1s'))
                 v (outcome, warnings, held_rows, since_midnight)
        WHERE imports.id = newest_import.id`,
    );
    const { attention } = await readOverview();
    const { data: history } = await viewer.call('imports.history', {
      outcomes: ['succeeded'],
      warnings: true,
      from: DateTime.fromISO(attention.imports_from, { zone: 'America/New_York' }).toISO(),
    });
    expect(attention.imports_with_warnings).toBe(history.entries.length);
    expect(history.entries.filter(({ held_rows }: { held_rows: number }) => held_rows === 2)).toHaveLength(1);
  });

  it('includes shops that have statistics but none for yesterday, except those that report again after a gap', async () => {
    const dateDaysAgo = (days: number) =>
      DateTime.now().setZone('America/New_York').minus({ days }).toISODate();
    await service.send('/api/shop-statistics', {
      body: { shop_id: 'test-shop', date: dateDaysAgo(2), total_orders: 1 },
    });
    for (const days of [9, 1])
      await service.send('/api/shop-statistics', {
        body: { shop_id: 'fresh', date: dateDaysAgo(days), total_orders: 1 },
      });
    const { attention } = await readOverview();
    expect(attention.statistics_missing).toContainEqual({
      id: service.shopId,
      name: 'Test shop',
      shop_id: 'test-shop',
    });
    expect(JSON.stringify(attention.statistics_missing)).not.toContain('fresh');
  });
});

it.each([
  [{ from: '2026-08-23', to: '2026-08-21' }, 'to'],
  [{ from: '2020-01-01', to: '2026-08-21' }, 'to'],
  [{ from: 'today' }, 'from'],
])('the overview refuses the range %j', async (range, path) => {
  const { status, error } = await viewer.call('overview.read', { ...RANGE, ...range });
  expect([status, error?.problems[0]?.path]).toEqual([422, path]);
});

describe('the first steps', () => {
  const readSteps = async (user = viewer) => (await user.call('overview.read', RANGE)).data.first_steps;

  it('are ticked according to what is stored', async () => {
    const { database, shopId } = service;
    await database.query('UPDATE shops SET currency = NULL');
    await database.query('DELETE FROM prompts');
    expect(await readSteps()).toMatchObject({
      shop: false,
      shop_without_currency: shopId,
      first_shop: 'Test shop',
      prompt: false,
      carrier: false,
      two_factor: false,
    });
    await database.query(`UPDATE shops SET currency = 'USD' WHERE id = $1`, [shopId]);
    await database.query('INSERT INTO prompts (shop_id) VALUES ($1)', [shopId]);
    await database.query(
      `INSERT INTO prompt_versions (prompt_id, version, text) SELECT id, 1, 'T' FROM prompts`,
    );
    expect(await readSteps()).toMatchObject({ shop: true, prompt: false, people: true });
    await database.query(`UPDATE prompt_versions SET state = 'published', published_at = now()`);
    await database.query(`UPDATE users SET totp_secret = 'x', totp_enabled_at = now() WHERE id = $1`, [
      viewer.userId,
    ]);
    expect(await readSteps()).toMatchObject({ prompt: true, two_factor: true, import: true });
    expect(await readSteps(await createSignedInUser(service, 'operator'))).toMatchObject({
      two_factor: false,
    });
    await database.query('UPDATE users SET deactivated_at = now() WHERE id <> $1', [viewer.userId]);
    expect(await readSteps()).toMatchObject({ people: false });
  });

  it('can be hidden by each user for themselves', async () => {
    const otherUser = await createSignedInUser(service, 'operator');
    await viewer.call('overview.dismissFirstSteps');
    expect((await readSteps()).dismissed).toBe(true);
    expect((await readSteps(otherUser)).dismissed).toBe(false);
  });
});
