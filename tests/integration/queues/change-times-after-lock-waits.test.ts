// A change that had to wait for a lock is news for whoever handled an entry in the meantime (docs/queues.md, "When an entry comes
// back"), so its time is when it got the lock, not when it began to wait.
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeShopLock } from '../../../src/server/db/locks/advisory-locks';
import { createQueueHelpers, timeDaysAgo } from '../../support/browser/queue-helpers';
import { countWaitingStatements } from '../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../support/service/signed-in';
import { readStoredOrder } from '../../support/service/stored-orders';
import { startTestService, type TestService } from '../../support/service/test-service';

let service: TestService;
let user: SignedInUser;
let queues: ReturnType<typeof createQueueHelpers>;

beforeAll(async () => {
  service = await startTestService();
  user = await createSignedInUser(service, 'admin');
  queues = createQueueHelpers(service, user);
});
afterAll(() => service.close());

/** Starts a change while another transaction holds a lock. Once the change waits, calls `actMeanwhile`, then releases the lock. */
async function changeAfterWaiting<T>(
  takeLock: (client: pg.PoolClient) => Promise<unknown>,
  makeChange: () => Promise<unknown>,
  actMeanwhile: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await service.app.services.db.bulkPool.connect();
  try {
    await client.query('BEGIN');
    await takeLock(client);
    const changePromise = makeChange();
    while ((await countWaitingStatements(service.database)) === 0) await setTimeout(10);
    const result = await actMeanwhile(client);
    await client.query('COMMIT');
    await changePromise;
    client.release();
    return result;
  } catch (error) {
    // Discards the connection with its transaction.
    client.release(true);
    throw error;
  }
}

const importOrder = async (receiptId: string, cells: Record<string, string> = {}) => {
  const row = { receipt_id: receiptId, transaction_id: '1', title: 'T', sale_date: timeDaysAgo(1), ...cells };
  const { json } = await service.importRows([row]);
  expect(json.success).toBe(true);
};
const findLastImportId = async (): Promise<string> => {
  const [lastImport] = await service.database.query<{ id: string }>(
    'SELECT max(id)::text AS id FROM imports',
  );
  return lastImport!.id;
};
const findOrderId = async (receiptId: string) =>
  String((await readStoredOrder(service.database, receiptId)).id);
const setStatus = async (receiptId: string, status: string) => {
  const filter = { ids: [await findOrderId(receiptId)] };
  expect((await user.call('orders.setStatus', { filter, count: 1, status })).error).toBeNull();
};

it.each(['import', 'undo'] as const)(
  'a handled entry comes back because of an %s that was waiting for the shop’s lock when the entry was handled',
  async (kind) => {
    const receiptId = `handled-${kind}`;
    await importOrder(receiptId, { name: 'Ann' });
    await importOrder(receiptId, { name: 'Bob' });
    const id = await findLastImportId();
    await changeAfterWaiting(
      (client) => takeShopLock(client, 'shopImports', service.shopId),
      () => (kind === 'undo' ? user.call('imports.undo', { id }) : importOrder(receiptId, { name: 'Cid' })),
      async () => {
        for (const status of ['pending', 'paid']) await setStatus(receiptId, status);
        await queues.handle('to_ship', receiptId);
        expect(await queues.listNumbers('to_ship')).not.toContain(receiptId);
      },
    );
    const order = await readStoredOrder(service.database, receiptId);
    expect(order.name).toBe(kind === 'undo' ? 'Ann' : 'Cid');
    expect(await queues.listNumbers('to_ship')).toContain(receiptId);
  },
);

const makeOrderLock = (receiptId: string) => (client: pg.PoolClient) =>
  client.query('SELECT FROM orders WHERE shop_id = $1 AND receipt_id = $2 FOR UPDATE', [
    service.shopId,
    receiptId,
  ]);
const makeNumberLock = (number: string) => (client: pg.PoolClient) =>
  client.query('SELECT FROM tracking_numbers WHERE tracking_number = $1 FOR UPDATE', [number]);
