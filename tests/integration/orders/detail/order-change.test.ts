import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createShop } from '../../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let serial = 0;
let receiptId: string;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());
beforeEach(async () => {
  receiptId = `R${++serial}`;
  await service.importRows([{ receipt_id: receiptId, title: 'T', sale_date: '8/22/2026' }]);
});

const readOrder = () => readStoredOrder(service.database, receiptId);
const findOrderId = async () => String((await readOrder()).id);
const readAuditEntries = async (id: string) =>
  service.database.query(
    `SELECT action, actor, before, after FROM audit_log WHERE record_type = 'order' AND record_id = $1 ORDER BY id`,
    [id],
  );

describe('the order status', () => {
  it('can be moved forward and back by a user, and the audit log says who did it', async () => {
    const id = await findOrderId();
    for (const status of ['cancelled', 'paid']) {
      const { data } = await operator.call('orders.setStatus', { filter: { ids: [id] }, count: 1, status });
      expect(data).toEqual({ changed: 1 });
      expect((await readOrder()).status).toBe(status);
    }
    expect(
      (await operator.call('orders.setStatus', { filter: { ids: [id] }, count: 1, status: 'paid' })).data,
    ).toEqual({
      changed: 0,
    });
    expect(await readAuditEntries(id)).toEqual([
      {
        action: 'order.set_status',
        actor: operator.email,
        before: { status: 'paid' },
        after: { status: 'cancelled' },
      },
      {
        action: 'order.set_status',
        actor: operator.email,
        before: { status: 'cancelled' },
        after: { status: 'paid' },
      },
    ]);
  });

  it('stays cancelled when a tracking number is imported', async () => {
    await operator.call('orders.setStatus', {
      filter: { ids: [await findOrderId()] },
      count: 1,
      status: 'cancelled',
    });
    await service.importRows([{ receipt_id: receiptId, tracking_number: `C${serial}` }]);
    expect((await readOrder()).status).toBe('cancelled');
  });

  it('is not changed on any order if one of the selected orders does not exist', async () => {
    const ids = [await findOrderId(), '99999999'];
    const input = { filter: { ids }, count: 2, status: 'cancelled' };
    expect((await operator.call('orders.setStatus', input)).status).toBe(404);
    expect((await readOrder()).status).toBe('paid');
  });

  it('is changed on all orders that match a filter if their number is the one that the user confirmed', async () => {
    const { id: shopId } = await createShop(service.app.services.db, TEST_ACTOR, {
      name: `Shop ${receiptId}`,
    });
    const rows = ['a', 'b', 'c'].map((name) => ({
      receipt_id: `${receiptId}${name}`,
      title: 'T',
      ...(name === 'c' ? {} : { sale_date: '8/22/2026' }),
    }));
    await service.importRows(rows, { account_id: shopId });
    const filter = { shops: [shopId], queue: 'to_ship' };
    const setStatus = (count: number) =>
      operator.call('orders.setStatus', { filter, count, status: 'cancelled' });
    const refusal = await setStatus(3);
    expect(refusal.status).toBe(409);
    expect(refusal.error?.message).toBe(
      'The number of matching orders is now 2, not 3. Nothing was changed: check the list, then try again.',
    );
    const readStatuses = () =>
      service.database.query('SELECT status FROM orders WHERE shop_id = $1 ORDER BY receipt_id', [shopId]);
    expect(await readStatuses()).toEqual([{ status: 'paid' }, { status: 'paid' }, { status: 'pending' }]);
    expect((await setStatus(2)).data).toEqual({ changed: 2 });
    expect(await readStatuses()).toEqual([
      { status: 'cancelled' },
      { status: 'cancelled' },
      { status: 'pending' },
    ]);
  });

  it('can be set on five thousand orders at once, but not on one more', async () => {
    const { id: shopId } = await createShop(service.app.services.db, TEST_ACTOR, {
      name: `Huge ${receiptId}`,
    });
    await service.database.query(
      `INSERT INTO orders (shop_id, receipt_id) SELECT $1, 'H' || n FROM generate_series(1, 5001) n`,
      [shopId],
    );
    const setStatus = (count: number) =>
      operator.call('orders.setStatus', { filter: { shops: [shopId] }, count, status: 'paid' });
    const refusal = await setStatus(5001);
    expect([refusal.status, refusal.error?.problems[0]?.path]).toEqual([422, 'filter']);
    await service.database.query(`DELETE FROM orders WHERE shop_id = $1 AND receipt_id = 'H5001'`, [shopId]);
    expect((await setStatus(5000)).data).toEqual({ changed: 5000 });
  });
});

