import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { runBehindLock } from '../../../support/database/run-behind-lock';
import { countWaitingStatements } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let ann: SignedInUser;
let bob: SignedInUser;
let serial = 0;
let receiptId: string;
let orderId: string;

beforeAll(async () => {
  service = await startTestService();
  [ann, bob] = await Promise.all([
    createSignedInUser(service, 'operator'),
    createSignedInUser(service, 'operator'),
  ]);
});
afterAll(() => service.close());
beforeEach(async () => {
  receiptId = `R${++serial}`;
  orderId = await importPaidOrder(receiptId);
});

/** Imports a paid order. Returns its id. */
async function importPaidOrder(receipt_id: string, shopId = service.shopId): Promise<string> {
  await service.importRows([{ receipt_id, title: 'T', sale_date: '8/22/2026' }], { account_id: shopId });
  return String((await readStoredOrder(service.database, receipt_id)).id);
}

const readStatus = async (storedReceiptId = receiptId) =>
  (await readStoredOrder(service.database, storedReceiptId)).status;
const readAuditEntries = () =>
  service.database.query("SELECT id FROM audit_log WHERE action = 'order.set_status' ORDER BY id");
const setStatus = (
  user: SignedInUser,
  status: string,
  shownStatuses?: Record<string, string>,
  ids: readonly string[] = [orderId],
) =>
  user.call('orders.setStatus', {
    filter: { ids },
    count: ids.length,
    status,
    ...(shownStatuses && { shown: shownStatuses }),
  });

it('a status that a colleague has set since the page was loaded is not overwritten', async () => {
  await setStatus(bob, 'cancelled', { [orderId]: 'paid' });
  const auditEntriesBefore = await readAuditEntries();
  const { status, error } = await setStatus(ann, 'delivered', { [orderId]: 'paid' });
  expect([status, error]).toMatchObject([
    409,
    {
      code: 'conflict',
      message:
        'This has been changed since it was loaded. Nothing was saved: reload it, then make your change.',
      changed: {
        id: orderId,
        stored: { status: 'cancelled' },
        by: { name: bob.email.split('@')[0], you: false },
      },
    },
  ]);
  expect([await readStatus(), await readAuditEntries()]).toEqual(['cancelled', auditEntriesBefore]);
  expect((await setStatus(ann, 'delivered', { [orderId]: 'cancelled' })).data).toEqual({ changed: 1 });
});

it('a status that an import has set since the page was loaded is not overwritten', async () => {
  await service.importRows([{ receipt_id: receiptId, tracking_number: `SEEN${serial}` }]);
  const { status, error } = await setStatus(ann, 'cancelled', { [orderId]: 'paid' });
  expect([status, error?.changed]).toEqual([
    409,
    { id: orderId, stored: { status: 'shipped' }, by: null, at: null },
  ]);
  expect(await readStatus()).toBe('shipped');
});

it('none of several orders is changed if one of them no longer has the status that the page showed', async () => {
  const { id: shopId } = await createShop(service.app.services.db, TEST_ACTOR, { name: `Shop ${receiptId}` });
  const otherReceiptId = `${receiptId}b`;
  const otherOrderId = await importPaidOrder(otherReceiptId, shopId);
  await setStatus(bob, 'cancelled', undefined, [otherOrderId]);
  const shownStatuses = { [orderId]: 'paid', [otherOrderId]: 'paid' };
  const { status, error } = await setStatus(ann, 'shipped', shownStatuses, [orderId, otherOrderId]);
  expect([status, error?.changed]).toMatchObject([
    409,
    { id: otherOrderId, stored: { status: 'cancelled' } },
  ]);
  expect([await readStatus(), await readStatus(otherReceiptId)]).toEqual(['paid', 'cancelled']);
});

it('a status that is being changed at the same moment is not overwritten', async () => {
  // Indexing the order would wait for the lock too.
  await service.app.services.searchIndexer.finishIndexing();
  const client = await service.app.services.db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(`UPDATE orders SET status = 'delivered' WHERE shop_id = $1 AND id = $2`, [
      service.shopId,
      orderId,
    ]);
    const statusChangePromise = setStatus(ann, 'cancelled', { [orderId]: 'paid' });
    await expect.poll(() => countWaitingStatements(service.database)).toBe(1);
    await client.query('COMMIT');
    expect((await statusChangePromise).status).toBe(409);
  } finally {
    client.release();
  }
  expect(await readStatus()).toBe('delivered');
});

describe('of the orders that match a filter', () => {
  const OTHER_COUNT =
    'The number of matching orders is now 1, not 2. Nothing was changed: check the list, then try again.';

  /** Cancels the two paid orders of a new shop while another transaction that has locked one of them changes it. */
  async function cancelDuringChange(changeStatement: string) {
    const { id: shopId } = await createShop(service.app.services.db, TEST_ACTOR, {
      name: `Shop ${receiptId}`,
    });
    const receiptIds = [`${receiptId}c`, `${receiptId}d`];
    for (const id of receiptIds) await importPaidOrder(id, shopId);
    // Indexing the orders would wait for the lock too.
    await service.app.services.searchIndexer.finishIndexing();
    const [firstResponse] = await runBehindLock(
      service.database,
      changeStatement.replaceAll('RECEIPT', `'${receiptIds[0]}'`),
      () =>
        ann.call('orders.setStatus', {
          filter: { shops: [shopId], statuses: ['paid'] },
          count: 2,
          status: 'cancelled',
        }),
    );
    const statuses = await service.database.query<{ status: string }>(
      'SELECT status FROM orders WHERE shop_id = $1 ORDER BY receipt_id',
      [shopId],
    );
    return { ...firstResponse, statuses: statuses.map(({ status }) => status) };
  }

  it('none is changed if one no longer matches when its lock is free', async () => {
    const { status, error, statuses } = await cancelDuringChange(
      `UPDATE orders SET status = 'delivered' WHERE receipt_id = RECEIPT`,
    );
    expect([status, error]).toMatchObject([409, { code: 'conflict', message: OTHER_COUNT }]);
    expect(statuses).toEqual(['delivered', 'paid']);
  });

  it('none is changed if one was removed meanwhile', async () => {
    const { status, error, statuses } = await cancelDuringChange(
      `WITH items AS (DELETE FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE receipt_id = RECEIPT))
       DELETE FROM orders WHERE receipt_id = RECEIPT`,
    );
    expect([status, error]).toMatchObject([409, { code: 'conflict', message: OTHER_COUNT }]);
    expect(statuses).toEqual(['paid']);
  });

  it('all are changed if another change leaves them matching', async () => {
    const { data, statuses } = await cancelDuringChange(
      `UPDATE orders SET city = 'Oslo' WHERE receipt_id = RECEIPT`,
    );
    expect([data, statuses]).toEqual([{ changed: 2 }, ['cancelled', 'cancelled']]);
  });
});

it('a status is accepted if the order already has it, or if the request does not say which status the page showed', async () => {
  await setStatus(bob, 'cancelled');
  expect((await setStatus(ann, 'cancelled', { [orderId]: 'paid' })).data).toEqual({ changed: 0 });
  expect((await setStatus(ann, 'shipped', {})).data).toEqual({ changed: 1 });
  expect((await setStatus(ann, 'paid')).data).toEqual({ changed: 1 });
});
