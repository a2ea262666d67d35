import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createQueueHelpers, timeDaysAgo } from '../../../support/browser/queue-helpers';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { startTestService, type TestService } from '../../../support/service/test-service';

const SHOP_COUNT = 20;
/** All shops together have a few more than ten thousand late orders, and exactly ten thousand unpaid ones. */
const LATE_ORDERS_PER_SHOP = 501;
const UNPAID_ORDERS_PER_SHOP = 500;

/**
 * Makes a single server look like a cluster of four shards: if this table exists, the service lets each shard count at most a
 * quarter of the limit first. The server stops at that quarter, like a shard that has all of the orders.
 */
const FOUR_SHARDS_SQL = `CREATE TABLE pg_dist_shard AS SELECT 'orders'::regclass AS logicalrelid FROM generate_series(1, 4)`;
const isCluster = inject('workers').length > 0;

let service: TestService;
let operator: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;
let shopIds: number[];

async function startService(hasFourShards: boolean): Promise<void> {
  service = await startTestService();
  if (hasFourShards) await service.database.query(FOUR_SHARDS_SQL);
  operator = await createSignedInUser(service, 'operator');
  queues = createQueueHelpers(service, operator);
  const createdShops = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) SELECT 'Shop ' || n FROM generate_series(1, $1::int) n RETURNING id`,
    [SHOP_COUNT],
  );
  shopIds = createdShops.map(({ id }) => id);
  for (const shopId of shopIds) {
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id, status, sale_date)
       SELECT $1::int, $1::text || '-' || n, CASE WHEN n <= $2::int THEN 'paid' ELSE 'pending' END::order_status, $4::timestamptz
         FROM generate_series(1, $2::int + $3::int) n`,
      [shopId, LATE_ORDERS_PER_SHOP, UNPAID_ORDERS_PER_SHOP, timeDaysAgo(9)],
    );
  }
}

const countOrders = async (filter: object) => (await operator.call('orders.count', { filter })).data;
const readTabCount = async (name: string) => {
  const { data } = await operator.call('orders.tabs', undefined);
  const { tab: _, ...tabCount } = data.find(({ tab }: { tab: string }) => tab === name);
  return tabCount;
};

describe.each([
  { situation: 'on one server', hasFourShards: false, isSkipped: false },
  { situation: 'if one of four shards has all orders', hasFourShards: true, isSkipped: isCluster },
])('$situation', ({ hasFourShards, isSkipped }) => {
  if (isSkipped) return void it.skip('a cluster has its own shards');
  beforeAll(() => startService(hasFourShards));
  afterAll(() => service?.close());

  it('orders of many shops are counted exactly up to ten thousand; beyond that, the count says that there are more', async () => {
    expect(await countOrders({ statuses: ['pending'] })).toEqual({ count: 10_000, more: false });
    expect(await readTabCount('unpaid')).toEqual({ count: 10_000, more: false });
    expect(await countOrders({ shops: shopIds.slice(0, 3) })).toEqual({
      count: 3 * (LATE_ORDERS_PER_SHOP + UNPAID_ORDERS_PER_SHOP),
      more: false,
    });
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id, status) VALUES ($1, 'one more', 'pending')`,
      [shopIds[0]],
    );
    expect(await countOrders({ statuses: ['pending'] })).toEqual({ count: 10_000, more: true });
    expect(await readTabCount('unpaid')).toEqual({ count: 10_000, more: true });
    expect(await countOrders({})).toEqual({ count: 10_000, more: true });
    expect(await readTabCount('all')).toEqual({ count: 10_000, more: true });
  });

  it('an order that is open in two queues counts once in their total, for all shops and for a few', async () => {
    const lateCount = SHOP_COUNT * LATE_ORDERS_PER_SHOP;
    expect(await queues.readCounts()).toMatchObject({
      to_ship: lateCount,
      late: lateCount,
      total: lateCount,
    });
    expect(await queues.readCounts({ shops: shopIds.slice(0, 2) })).toMatchObject({
      to_ship: 2 * LATE_ORDERS_PER_SHOP,
      late: 2 * LATE_ORDERS_PER_SHOP,
      total: 2 * LATE_ORDERS_PER_SHOP,
    });
  });

  it('a queue of many shops is counted exactly up to ten thousand, without the orders that users have handled', async () => {
    expect(await countOrders({ queue: 'to_ship' })).toEqual({ count: 10_000, more: true });
    expect(await readTabCount('to_ship')).toEqual({ count: 10_000, more: true });
    expect(await countOrders({ queue: 'to_ship', shops: shopIds.slice(0, 2) })).toEqual({
      count: 2 * LATE_ORDERS_PER_SHOP,
      more: false,
    });
    await service.database.query(
      `INSERT INTO queue_states (shop_id, order_id, queue, handled_at, seen_at)
       SELECT shop_id, id, 'to_ship', now(), now() FROM orders WHERE shop_id = $1 AND status = 'paid'`,
      [shopIds[0]],
    );
    const openCount = (SHOP_COUNT - 1) * LATE_ORDERS_PER_SHOP;
    expect(await countOrders({ queue: 'to_ship' })).toEqual({ count: openCount, more: false });
    expect(await readTabCount('to_ship')).toEqual({ count: openCount, more: false });
    expect(await readTabCount('late')).toEqual({ count: 10_000, more: true });
    // Orders handled in To ship are still late.
    expect(await queues.readCounts()).toMatchObject({
      to_ship: openCount,
      late: openCount + LATE_ORDERS_PER_SHOP,
      total: openCount + LATE_ORDERS_PER_SHOP,
    });
  });
});