describe('tracking numbers that a user adds', () => {
  const setTracking = (...rows: object[]) =>
    operator.call('orders.setTracking', { shop_id: service.shopId, rows });

  it('update the order from their earlier events, can be searched for, and appear in the audit log', async () => {
    const number = `ly ${serial} 00 cn`;
    await service.send('/api/v1/tracks', {
      body: {
        event: 'x',
        data: { tracking_number: number, status: 'delivered', time: '2026-08-25T10:00:00Z' },
      },
    });
    const { data } = await setTracking({
      receipt_id: `#${receiptId}`,
      tracking_number: number,
      carrier_code: 'yanwen',
    });
    expect(data).toEqual({ added: 1, unchanged: 0, orders: 1 });
    const changedOrder = await readOrder();
    expect(changedOrder).toMatchObject({ status: 'delivered', tracking_status: 'delivered' });
    expect(changedOrder.shipments).toMatchObject([
      { tracking_number: `LY${serial}00CN`, carrier_code: 'yanwen' },
    ]);
    const searchResponse = await operator.call('orders.list', { filter: { text: `ly${serial}00cn` } });
    expect(searchResponse.data.orders).toHaveLength(1);
    expect(await readAuditEntries(await findOrderId())).toMatchObject([
      { action: 'order.add_tracking_number', actor: operator.email },
    ]);
  });

  it('are stored only once; adding one again with another carrier replaces the stored carrier', async () => {
    const row = { receipt_id: receiptId, tracking_number: `D${serial}` };
    expect((await setTracking(row, row)).data).toMatchObject({ added: 1, orders: 1 });
    expect((await setTracking(row)).data).toEqual({ added: 0, unchanged: 1, orders: 1 });
    expect((await setTracking({ ...row, carrier_code: 'ups' })).data).toMatchObject({
      added: 0,
      unchanged: 0,
    });
    const { shipments } = await readOrder();
    expect(shipments).toMatchObject([{ tracking_number: `D${serial}`, carrier_code: 'ups' }]);
  });

  it('are all refused if one is blank or its order is not in the shop, and the problem names the row', async () => {
    const { status, error } = await setTracking(
      { receipt_id: receiptId, tracking_number: 'E1' },
      { receipt_id: 'nobody', tracking_number: 'E2' },
      { receipt_id: receiptId, tracking_number: ' ' },
    );
    expect(status).toBe(422);
    expect(error?.problems.map((problem) => problem.path)).toContain('rows.2.tracking_number');
    const response = await setTracking(
      { receipt_id: receiptId, tracking_number: 'E1' },
      { receipt_id: 'nobody', tracking_number: 'E2' },
    );
    expect(response.error?.problems).toEqual([
      { path: 'rows.1.receipt_id', message: 'the shop has no order "nobody"' },
    ]);
    expect((await readOrder()).shipments).toEqual([]);
  });

  it('are stored even while imports and callbacks with the same number are running', async () => {
    const rows = [{ receipt_id: receiptId, tracking_number: `F${serial}` }];
    const sendCallback = (status: string) =>
      service.send('/api/v1/tracks', {
        body: { event: 'x', data: { tracking_number: `F${serial}`, status } },
      });
    const responses = await Promise.all([
      setTracking(...rows),
      service.importRows(rows),
      sendCallback('in_transit'),
      setTracking(...rows),
      sendCallback('delivered'),
      service.importRows(rows),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await readOrder()).toMatchObject({ tracking_status: 'delivered', status: 'delivered' });
    expect((await readOrder()).shipments).toHaveLength(1);
  });
});

describe('notes', () => {
  it('show who wrote them, and can be removed only by that user', async () => {
    const id = await findOrderId();
    expect((await operator.call('orders.addNote', { id, text: ' called the buyer ' })).status).toBe(200);
    const { data } = await operator.call('orders.one', { id });
    expect(data.notes).toMatchObject([{ author: operator.email, own: true, text: 'called the buyer' }]);
    const admin = await createSignedInUser(service, 'admin');
    expect((await admin.call('orders.one', { id })).data.notes[0].own).toBe(false);
    const input = { note_id: data.notes[0].id };
    expect((await admin.call('orders.removeNote', input)).status).toBe(404);
    expect((await operator.call('orders.removeNote', input)).status).toBe(200);
    expect((await operator.call('orders.one', { id })).data.notes).toEqual([]);
    expect((await operator.call('orders.addNote', { id, text: '  ' })).status).toBe(422);
    expect((await operator.call('orders.addNote', { id: '99999999', text: 'x' })).status).toBe(404);
  });
});
