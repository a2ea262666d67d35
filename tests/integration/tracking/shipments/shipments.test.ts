import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { createShop } from '../../../../src/server/shops/account-service';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, TEST_ACTOR, type TestService } from '../../../support/service/test-service';
import { DELIVERED } from '../../../support/stand-ins/carrier-reports';
import {
  CARRIER_SECRET,
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
let operator: SignedInUser;
let viewer: SignedInUser;
let otherShopId: number;

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({ TRACK17_KEY: KEY_17TRACK, TRACK17_BASE_URL: carrier.track17Url });
  operator = await createSignedInUser(service, 'operator');
  viewer = await createSignedInUser(service, 'viewer');
  otherShopId = (
    await createShop(service.app.services.db, TEST_ACTOR, { name: 'Other shop', shopId: 'other' })
  ).id;
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

const sendCallback = (tracking_number: string, status: string, time: string) =>
  service.send('/api/v1/tracks', { body: { event: 'tracking', data: { tracking_number, status, time } } });
const numbersOf = (shipments: { tracking_number: string }[]) =>
  shipments.map((shipment) => shipment.tracking_number);

describe('shipments', () => {
  it('are counted as zero in an empty database', async () => {
    const { data } = await viewer.call('shipments.counts', {});
    expect(data).toMatchObject({ total: 0 });
    expect((await viewer.call('shipments.carriers')).data).toEqual([]);
    expect(data.statuses).toHaveLength(9);
    expect((await viewer.call('shipments.list', {})).data).toEqual({ shipments: [], next: null });
  });

  it('are counted by status and shop, can be filtered by status, shop, carrier and time, and are listed with their order and last event', async () => {
    await service.importRows([
      { receipt_id: 'p1', tracking_number: 'P1', carrier_code: 'usps' },
      { receipt_id: 'p2', tracking_number: 'P1' },
      { receipt_id: 'p3', tracking_number: 'P2', carrier_code: 'yanwen' },
    ]);
    await service.importRows([{ receipt_id: 'p4', tracking_number: 'P4' }], { account_id: otherShopId });
    await sendCallback('P1', 'in_transit', '2026-08-25T10:00:00Z');
    await sendCallback('P2', 'delivered', '2026-08-26T10:00:00Z');
    await sendCallback('NOORDER', 'in_transit', '2026-08-20T10:00:00Z');
    const readCounts = async (input: unknown) => {
      const { statuses, total } = (await viewer.call('shipments.counts', input)).data;
      const nonZero = statuses.filter((row: { count: number }) => row.count > 0);
      return [total, nonZero.map((row: { status: string; count: number }) => `${row.status} ${row.count}`)];
    };
    expect(await readCounts({})).toEqual([4, ['not_found 1', 'in_transit 2', 'delivered 1']]);
    expect(await readCounts({ shops: [otherShopId] })).toEqual([1, ['not_found 1']]);
    expect((await viewer.call('shipments.carriers')).data).toEqual([
      { code: 'usps', name: 'USPS' },
      { code: 'yanwen', name: 'Yanwen' },
    ]);
    const listShipments = async (input: unknown) =>
      (await viewer.call('shipments.list', input)).data.shipments;
    expect(numbersOf(await listShipments({}))).toEqual(['P4', 'P2', 'P1', 'NOORDER']);
    expect(numbersOf(await listShipments({ statuses: ['in_transit'] }))).toEqual(['P1', 'NOORDER']);
    expect(numbersOf(await listShipments({ shops: [service.shopId] }))).toEqual(['P2', 'P1']);
    expect(numbersOf(await listShipments({ carrier: 'YANWEN' }))).toEqual(['P2']);
    const period = { since_from: '2026-08-25T00:00:00Z', since_to: '2026-08-25T23:00:00Z' };
    expect(numbersOf(await listShipments(period))).toEqual(['P1']);
    const [sharedShipment] = await listShipments({ carrier: 'usps' });
    expect(sharedShipment).toMatchObject({
      carrier: 'USPS',
      order: { receipt_id: 'p2', shop: 'Test shop' },
      order_count: 2,
      last_event: { status: 'in_transit', occurred_at: '2026-08-25T10:00:00.000000Z' },
    });
    expect(
      (await listShipments({ statuses: ['in_transit'], since_to: '2026-08-21T00:00:00Z' }))[0].order,
    ).toBeNull();
  });

  it('are listed page by page, each once, even those with the same time', async () => {
    await service.database.query(
      `INSERT INTO tracking_numbers (tracking_number, status, status_at)
       SELECT 'SAME' || n, 'expired', '2026-01-01T00:00:00.123456Z' FROM generate_series(10, 16) n`,
    );
    const foundNumbers: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await viewer.call('shipments.list', { statuses: ['expired'], limit: 3, cursor });
      foundNumbers.push(...numbersOf(data.shipments));
      cursor = data.next ?? undefined;
    } while (cursor !== undefined);
    expect(foundNumbers).toEqual([16, 15, 14, 13, 12, 11, 10].map((n) => `SAME${n}`));
    expect((await viewer.call('shipments.list', { cursor: 'nonsense' })).status).toBe(422);
  });

  it('are shown with their observations and the number of their orders', async () => {
    const { data } = await viewer.call('shipments.one', { tracking_number: ' p1 ' });
    expect(data).toMatchObject({ tracking_number: 'P1', event_count: 1, order_count: 2 });
    expect(data.events[0]).toMatchObject({ source: 'callback', record_id: expect.any(String) });
    expect((await viewer.call('shipments.one', { tracking_number: 'NOPE' })).status).toBe(404);
  });
});

