import { expect, inject, it as test } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { startTestService, TEST_ACTOR } from '../../../support/service/test-service';

// Skipped on a cluster, where each server counts the rows that it reads from its own shards.
const it = test.skipIf(inject('workers').length > 0);

const ORDER_COUNT = 2000;
const TABLES = ['orders', 'order_items', 'order_search', 'shipments', 'tracking_numbers'];

const makeRows = (firstNumber: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    receipt_id: `R${firstNumber + index}`,
    sale_date: '2026-08-22',
    title: 'Wall',
    transaction_id: `T${firstNumber + index}`,
    tracking_number: `LX${firstNumber + index}`,
  }));

type ImportOrders = (orders: unknown[], shopId?: number) => Promise<void>;

/** Returns how many rows of each of `TABLES` PostgreSQL reads while the imports run. */
async function countRowsRead(
  runImports: (
    importOrders: ImportOrders,
    newShopId: number,
    analyze: () => Promise<unknown>,
  ) => Promise<void>,
) {
  const { app, database, importRows } = await startTestService();
  const { id: newShopId } = await createShop(app.services.db, TEST_ACTOR, { name: 'New shop' });
  const importOrders: ImportOrders = async (orders, shopId) => {
    const response = await importRows(orders, shopId ? { account_id: shopId } : {});
    expect(response.json).toMatchObject({ success: true });
    await app.services.searchIndexer.finishIndexing();
  };
  await runImports(importOrders, newShopId, () => database.query('ANALYZE'));
  // Connections report what they read when they end. They leave this view only after that, and the service does not wait for it.
  await app.stop();
  await expect
    .poll(() =>
      database.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      ),
    )
    .toEqual([]);
  const rowCounts = await database.query<{ name: string; rows: number }>(
    `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
       FROM pg_stat_user_tables WHERE relname = ANY($1) ORDER BY 1`,
    [TABLES],
  );
  await database.drop();
  expect(rowCounts.map(({ name }) => name)).toEqual([...TABLES].sort());
  expect(rowCounts.find(({ name }) => name === 'orders')!.rows).toBeGreaterThan(ORDER_COUNT);
  return rowCounts;
}

it('an import into a shop that was created after the last ANALYZE reads at most a hundred rows of each table per order', async () => {
  const rowCounts = await countRowsRead(async (importOrders, newShopId, analyze) => {
    await importOrders(makeRows(0, ORDER_COUNT));
    await analyze();
    await importOrders(makeRows(0, ORDER_COUNT), newShopId);
    await importOrders(makeRows(0, ORDER_COUNT), newShopId);
  });
  expect(rowCounts.filter((table) => table.rows > 100 * ORDER_COUNT)).toEqual([]);
});

it('a large import into a new database, right after a small one, reads at most a hundred rows of each table per order', async () => {
  const rowCounts = await countRowsRead(async (importOrders) => {
    await importOrders(makeRows(0, 50));
    await importOrders(makeRows(50, ORDER_COUNT));
  });
  expect(rowCounts.filter((table) => table.rows > 100 * ORDER_COUNT)).toEqual([]);
});
