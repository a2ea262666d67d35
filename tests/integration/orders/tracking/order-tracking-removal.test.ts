import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countDeadlocks } from '../../../support/database/test-database';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let serial = 0;
let receiptId: string;
let orderId: string;
let trackingNumber: string;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());
beforeEach(async () => {
  receiptId = `R${++serial}`;
  trackingNumber = `LX${serial}CN`;
  await service.importRows([
    {
      receipt_id: receiptId,
      title: 'T',
      sale_date: '8/22/2026',
      tracking_number: trackingNumber,
      carrier_code: 'ups',
    },
  ]);
  orderId = String((await readOrder()).id);
});

const readOrder = () => readStoredOrder(service.database, receiptId);
const reportStatus = (tracking_number: string, status: string, time: string) =>
  service.send('/api/v1/tracks', { body: { event: 'x', data: { tracking_number, status, time } } });
const removeNumber = (tracking_number = trackingNumber) =>
  operator.call('orders.removeTracking', { id: orderId, tracking_number });
const restoreNumber = (tracking_number = trackingNumber) =>
  operator.call('orders.restoreTracking', { id: orderId, tracking_number });
const readHistory = async () =>
  (await operator.call('orders.one', { id: orderId })).data.history.filter(
    ({ kind }: { kind: string }) => kind === 'user',
  );

