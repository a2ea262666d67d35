import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStoredOrder } from '../../support/service/stored-orders';
import { startTestService, type TestService } from '../../support/service/test-service';
import { IN_TRANSIT, trackInfoOf } from '../../support/stand-ins/carrier-reports';
import {
  CARRIER_SECRET,
  type CarrierStandIn,
  KEY_17TRACK,
  startCarrierStandIn,
  YANWEN_ACCOUNT,
} from '../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;
let service: TestService;
const path = '/api/logistics';
const requestShipments = (query: string, targetService = service) => targetService.send(`${path}?${query}`);

beforeAll(async () => {
  carrier = await startCarrierStandIn();
  service = await startTestService({
    TRACK17_KEY: KEY_17TRACK,
    TRACK17_BASE_URL: carrier.track17Url,
    CARRIER_TIMEOUT_MS: '3000',
  });
  await service.importRows([
    { receipt_id: 'asked', tracking_number: 'ASKED1' },
    { receipt_id: 'other', tracking_number: 'OTHER1' },
    { receipt_id: 'bare' },
  ]);
});
afterAll(async () => {
  await service.close();
  await carrier.close();
});

describe('GET /api/logistics', () => {
  it('queries the carrier, merges its answer, and updates the order', async () => {
    const { status, json } = await requestShipments('tracking_number=asked1');
    expect(status).toBe(200);
    expect(json.data).toHaveLength(1);
    expect(json.data[0]).toMatchObject({
      tracking_number: 'ASKED1',
      order_number: 'asked',
      status: 'in_transit',
      source: '17track',
    });
    const times = json.data[0].events.map((event: { time: string }) => event.time);
    expect(times.length).toBeGreaterThan(0);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await readStoredOrder(service.database, 'asked')).toMatchObject({
      status: 'shipped',
      tracking_status: 'in_transit',
    });
    const secondResponse = await requestShipments('tracking_number=ASKED1');
    expect(secondResponse.json.data[0].events).toEqual(json.data[0].events);
  });

  it('finds the shipment by order number, and by order and tracking number together', async () => {
    for (const query of [
      'order_number=asked',
      'order_number=%23asked',
      'order_number=asked&tracking_number=ASKED1',
    ]) {
      expect(
        (await requestShipments(query)).json.data.map(
          (row: { tracking_number: string }) => row.tracking_number,
        ),
      ).toEqual(['ASKED1']);
    }
  });

  it.each(['# 41650', '41 650', '41650.0', 'AB 12', 'A B12'])(
    'finds the order by %j, the text that it was imported with',
    async (receipt_id) => {
      await service.importRows([{ receipt_id, tracking_number: 'TYPED1' }]);
      const { json } = await requestShipments(`order_number=${encodeURIComponent(receipt_id)}`);
      expect(json.data).toEqual([expect.objectContaining({ tracking_number: 'TYPED1' })]);
    },
  );

  it('returns not_found for a number that the carrier does not know yet, and stores nothing', async () => {
    carrier.script('NEWONE1', { kind: 'unknown' });
    const { json } = await requestShipments('tracking_number=NEWONE1');
    expect(json.data).toEqual([
      {
        tracking_number: 'NEWONE1',
        order_number: null,
        carrier: null,
        status: 'not_found',
        sub_status: null,
        events: [],
        source: '17track',
      },
    ]);
    expect(
      await service.database.query(`SELECT 1 FROM tracking_numbers WHERE tracking_number = 'NEWONE1'`),
    ).toEqual([]);
  });

  it('keeps a shipment in transit while another carrier only has the announcement of its order', async () => {
    const announced = trackInfoOf({ status: 'InfoReceived', sub_status: 'InfoReceived' }, [], 'China Post');
    for (const reports of [[IN_TRANSIT], [announced, IN_TRANSIT], [IN_TRANSIT, announced]]) {
      const accepted = reports.map((track_info) => ({ number: 'TWOROWS1', track_info }));
      carrier.script('TWOROWS1', { kind: 'garbage', text: JSON.stringify({ code: 0, data: { accepted } }) });
      const { json } = await requestShipments('tracking_number=TWOROWS1');
      expect(json.data).toMatchObject([
        { status: 'in_transit', carrier: 'USPS', events: [{ status: 'in_transit' }] },
      ]);
    }
  });

  it.each([
    ['neither parameter', ''],
    ["an order number with another order's tracking number", 'order_number=asked&tracking_number=OTHER1'],
    ['an unknown order', 'order_number=nobody'],
    ['an order without a tracking number', 'order_number=bare'],
  ])('returns an empty list for %s, and queries no carrier', async (_, query) => {
    const requestCount = carrier.requests.length;
    const { status, json } = await requestShipments(query);
    expect([status, json]).toEqual([200, { success: true, data: [] }]);
    expect(carrier.requests.length).toBe(requestCount);
  });

  it('queries the carrier once for identical simultaneous requests', async () => {
    const progress = new EventEmitter();
    carrier.script('TOGETHER1', { kind: 'held', until: once(progress, 'queried') });
    const requestCount = carrier.requests.length;
    const querySpy = vi.spyOn(service.app.services.carrier, 'query');
    const responsesPromise = Promise.all(
      Array.from({ length: 8 }, () => requestShipments('tracking_number=TOGETHER1')),
    );
    await expect.poll(() => querySpy.mock.calls.length).toBe(8);
    querySpy.mockRestore();
    progress.emit('queried');
    const responses = await responsesPromise;
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(200));
    expect(carrier.requests.length).toBe(requestCount + 1);
  });

  it('queries Yanwen if it is configured', async () => {
    const yanwenService = await startTestService({
      CARRIER: 'yanwen',
      YANWEN_ACCOUNT,
      YANWEN_BASE_URL: carrier.yanwenUrl,
    });
    try {
      const { json } = await requestShipments('tracking_number=YW123456', yanwenService);
      expect(json.data[0]).toMatchObject({ tracking_number: 'YW123456', source: 'yanwen' });
      expect(json.data[0].events.length).toBeGreaterThan(0);
    } finally {
      await yanwenService.close();
    }
  });

  it('never queries the carrier about a string that is not a tracking number', async () => {
    const requestCount = carrier.requests.length;
    const { json } = await requestShipments(`tracking_number=${encodeURIComponent('单号 <x>')}`);
    expect(json.data[0]).toMatchObject({ status: 'not_found', events: [] });
    expect(carrier.requests.length).toBe(requestCount);
  });
});

