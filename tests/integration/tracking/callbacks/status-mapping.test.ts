import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';
import { trackInfoOf } from '../../../support/stand-ins/carrier-reports';
import {
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let admin: SignedInUser;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  admin = await createSignedInUser(service, 'admin');
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

const sendCallback = async (tracking_number: string, status: string, time: string, members = {}) => {
  const data = { tracking_number, status, time, ...members };
  return (await service.send('/api/v1/tracks', { body: { event: 'tracking', data } })).json.data;
};
const readStatus = async (number: string) => {
  const sql = 'SELECT status FROM tracking_numbers WHERE tracking_number = $1';
  return (await service.database.query<{ status: string }>(sql, [number]))[0]?.status;
};
const findUnmappedStatus = async (providerStatus: string) => {
  const { data } = await viewer.call('callbacks.unmapped');
  return data.statuses.find(
    (status: { provider_status: string }) => status.provider_status.toLowerCase() === providerStatus,
  );
};
const mapStatus = (provider_status: string, status: string, source = 'plain') =>
  operator.call('callbacks.mapStatus', { source, provider_status, status });

describe('an unknown status', () => {
  it('is listed with its number of events and shipments, and its newest example', async () => {
    await sendCallback('QUEUE1', 'Teleported', '2026-08-25T10:00:00Z');
    const { record_id } = await sendCallback('QUEUE2', ' teleported ', '2026-08-26T10:00:00Z');
    expect(await findUnmappedStatus('teleported')).toMatchObject({
      source: 'plain',
      provider_status: 'teleported',
      events: 2,
      shipments: 2,
      example: {
        tracking_number: 'QUEUE2',
        record_id: String(record_id),
        occurred_at: '2026-08-26T10:00:00.000Z',
      },
    });
  });

  it('may have up to 500 characters of any script to be mapped; a longer one is listed, but refused', async () => {
    // Different characters, which PostgreSQL cannot compress, and a capital that is longer in lower case.
    const makeStatus = (length: number) =>
      `Ⱥ${String.fromCharCode(...Array.from({ length: length - 1 }, (_, index) => 0x4e00 + ((index * 7919) % 20_000)))}`;
    for (const [length, status] of [
      [500, 200],
      [501, 422],
      [2_000, 422],
    ] as const) {
      const providerStatus = makeStatus(length);
      const track_info = trackInfoOf({ status: providerStatus, sub_status: '' }, []);
      const body = { event: 'TRACKING_UPDATED', data: { number: `SCRIPT${length}`, track_info } };
      expect((await service.send('/api/v1/tracks', { body })).status).toBe(200);
      expect(await findUnmappedStatus(providerStatus.toLowerCase())).toMatchObject({ events: 1 });
      expect((await mapStatus(providerStatus, 'delivered', '17track')).status).toBe(status);
    }
    expect(await readStatus('SCRIPT500')).toBe('delivered');
  });

  it('once mapped, immediately updates the stored shipments and orders, leaves the list, and is audited', async () => {
    await service.importRows([{ receipt_id: 'mapped', tracking_number: 'MAPPED1' }]);
    await sendCallback('MAPPED1', 'in_transit', '2026-08-25T10:00:00Z');
    await sendCallback('MAPPED1', 'Handed Over', '2026-08-26T10:00:00Z');
    expect(await readStatus('MAPPED1')).toBe('in_transit');
    const { data } = await mapStatus('HANDED over', 'delivered');
    expect(data).toEqual({
      changed_events: 1,
      updated_orders: 1,
      changes: [{ tracking_number: 'MAPPED1', before: 'in_transit', after: 'delivered' }],
      change_count: 1,
    });
    expect(await readStoredOrder(service.database, 'mapped')).toMatchObject({
      status: 'delivered',
      tracking_status: 'delivered',
    });
    expect(await findUnmappedStatus('handed over')).toBeUndefined();
    expect((await viewer.call('callbacks.mappings')).data.mappings).toContainEqual(
      expect.objectContaining({
        provider_status: 'handed over',
        status: 'delivered',
        created_by: operator.email,
      }),
    );
    const [entry] = (await admin.call('audit.list', { action: 'status_mapping.set', limit: 1 })).data.entries;
    expect(entry).toMatchObject({ record_id: 'plain: handed over', after: { status: 'delivered' } });
    // Setting the same meaning again is harmless.
    expect((await mapStatus('handed over', 'delivered')).data).toMatchObject({
      changed_events: 0,
      change_count: 0,
    });
  });

  it('once mapped, is understood from the next callback on, even if another process mapped it', async () => {
    await mapStatus('drone drop', 'out_for_delivery');
    await sendCallback('NEXT1', 'Drone Drop', '2026-08-26T10:00:00Z');
    expect(await readStatus('NEXT1')).toBe('out_for_delivery');
    // Simulates another process, which shares only the database with this one.
    await service.database.query(
      `INSERT INTO status_mappings (source, provider_status, status, created_by)
       VALUES ('plain', 'from elsewhere', 'exception', 'another process')`,
    );
    await sendCallback('NEXT2', 'From Elsewhere', '2026-08-26T10:00:00Z');
    expect(await readStatus('NEXT2')).toBe('exception');
  });

  it("once mapped, is also understood in the carrier's answers, but only from the source that it is mapped for", async () => {
    const events = [{ time_utc: '2026-11-18T14:30:00Z', description: 'x', sub_status: 'Parked_Here' }];
    const report = trackInfoOf({ status: 'Parked', sub_status: 'Parked_Here' }, events);
    carrier.script('ASKED1', { kind: 'known', report });
    await service.importRows([{ receipt_id: 'asked', tracking_number: 'ASKED1' }]);
    await mapStatus('parked_here', 'available_for_pickup', '17track');
    await operator.call('shipments.askCarrier', { tracking_numbers: ['ASKED1'] });
    expect(await readStatus('ASKED1')).toBe('available_for_pickup');
    await sendCallback('ASKED2', 'parked_here', '2026-08-26T10:00:00Z');
    expect(await readStatus('ASKED2')).toBe('not_found');
  });

  it('can get another meaning or lose it, and shipments change accordingly', async () => {
    await sendCallback('REMAP1', 'in_transit', '2026-08-25T10:00:00Z');
    await sendCallback('REMAP1', 'Blue', '2026-08-26T10:00:00Z');
    await mapStatus('blue', 'delivered');
    expect(await readStatus('REMAP1')).toBe('delivered');
    await mapStatus('blue', 'exception');
    expect(await readStatus('REMAP1')).toBe('exception');
    const unmapResponse = await operator.call('callbacks.unmapStatus', {
      source: 'plain',
      provider_status: 'BLUE',
    });
    expect(unmapResponse.data).toMatchObject({ changed_events: 1, change_count: 1 });
    expect(await readStatus('REMAP1')).toBe('in_transit');
    expect(await findUnmappedStatus('blue')).toMatchObject({ events: 1 });
    const secondResponse = await operator.call('callbacks.unmapStatus', {
      source: 'plain',
      provider_status: 'blue',
    });
    expect(secondResponse.status).toBe(404);
  });

  it('can get another meaning or lose it, and orders move back unless a user has set their status', async () => {
    await service.importRows(
      ['free', 'set'].map((receiptId) => ({ receipt_id: receiptId, tracking_number: `GREEN ${receiptId}1` })),
    );
    for (const receiptId of ['free', 'set'])
      await sendCallback(`GREEN ${receiptId}1`, 'Green', '2026-08-26T10:00:00Z');
    const ids = [String((await readStoredOrder(service.database, 'set')).id)];
    const readOrderStatuses = async () => {
      const orders = await Promise.all(
        ['free', 'set'].map((receiptId) => readStoredOrder(service.database, receiptId)),
      );
      return orders.map(({ status, tracking_status }) => `${status}, ${tracking_status}`);
    };
    await operator.call('orders.setStatus', { filter: { ids }, count: 1, status: 'delivered' });
    await mapStatus('green', 'delivered');
    expect(await readOrderStatuses()).toEqual(['delivered, delivered', 'delivered, delivered']);
    expect((await mapStatus('green', 'in_transit')).data.updated_orders).toBe(2);
    expect(await readOrderStatuses()).toEqual(['shipped, in_transit', 'delivered, in_transit']);
    await mapStatus('green', 'delivered');
    await operator.call('callbacks.unmapStatus', { source: 'plain', provider_status: 'green' });
    expect(await readOrderStatuses()).toEqual(['shipped, not_found', 'delivered, not_found']);
  });

  it('can be mapped, remapped and unmapped even if it came with a sub-status', async () => {
    await sendCallback('SUBBED1', 'Weird', '2026-08-26T10:00:00Z', { sub_status: 'foo' });
    expect((await mapStatus('weird', 'in_transit')).data).toMatchObject({ changed_events: 1 });
    expect(await readStatus('SUBBED1')).toBe('in_transit');
    expect(await findUnmappedStatus('weird')).toBeUndefined();
    await sendCallback('SUBBED2', 'Weird', '2026-08-26T10:00:00Z', { sub_status: 'bar' });
    expect((await mapStatus('weird', 'exception')).data).toMatchObject({ changed_events: 2 });
    expect(await readStatus('SUBBED2')).toBe('exception');
    const statusKey = { source: 'plain', provider_status: 'weird' };
    expect((await operator.call('callbacks.unmapStatus', statusKey)).data).toMatchObject({
      changed_events: 2,
    });
    expect(await readStatus('SUBBED1')).toBe('not_found');
    expect(await findUnmappedStatus('weird')).toMatchObject({ events: 2 });
  });

  it('gets its meaning even in callbacks that arrive while it is being mapped', async () => {
    for (let round = 0; round < 6; round++) {
      const providerStatus = `racing ${round}`;
      const numbers = Array.from({ length: 12 }, (_, n) => `RACE${round}N${n}`);
      const callbackPromises = numbers.map((number) =>
        sendCallback(number, providerStatus, '2026-08-26T10:00:00Z'),
      );
      await Promise.all([...callbackPromises, mapStatus(providerStatus, 'delivered')]);
      const statuses = await Promise.all(numbers.map(readStatus));
      expect(statuses, providerStatus).toEqual(Array(12).fill('delivered'));
    }
  });

  it('can have its callbacks replayed while it is unmapped', async () => {
    await sendCallback('UNMAPPED1', 'Puzzling', '2026-08-26T10:00:00Z');
    const statusKey = { source: 'plain', provider_status: 'puzzling' };
    const { data } = await operator.call('callbacks.replayUnmapped', statusKey);
    expect(data).toMatchObject({ records: [{ found: true, tracking_numbers: ['UNMAPPED1'] }], left: 0 });
    await mapStatus('puzzling', 'exception');
    expect((await operator.call('callbacks.replayUnmapped', statusKey)).data).toEqual({
      records: [],
      left: 0,
      started_at: null,
    });
  });

  it('can be mapped for thousands of shipments with one call', async () => {
    await service.database.query(
      `WITH bulk_numbers AS (INSERT INTO tracking_numbers (tracking_number) SELECT 'BULK' || n FROM generate_series(1, 3000) n)
       SELECT 1`,
    );
    await service.database.query(
      `INSERT INTO tracking_events (tracking_number, kind, identity, occurred_at, provider_status, source)
       SELECT 'BULK' || n, 'event', sha256(n::text::bytea), now(), 'Bulky', 'callback' FROM generate_series(1, 3000) n`,
    );
    const { data } = await mapStatus('bulky', 'delivered');
    expect(data).toMatchObject({ changed_events: 3000, change_count: 3000 });
    expect(data.changes).toHaveLength(500);
  });

  it('can be mapped only by users with write permission, and only to an existing status', async () => {
    const input = { source: 'plain', provider_status: 'x', status: 'delivered' };
    expect((await viewer.call('callbacks.mapStatus', input)).status).toBe(403);
    expect(
      (await viewer.call('callbacks.unmapStatus', { source: 'plain', provider_status: 'x' })).status,
    ).toBe(403);
    for (const invalidMembers of [
      { status: 'gone' },
      { source: 'dhl' },
      { provider_status: ' ' },
      { provider_status: '\u0000' },
    ])
      expect((await operator.call('callbacks.mapStatus', { ...input, ...invalidMembers })).status).toBe(422);
  });
});
