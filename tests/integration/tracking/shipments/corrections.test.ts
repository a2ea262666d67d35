import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let serial = 0;
let receiptId: string;
let trackingNumber: string;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
});
afterAll(() => service.close());
beforeEach(async () => {
  receiptId = `R${++serial}`;
  trackingNumber = `C${serial}`;
  await service.importRows([
    { receipt_id: receiptId, sale_date: '8/22/2026', tracking_number: trackingNumber },
  ]);
  await sendCallback('in_transit', '2026-08-23T10:00:00Z');
});

const readOrder = () => readStoredOrder(service.database, receiptId);
const readStatuses = async () => {
  const { status, tracking_status } = await readOrder();
  return [status, tracking_status];
};
const sendCallback = (status: string, time: string) =>
  service.send('/api/v1/tracks', {
    body: { event: 'x', data: { tracking_number: trackingNumber, status, time } },
  });
const setStatus = async (status: string, note?: string) =>
  (
    await operator.call('shipments.setStatus', {
      tracking_number: trackingNumber,
      status,
      ...(note ? { note } : {}),
    })
  ).data;
const undoCorrection = (event_id: string) =>
  operator.call('shipments.undoCorrection', { tracking_number: trackingNumber, event_id });
/** Later than any correction in these tests. */
const FAR_FUTURE = '2099-01-01T00:00:00Z';

