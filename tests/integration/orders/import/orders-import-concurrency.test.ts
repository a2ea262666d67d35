import { afterAll, beforeAll, expect, it } from 'vitest';
import { countDeadlocks } from '../../../support/database/test-database';
import { readFixtureRows } from '../../../support/fixtures';
import { readStoredOrders } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

function makeRows(prefix: string, orderCount: number): Record<string, unknown>[] {
  return Array.from({ length: orderCount * 3 }, (_, n) => ({
    receipt_id: `${prefix}-${n % orderCount}`,
    transaction_id: n % 3 === 0 ? undefined : `${n}`,
    title: `Item ${n % 7}`,
    tracking_number: n % 5 === 0 ? `${prefix}W${n % 4}` : '',
    sale_date: '8/22/2026',
  }));
}

it.each([2, 8])(
  '%i concurrent imports of the same rows create each order once, without a deadlock',
  async (importCount) => {
    const orderCount = 60;
    const rows = makeRows(`same${importCount}`, orderCount).map(({ transaction_id, ...row }) => ({
      ...row,
      ...(transaction_id ? { transaction_id } : {}),
    }));
    const responses = await Promise.all(
      Array.from({ length: importCount }, (_, n) => service.importRows(n % 2 ? [...rows].reverse() : rows)),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(importCount).fill(200));
    const createdOrderCount = responses.reduce((sum, { json }) => sum + json.data.new_orders, 0);
    const insertedItemCount = responses.reduce((sum, { json }) => sum + json.data.order_items_inserted, 0);
    expect(createdOrderCount).toBe(orderCount);
    expect(insertedItemCount).toBe(orderCount * 3);
    const orders = (await readStoredOrders(service.database)).filter((order) =>
      order.receipt_id.startsWith(`same${importCount}-`),
    );
    expect(orders).toHaveLength(orderCount);
    expect(orders.every((order) => order.items.length === 3)).toBe(true);
    expect(await countDeadlocks(service.database)).toBe(0);
  },
);

it('two concurrent imports of the same rows return the same counts as two consecutive imports', async () => {
  const rows = readFixtureRows('us');
  const [firstResponse, secondResponse] = await Promise.all([
    service.importRows(rows, { excel_format: true }),
    service.importRows(rows, { excel_format: true }),
  ]);
  const outcomes = [firstResponse!.json.data, secondResponse!.json.data].sort(
    (x, y) => y.new_orders - x.new_orders,
  );
  expect(outcomes).toEqual([
    { new_orders: 37, updated_orders: 0, order_items_inserted: 40 },
    { new_orders: 0, updated_orders: 37, order_items_inserted: 0 },
  ]);
});

it('imports into different shops that share tracking numbers run concurrently without a deadlock', async () => {
  const shops = await service.database.query<{ id: number }>(
    `INSERT INTO shops (name) SELECT 'Shop ' || n FROM generate_series(1, 4) n RETURNING id`,
  );
  const rows = Array.from({ length: 200 }, (_, n) => ({
    receipt_id: `shared-${n}`,
    tracking_number: `SHARED${n % 50}`,
  }));
  const responses = await Promise.all(
    shops.map(({ id }, n) =>
      service.send('/api/orders/import', {
        body: { account_id: id, rows: n % 2 ? rows.toReversed() : rows },
      }),
    ),
  );
  expect(responses.map((response) => response.status)).toEqual([200, 200, 200, 200]);
  expect(await countDeadlocks(service.database)).toBe(0);
});

it('a large import, which is read in a worker thread, is counted exactly, and its bad row is named', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => ({
    receipt_id: `large-${n % 1000}`,
    transaction_id: `${n}`,
    title: 'x'.repeat(50),
  }));
  const { json } = await service.importRows(rows);
  expect(json.data).toEqual({ new_orders: 1000, updated_orders: 0, order_items_inserted: 3000 });
  const refusal = await service.importRows([...rows, { receipt_id: 'large-bad', quantity: 'x' }]);
  expect(refusal.status).toBe(422);
  expect(refusal.json.errors).toEqual([{ path: 'rows.3000.quantity', message: expect.any(String) }]);
});