it('GET /api/logistics returns 422 for an unknown, empty or repeated parameter', async () => {
  for (const [query, name] of [
    ['foo=1', 'foo'],
    ['tracking_number=', 'tracking_number'],
    ['order_number=%20', 'order_number'],
    ['order_number=a&order_number=b', 'order_number'],
  ]) {
    const { status, json } = await requestShipments(query!);
    expect(status, query).toBe(422);
    expect(json.errors[0].path).toBe(name);
  }
});

it('GET /api/logistics returns 401 without a key', async () => {
  expect((await service.send(path, { headers: { 'X-Api-Key': undefined } })).status).toBe(401);
});

describe('GET /api/logistics returns', () => {
  it('503 if no carrier is configured', async () => {
    const unconfiguredService = await startTestService();
    try {
      // Even for a number that would not be sent to any carrier.
      for (const number of ['ANY12345', 'X1']) {
        const { status, json } = await requestShipments(`tracking_number=${number}`, unconfiguredService);
        expect([status, json.source]).toEqual([503, 'carrier']);
      }
    } finally {
      await unconfiguredService.close();
    }
  });

  it('502 if the carrier refuses the query or sends garbage; its text and the key do not reach the client', async () => {
    const separateService = await startTestService({
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      CARRIER_TIMEOUT_MS: '3000',
    });
    try {
      carrier.script('BAD00001', { kind: 'status', status: 401 });
      carrier.script('BAD00002', { kind: 'garbage', text: `<html>${CARRIER_SECRET}` });
      carrier.script('BAD00003', { kind: 'code', code: -18010002 });
      for (const number of ['BAD00001', 'BAD00002', 'BAD00003']) {
        const response = await requestShipments(`tracking_number=${number}`, separateService);
        expect(response.status, number).toBe(502);
        expect(response.json).toMatchObject({ success: false, source: 'carrier' });
        expect(response.text).not.toContain(CARRIER_SECRET);
        expect(response.text).not.toContain(KEY_17TRACK);
      }
      expect(separateService.readLog()).not.toContain(KEY_17TRACK);
    } finally {
      await separateService.close();
    }
  });

  it('504 if the carrier is too slow', async () => {
    const shortTimeoutService = await startTestService({
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      CARRIER_TIMEOUT_MS: '300',
    });
    try {
      carrier.script('SLOW0001', { kind: 'slow', ms: 2000 });
      const { status, json } = await requestShipments('tracking_number=SLOW0001', shortTimeoutService);
      expect([status, json.source]).toEqual([504, 'carrier']);
    } finally {
      await shortTimeoutService.close();
    }
  });

  it('503 with Retry-After once five queries in a row have failed, without calling the carrier', async () => {
    const separateService = await startTestService({
      TRACK17_KEY: KEY_17TRACK,
      TRACK17_BASE_URL: carrier.track17Url,
      CARRIER_TIMEOUT_MS: '3000',
    });
    try {
      for (let n = 0; n < 5; n++) {
        carrier.script(`DOWN000${n}`, { kind: 'status', status: 401 });
        expect((await requestShipments(`tracking_number=DOWN000${n}`, separateService)).status).toBe(502);
      }
      const requestCount = carrier.requests.length;
      const response = await requestShipments('tracking_number=ASKED1', separateService);
      expect([response.status, response.json.source]).toEqual([503, 'carrier']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      // A number that carriers do not accept is never sent, so their failure does not matter to it.
      const { status, json } = await requestShipments('tracking_number=S1', separateService);
      expect([status, json.data]).toMatchObject([200, [{ status: 'not_found', source: '17track' }]]);
      expect(carrier.requests.length).toBe(requestCount);
    } finally {
      await separateService.close();
    }
  });
});