const ORDER_TIME_QUERY = `SELECT updated_at AS changed_at FROM orders WHERE receipt_id = 'waiting'`;
const makeNumberTimeQuery = (table: string, column: string) =>
  `SELECT ${column} AS changed_at FROM ${table} WHERE tracking_number = 'WAITING1' ORDER BY 1 DESC LIMIT 1`;

it.each<[string, (client: pg.PoolClient) => Promise<unknown>, () => Promise<unknown>, string]>([
  [
    'an import that creates an item',
    makeOrderLock('waiting'),
    () => importOrder('waiting', { transaction_id: '2' }),
    `SELECT max(updated_at) AS changed_at FROM order_items`,
  ],
  [
    'an import that creates a shipment',
    makeOrderLock('waiting'),
    () => importOrder('waiting', { tracking_number: 'WAITING0' }),
    'SELECT max(updated_at) AS changed_at FROM shipments',
  ],
  ['a new status', makeOrderLock('waiting'), () => setStatus('waiting', 'pending'), ORDER_TIME_QUERY],
  [
    'an alias of a country',
    makeOrderLock('waiting'),
    () => user.call('countries.addAlias', { code: 'DE', alias: 'Waitland' }),
    ORDER_TIME_QUERY,
  ],
  [
    'a tracking number',
    makeOrderLock('waiting'),
    () => setTrackingNumber('WAITING1'),
    makeNumberTimeQuery('shipments', 'created_at'),
  ],
  [
    'a callback',
    makeOrderLock('waiting'),
    () => queues.sendCallback('WAITING1', { status: 'exception' }),
    ORDER_TIME_QUERY,
  ],
  [
    "a callback's event",
    makeNumberLock('WAITING1'),
    () => queues.sendCallback('WAITING1', { status: 'out_for_delivery' }),
    makeNumberTimeQuery('tracking_events', 'received_at'),
  ],
  [
    "a colleague's correction",
    makeNumberLock('WAITING1'),
    () => user.call('shipments.setStatus', { tracking_number: 'WAITING1', status: 'delivery_failure' }),
    makeNumberTimeQuery('tracking_events', 'received_at'),
  ],
  [
    'the removal of a tracking number',
    makeOrderLock('waiting'),
    () => removeNumber('WAITING1'),
    ORDER_TIME_QUERY,
  ],
  [
    'a report about a number that no order has any more',
    makeNumberLock('WAITING1'),
    () => queues.sendCallback('WAITING1', { status: 'expired' }),
    makeNumberTimeQuery('unmatched_numbers', 'latest_at'),
  ],
  [
    'the restoration of a tracking number',
    makeOrderLock('waiting'),
    () => restoreNumber('WAITING1'),
    makeNumberTimeQuery('shipments', 'updated_at'),
  ],
])('%s that waited for a lock is dated after the wait', async (_, takeLock, makeChange, timeQuery) => {
  if ((await service.database.query(ORDER_TIME_QUERY)).length === 0)
    await importOrder('waiting', { country_name: 'Waitland' });
  const instant = await changeAfterWaiting(takeLock, makeChange, async (client) => {
    const { rows } = await client.query<{ time: string }>('SELECT clock_timestamp()::text AS time');
    return rows[0]!.time;
  });
  const [result] = await service.database.query<{ is_newer: boolean }>(
    `SELECT changed_at > $1::timestamptz AS is_newer FROM (${timeQuery}) newest_change`,
    [instant],
  );
  expect(result).toEqual({ is_newer: true });
});

const setTrackingNumber = (trackingNumber: string) =>
  user.call('orders.setTracking', {
    shop_id: service.shopId,
    rows: [{ receipt_id: 'waiting', tracking_number: trackingNumber }],
  });
const removeNumber = async (trackingNumber: string) =>
  user.call('orders.removeTracking', { id: await findOrderId('waiting'), tracking_number: trackingNumber });
const restoreNumber = async (trackingNumber: string) =>
  user.call('orders.restoreTracking', { id: await findOrderId('waiting'), tracking_number: trackingNumber });