describe('a shipment status that a user sets', () => {
  it('applies to shipment and order immediately, and undoing it restores their former status', async () => {
    const correction = await setStatus('delivered', 'The buyer confirmed it');
    expect(correction).toEqual({
      event_id: expect.any(String),
      status: 'delivered',
      sub_status: null,
      updated_orders: 1,
    });
    expect(await readStatuses()).toEqual(['delivered', 'delivered']);
    const { data } = await operator.call('shipments.one', { tracking_number: trackingNumber });
    expect(data.events[0]).toMatchObject({
      id: correction.event_id,
      kind: 'correction',
      status: 'delivered',
      description: 'The buyer confirmed it',
      source: 'person',
    });
    const undoResult = (await undoCorrection(correction.event_id)).data;
    expect(undoResult).toMatchObject({ status: 'in_transit', updated_orders: 1 });
    expect(await readStatuses()).toEqual(['shipped', 'in_transit']);
    expect((await undoCorrection(correction.event_id)).status).toBe(404);
  });

  it('replaces an exception, although a callback with the same time as the exception does not, whichever arrives first', async () => {
    const readStatus = async () => (await readOrder()).tracking_status;
    for (const status of ['exception', 'out_for_delivery'])
      await sendCallback(status, '2026-08-24T10:00:00Z');
    expect(await readStatus()).toBe('exception');
    for (const status of ['out_for_delivery', 'exception'])
      await sendCallback(status, '2026-08-25T10:00:00Z');
    expect(await readStatus()).toBe('exception');
    await setStatus('out_for_delivery');
    expect(await readStatus()).toBe('out_for_delivery');
  });

  it('is in the history of the order with its note and in the audit log, and so is undoing it', async () => {
    const { event_id } = await setStatus('delivered', 'Seen');
    await undoCorrection(event_id);
    const { data } = await operator.call('orders.one', { id: String((await readOrder()).id) });
    const corrections = data.history.filter(({ kind }: { kind: string }) => kind === 'user');
    expect(corrections).toMatchObject([
      {
        action: 'shipment.take_back_status',
        actor: operator.email,
        before: { shipment_status: 'delivered', status: 'delivered' },
        after: {
          tracking_number: trackingNumber,
          shipment_status: 'in_transit',
          status: 'shipped',
          text: 'Seen',
        },
      },
      {
        action: 'shipment.set_status',
        before: { shipment_status: 'in_transit', status: 'shipped', tracking_status: 'in_transit' },
        after: {
          tracking_number: trackingNumber,
          shipment_status: 'delivered',
          status: 'delivered',
          tracking_status: 'delivered',
          text: 'Seen',
          event_id,
        },
      },
    ]);
    expect(
      await service.database.query(
        `SELECT action FROM audit_log WHERE record_type = 'shipment' AND record_id = $1 ORDER BY id`,
        [trackingNumber],
      ),
    ).toEqual([{ action: 'shipment.set_status' }, { action: 'shipment.take_back_status' }]);
  });

  it('moves a delivered shipment and its order back, and a late event does not undo that', async () => {
    await sendCallback('delivered', '2026-08-28T10:00:00Z');
    expect(await readStatuses()).toEqual(['delivered', 'delivered']);
    const { event_id } = await setStatus('in_transit');
    expect(await readStatuses()).toEqual(['shipped', 'in_transit']);
    // Arrives after the correction, but dates from before it.
    await sendCallback('in_transit', '2026-08-25T10:00:00Z');
    expect(await readStatuses()).toEqual(['shipped', 'in_transit']);
    await undoCorrection(event_id);
    expect(await readStatuses()).toEqual(['delivered', 'delivered']);
  });

  it('is replaced by a later observation', async () => {
    await setStatus('delivery_failure');
    await sendCallback('delivered', FAR_FUTURE);
    expect(await readStatuses()).toEqual(['delivered', 'delivered']);
  });

  it('takes effect even if the carrier’s clock is ahead', async () => {
    await sendCallback('out_for_delivery', FAR_FUTURE);
    expect((await setStatus('exception')).status).toBe('exception');
    expect((await setStatus('delivered')).status).toBe('delivered');
  });

  it('does not change an order status that a user has set', async () => {
    await operator.call('orders.setStatus', {
      filter: { ids: [String((await readOrder()).id)] },
      count: 1,
      status: 'delivered',
    });
    const { event_id } = await setStatus('exception');
    expect(await readStatuses()).toEqual(['delivered', 'exception']);
    await undoCorrection(event_id);
    expect(await readStatuses()).toEqual(['delivered', 'in_transit']);
  });

  it('applies to every order that shares the number', async () => {
    await service.importRows([{ receipt_id: `${receiptId}b`, tracking_number: trackingNumber }]);
    expect((await setStatus('delivered')).updated_orders).toBe(2);
  });

  it('can be undone for a number that no order has any more, which deletes the number and its events', async () => {
    trackingNumber = `ONLY${serial}`;
    await service.importRows([{ receipt_id: receiptId, tracking_number: trackingNumber }]);
    const { event_id } = await setStatus('delivered');
    const removalInput = { id: String((await readOrder()).id), tracking_number: trackingNumber };
    expect((await operator.call('orders.removeTracking', removalInput)).error).toBeNull();
    expect((await undoCorrection(event_id)).data).toMatchObject({ status: 'not_found', updated_orders: 0 });
    const storedRows = await service.database.query(
      'SELECT 1 FROM tracking_numbers WHERE tracking_number = $1 UNION ALL SELECT 1 FROM tracking_events WHERE tracking_number = $1',
      [trackingNumber],
    );
    expect(storedRows).toEqual([]);
  });

  it("is refused for an unknown number and denied to viewers, and a carrier's event cannot be undone; nothing changes", async () => {
    const { data } = await operator.call('shipments.one', { tracking_number: trackingNumber });
    expect((await undoCorrection(data.events[0].id)).status).toBe(404);
    expect(
      (await operator.call('shipments.setStatus', { tracking_number: 'NOBODY1', status: 'delivered' }))
        .status,
    ).toBe(404);
    expect(
      await service.database.query(`SELECT 1 FROM tracking_numbers WHERE tracking_number = 'NOBODY1'`),
    ).toEqual([]);
    for (const response of await Promise.all([
      viewer.call('shipments.setStatus', { tracking_number: trackingNumber, status: 'delivered' }),
      viewer.call('shipments.undoCorrection', { tracking_number: trackingNumber, event_id: '1' }),
    ])) {
      expect(response.status).toBe(403);
    }
    expect(await readStatuses()).toEqual(['shipped', 'in_transit']);
  });
});
