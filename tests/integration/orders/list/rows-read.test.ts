import { expect, inject, it as test } from 'vitest';
import { countRowsRead } from '../../../support/service/rows-read';
import { createSignedInUser } from '../../../support/service/signed-in';
import { startTestService } from '../../../support/service/test-service';

// Skipped on a cluster, where each server counts the rows that it reads from its own shards.
const it = test.skipIf(inject('workers').length > 0);

const SMALL_SHOP_ORDER_COUNT = 40;
const OTHER_ORDER_COUNT = 20_000;

/** Starts a service with a shop that has only a few old orders, and another one with very many newer orders. */
async function startServiceWithSmallShop() {
  const service = await startTestService();
  const user = await createSignedInUser(service, 'viewer');
  const [otherShop] = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) VALUES ('Large shop') RETURNING id`,
  );
  await service.database.query(
    `INSERT INTO orders (shop_id, receipt_id, status, sale_date)
     SELECT CASE WHEN n <= $3 THEN $1::int ELSE $2::int END, 'R' || n, 'paid', now() - interval '200 days' + n * interval '10 minutes'
       FROM generate_series(1, $4) n`,
    [service.shopId, otherShop!.id, SMALL_SHOP_ORDER_COUNT, SMALL_SHOP_ORDER_COUNT + OTHER_ORDER_COUNT],
  );
  await service.database.query('ANALYZE orders');
  return { service, user };
}

it('the list of one shop reads that shop’s orders, no matter how many newer ones other shops have', async () => {
  const { service, user } = await startServiceWithSmallShop();
  const filters = [{}, { statuses: ['paid'] }].map((filter) => ({ ...filter, shops: [service.shopId] }));
  const { orders } = await countRowsRead(service, ['orders'], async () => {
    for (const filter of filters)
      for (const direction of ['newest', 'oldest']) {
        // With so few, PostgreSQL prefers to read by date.
        const { data } = await user.call('orders.list', { filter, direction, limit: 3 });
        expect(data.orders).toHaveLength(3);
      }
  });
  expect(orders).toBeGreaterThan(0);
  expect(orders).toBeLessThan(OTHER_ORDER_COUNT / 10);
});

it('the list of a queue’s orders in two shops reads the entries of these shops, no matter how many the other shops have', async () => {
  const { service, user } = await startServiceWithSmallShop();
  const [emptyShop] = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) VALUES ('Empty shop') RETURNING id`,
  );
  const filter = { queue: 'to_ship', shops: [service.shopId, emptyShop!.id] };
  const { orders } = await countRowsRead(service, ['orders'], async () => {
    const { data } = await user.call('orders.list', { filter, limit: 50 });
    expect(data.orders).toHaveLength(SMALL_SHOP_ORDER_COUNT);
  });
  expect(orders).toBeGreaterThanOrEqual(SMALL_SHOP_ORDER_COUNT);
  expect(orders).toBeLessThan(OTHER_ORDER_COUNT / 10);
});
