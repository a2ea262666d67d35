import { expect, inject, it as test } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { startTestService, TEST_ACTOR } from '../../../support/service/test-service';

// Skipped on a cluster, where each server counts the rows that it reads from its own shards.
const it = test.skipIf(inject('workers').length > 0);

const ORDER_COUNT = 2000;
const TABLES = ['orders', 'order_items', 'order_search', 'shipments', 'tracking_numbers'];

const makeRows = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    receipt_id: `R${first + index}`,
    sale_date: '2026-08-22',
    title: 'Wall',
    transaction_id: `T${first + index}`,
    tracking_number: `LX${first + index}`,
  }));

type ImportOrders = (orders: unknown[], accountId?: number) => Promise<void>;

/** Runs the imports and returns how many rows of each of `TABLES` PostgreSQL read. */
async function countRowsRead(
  run: (importOrders: ImportOrders, newShop: number, analyze: () => Promise<unknown>) => Promise<void>,
) {
  const { app, database, importRows } = await startTestService();
  const { id: newShop } = await createShop(app.services.db, TEST_ACTOR, { name: 'New shop' });
  const importOrders: ImportOrders = async (orders, accountId) => {
    const response = await importRows(orders, accountId ? { account_id: accountId } : {});
    expect(response.json).toMatchObject({ success: true });
    await app.services.search.finishIndexing();
  };
  await run(importOrders, newShop, () => database.query('ANALYZE'));
  // Connections report what they read when they end.
  await app.stop();
  const readCounts = await database.query<{ name: string; rows: number }>(
    `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
       FROM pg_stat_user_tables WHERE relname = ANY($1) ORDER BY 1`,
    [TABLES],
  );
  await database.drop();
  expect(readCounts.map(({ name }) => name)).toEqual([...TABLES].sort());
  expect(readCounts.find(({ name }) => name === 'orders')!.rows).toBeGreaterThan(ORDER_COUNT);
  return readCounts;
}

it('an import into a shop that was created after the last ANALYZE reads at most a hundred rows of each table per order', async () => {
  const readCounts = await countRowsRead(async (importOrders, newShop, analyze) => {
    await importOrders(makeRows(0, ORDER_COUNT));
    await analyze();
    await importOrders(makeRows(0, ORDER_COUNT), newShop);
    await importOrders(makeRows(0, ORDER_COUNT), newShop);
  });
  expect(readCounts.filter((table) => table.rows > 100 * ORDER_COUNT)).toEqual([]);
});

it('a large import right after a small one, into a new database, reads at most a hundred rows of each table per order', async () => {
  const readCounts = await countRowsRead(async (importOrders) => {
    await importOrders(makeRows(0, 50));
    await importOrders(makeRows(50, ORDER_COUNT));
  });
  expect(readCounts.filter((table) => table.rows > 100 * ORDER_COUNT)).toEqual([]);
});