describe('a mistyped tracking number', () => {
  it.each([
    ['shipped', ['shipped']],
    ['paid', ['delivered', 'paid']],
  ])(
    'leaves the order %s once it is removed, if a user had set the statuses %j before it was imported',
    async (expectedStatus, statuses) => {
      const receipt_id = `${receiptId}b`;
      await service.importRows([{ receipt_id, title: 'T', sale_date: '8/22/2026' }]);
      const otherOrderId = String((await readStoredOrder(service.database, receipt_id)).id);
      for (const status of statuses)
        await operator.call('orders.setStatus', { filter: { ids: [otherOrderId] }, count: 1, status });
      const wrongNumber = `W${serial}CN`;
      await service.importRows([{ receipt_id, tracking_number: wrongNumber }]);
      await reportStatus(wrongNumber, 'delivered', '2026-08-28T10:00:00Z');
      expect((await readStoredOrder(service.database, receipt_id)).status).toBe('delivered');
      const { data } = await operator.call('orders.removeTracking', {
        id: otherOrderId,
        tracking_number: wrongNumber,
      });
      expect(data.status).toBe(expectedStatus);
    },
  );

  it('can be removed from an order, which then gets the status that it would have without the number, as its history shows', async () => {
    await reportStatus(trackingNumber, 'delivered', '2026-08-28T10:00:00Z');
    expect((await readOrder()).status).toBe('delivered');
    const { data } = await removeNumber(` lx ${serial} cn`);
    expect(data).toEqual({ id: orderId, status: 'paid', tracking_status: null });
    const order = await readOrder();
    expect(order).toMatchObject({ status: 'paid', tracking_status: null, shipments: [] });
    const { data: list } = await operator.call('orders.list', { filter: { text: trackingNumber } });
    expect(list.orders).toEqual([]);
    expect(await readHistory()).toMatchObject([
      {
        action: 'order.remove_tracking_number',
        actor: operator.email,
        before: {
          tracking_number: trackingNumber,
          carrier_code: 'ups',
          status: 'delivered',
          tracking_status: 'delivered',
        },
        after: { status: 'paid', tracking_status: null },
      },
    ]);
    // The number's events are kept, because the number may belong to another order.
    expect((await operator.call('shipments.one', { tracking_number: trackingNumber })).data).toMatchObject({
      status: 'delivered',
      orders: [],
    });
  });

  it('can be restored as it was, with its carrier, its import and its events', async () => {
    await reportStatus(trackingNumber, 'in_transit', '2026-08-28T10:00:00Z');
    const orderBefore = await readOrder();
    await removeNumber();
    expect((await restoreNumber()).data).toEqual({
      id: orderId,
      status: 'shipped',
      tracking_status: 'in_transit',
    });
    const orderAfter = await readOrder();
    const fieldsOf = ({ shipments: [shipment] }: typeof orderBefore) => [
      shipment?.tracking_number,
      shipment?.carrier_code,
      shipment?.import_id,
    ];
    expect(fieldsOf(orderAfter)).toEqual(fieldsOf(orderBefore));
    expect(orderAfter).toMatchObject({ status: 'shipped', tracking_status: 'in_transit' });
    expect((await readHistory()).map(({ action }: { action: string }) => action)).toEqual([
      'order.restore_tracking_number',
      'order.remove_tracking_number',
    ]);
    expect(
      (await operator.call('orders.list', { filter: { text: trackingNumber } })).data.orders,
    ).toHaveLength(1);
    await restoreNumber();
    expect((await readOrder()).shipments).toHaveLength(1);
  });

  it('leaves the order with the status of its other shipments once it is removed', async () => {
    await operator.call('orders.setTracking', {
      shop_id: service.shopId,
      rows: [{ receipt_id: receiptId, tracking_number: `B${serial}` }],
    });
    await reportStatus(trackingNumber, 'exception', '2026-08-28T10:00:00Z');
    await reportStatus(`B${serial}`, 'in_transit', '2026-08-28T10:00:00Z');
    expect((await readOrder()).tracking_status).toBe('exception');
    expect((await removeNumber()).data).toMatchObject({ status: 'shipped', tracking_status: 'in_transit' });
  });

  it('leaves a status that a user has set, such as cancelled, unchanged when it is removed', async () => {
    for (const status of ['shipped', 'cancelled']) {
      await operator.call('orders.setStatus', { filter: { ids: [orderId] }, count: 1, status: 'paid' });
      await operator.call('orders.setStatus', { filter: { ids: [orderId] }, count: 1, status });
      expect((await removeNumber()).data.status).toBe(status);
      await restoreNumber();
    }
  });

  it('that has no events is deleted when it is removed, and can still be restored', async () => {
    await removeNumber();
    expect((await operator.call('shipments.one', { tracking_number: trackingNumber })).status).toBe(404);
    expect((await restoreNumber()).data).toMatchObject({ status: 'shipped', tracking_status: 'not_found' });
  });

  it('results in 404 if the order does not have it or nobody has removed it; viewers may neither remove nor restore it', async () => {
    expect((await removeNumber('NONE1')).status).toBe(404);
    expect((await restoreNumber()).status).toBe(404);
    expect(
      (await operator.call('orders.removeTracking', { id: '999999', tracking_number: trackingNumber }))
        .status,
    ).toBe(404);
    for (const procedure of ['orders.removeTracking', 'orders.restoreTracking']) {
      expect((await viewer.call(procedure, { id: orderId, tracking_number: trackingNumber })).status).toBe(
        403,
      );
    }
    expect((await readOrder()).shipments).toHaveLength(1);
  });

  it('can be removed and restored during callbacks and imports with the same number without a deadlock', async () => {
    const rows = [{ receipt_id: receiptId, transaction_id: '1', tracking_number: trackingNumber }];
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all([
        removeNumber(),
        reportStatus(trackingNumber, 'in_transit', `2026-08-2${round}T10:00:00Z`),
        service.importRows(rows),
        restoreNumber(),
        reportStatus(trackingNumber, 'delivered', `2026-08-2${round}T11:00:00Z`),
      ]);
      for (const { status } of responses) expect([200, 404]).toContain(status);
      await restoreNumber();
    }
    expect((await readOrder()).shipments).toHaveLength(1);
    expect(await countDeadlocks(service.database)).toBe(0);
  });
});

describe('a string that is not a tracking number', () => {
  it.each([
    ['n/a', 'must be letters and digits, with at least one digit, and not only zeros'],
    ['-', 'must be letters and digits, with at least one digit, and not only zeros'],
    ['LX1,LX2', 'contains several tracking numbers; enter them one by one'],
  ])('such as %j is refused with a message, and adds no shipment', async (tracking_number, message) => {
    const rows = [{ receipt_id: receiptId, tracking_number }];
    const { status, error } = await operator.call('orders.setTracking', { shop_id: service.shopId, rows });
    expect(status).toBe(422);
    expect(error?.problems).toEqual([{ path: 'rows.0.tracking_number', message }]);
    expect((await readOrder()).shipments).toHaveLength(1);
  });
});