describe('the text for the buyer', () => {
  it('is the one that the API returns for the id of the order', async () => {
    await service.importRows([{ receipt_id: 'known', tracking_number: 'KNOWN1' }]);
    const { id } = await readStoredOrder(service.database, 'known');
    const { data } = await viewer.call('shipments.text', { order_id: String(id) });
    const { json } = await service.send(`/api/v1/tracking-text?order_id=${id}`);
    expect(data).toEqual({ text: json.data.text });
    expect((await viewer.call('shipments.text', { order_id: '999999' })).status).toBe(404);
  });
});

describe('querying the carrier', () => {
  it('merges its answers, and shows the outcome of each number', async () => {
    await service.importRows([{ receipt_id: 'ask', tracking_number: 'ASK1' }]);
    carrier.script('ASK1', { kind: 'known', report: DELIVERED });
    carrier.script('ASK2', { kind: 'unknown' });
    const input = { tracking_numbers: ['ask 1', 'ASK1', 'ASK2', 'A,B'] };
    const { data } = await operator.call('shipments.askCarrier', input);
    expect(data).toEqual({
      results: [
        {
          tracking_number: 'ASK1',
          outcome: 'answered',
          reason: null,
          status: 'delivered',
          sub_status: 'Delivered_Other',
          new_events: 1,
          changed: true,
        },
        expect.objectContaining({ tracking_number: 'ASK2', outcome: 'unknown', status: null }),
        expect.objectContaining({
          tracking_number: 'A,B',
          outcome: 'failed',
          reason: { reason: 'callback.notAskable', values: {} },
        }),
      ],
      updated_orders: 1,
    });
    expect(await readStoredOrder(service.database, 'ask')).toMatchObject({ tracking_status: 'delivered' });
    const shipment = (await viewer.call('shipments.one', { tracking_number: 'ASK1' })).data;
    expect(shipment).toMatchObject({ asked_at: expect.any(String), registered_at: null, carrier: 'USPS' });
    const secondResult = (await operator.call('shipments.askCarrier', { tracking_numbers: ['ASK1'] })).data
      .results[0];
    expect(secondResult).toMatchObject({ new_events: 0, changed: false });
  });

  it('stores nothing about a number that was never stored, or that is removed before the carrier answers', async () => {
    await service.importRows([{ receipt_id: 'typo', tracking_number: 'TYPO1' }]);
    let releaseAnswer!: () => void;
    const releasePromise = new Promise<void>((resolve) => {
      releaseAnswer = resolve;
    });
    carrier.script('TYPO1', { kind: 'held', until: releasePromise });
    const queryPromise = operator.call('shipments.askCarrier', { tracking_numbers: ['TYPO1', 'STRAY1'] });
    await expect.poll(() => carrier.requests.some((request) => request.numbers.includes('TYPO1'))).toBe(true);
    const { id } = await readStoredOrder(service.database, 'typo');
    await operator.call('orders.removeTracking', { id: String(id), tracking_number: 'TYPO1' });
    releaseAnswer();
    const unchangedResult = { outcome: 'answered', status: null, new_events: 0, changed: false };
    expect((await queryPromise).data.results).toMatchObject([unchangedResult, unchangedResult]);
    for (const tracking_number of ['TYPO1', 'STRAY1'])
      expect((await viewer.call('shipments.one', { tracking_number })).status).toBe(404);
  });

  it('reports the failure for each number in our own words if the carrier fails', async () => {
    carrier.script('BAD1', { kind: 'code', code: -18010013 });
    const { status, data } = await operator.call('shipments.askCarrier', {
      tracking_numbers: ['BAD1', 'BAD2'],
    });
    expect(status).toBe(200);
    for (const result of data.results) {
      expect(result).toMatchObject({ outcome: 'failed', new_events: 0, changed: false });
      expect(sentenceOf(result.reason)).not.toContain(CARRIER_SECRET);
    }
  });

  it('accepts at most 40 numbers, only from users with write permission, and only if a carrier is configured', async () => {
    const tooManyNumbers = Array.from({ length: 41 }, (_, n) => `MANY${n}`);
    expect((await operator.call('shipments.askCarrier', { tracking_numbers: tooManyNumbers })).status).toBe(
      422,
    );
    expect((await viewer.call('shipments.askCarrier', { tracking_numbers: ['MANY1'] })).status).toBe(403);
    const unconfiguredService = await startTestService();
    try {
      const user = await createSignedInUser(unconfiguredService, 'operator');
      const response = await user.call('shipments.askCarrier', { tracking_numbers: ['X123'] });
      expect([response.status, response.error?.code]).toEqual([503, 'upstream_not_configured']);
    } finally {
      await unconfiguredService.close();
    }
  });
});
