import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let orderId: number;
const path = '/api/v1/tracking-text';

beforeAll(async () => {
  service = await startTestService();
  await service.importRows([
    { receipt_id: 'known', sale_date: '8/22/2026', tracking_number: 'KNOWN1', carrier_code: 'yanwen' },
    { receipt_id: 'unshipped', sale_date: '8/22/2026' },
    { receipt_id: 'other', tracking_number: 'OTHER1' },
  ]);
  orderId = Number((await readStoredOrder(service.database, 'known')).id);
  await service.send('/api/v1/tracks', {
    body: {
      event: 'tracking',
      data: [
        {
          tracking_number: 'KNOWN1',
          status: 'in_transit',
          time: '2026-08-23T14:00:00Z',
          description: '已到达洛杉矶',
          location: '洛杉矶',
        },
        {
          tracking_number: 'KNOWN1',
          status: 'delivered',
          time: '2026-08-28T19:04:00Z',
          description: '派件成功',
          location: 'Austin, TX',
        },
      ],
    },
  });
});
afterAll(() => service.close());

describe('GET /api/v1/tracking-text', () => {
  it('describes an order by its id, as JSON by default', async () => {
    const { status, json } = await service.send(`${path}?order_id=${orderId}`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      order_id: orderId,
      receipt_id: 'known',
      tracking_number: 'KNOWN1',
      carrier: 'Yanwen',
      status: 'delivered',
    });
    expect(json.data.text).toMatch(/delivered/i);
    expect(json.data.text).toContain('August 28, 2026, 3:04 PM New York time');
    expect(json.data.text).not.toMatch(/\p{Script=Han}/u);
    expect(json.data.events.map((event: { time: string }) => event.time)).toEqual([
      '2026-08-28T19:04:00.000Z',
      '2026-08-23T14:00:00.000Z',
    ]);
  });

  it('describes a tracking number in any spelling, alone or with its order', async () => {
    for (const query of [
      'tracking_number=known%201',
      `order_id=${orderId}&tracking_number=KNOWN1&format=json`,
    ]) {
      expect((await service.send(`${path}?${query}`)).json.data).toMatchObject({
        order_id: orderId,
        tracking_number: 'KNOWN1',
      });
    }
  });

  it('returns the same text as text/plain with format=text', async () => {
    const { json } = await service.send(`${path}?order_id=${orderId}`);
    const textResponse = await service.send(`${path}?order_id=${orderId}&format=text`);
    expect(textResponse.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(textResponse.text).toBe(json.data.text);
    const headResponse = await service.send(`${path}?order_id=${orderId}&format=text`, { method: 'HEAD' });
    expect([headResponse.status, headResponse.text, headResponse.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/plain; charset=utf-8',
    ]);
  });

  it('says that an order without a tracking number has not been shipped yet', async () => {
    const { id } = await readStoredOrder(service.database, 'unshipped');
    const { json } = await service.send(`${path}?order_id=${id}`);
    expect(json.data).toMatchObject({
      receipt_id: 'unshipped',
      tracking_number: null,
      carrier: null,
      status: null,
      events: [],
    });
    expect(json.data.text).toMatch(/not (been )?shipped yet|has not shipped/i);
  });

  it('describes a tracking number that has events but no order, with order_id null', async () => {
    await service.send('/api/v1/tracks', {
      body: { data: { tracking_number: 'ALONE1', status: 'in_transit', time: '2026-08-23T14:00:00Z' } },
    });
    expect((await service.send(`${path}?tracking_number=ALONE1`)).json.data).toMatchObject({
      order_id: null,
      receipt_id: null,
      tracking_number: 'ALONE1',
      status: 'in_transit',
    });
  });

  it('lists the newest 500 events, newest first', async () => {
    const data = Array.from({ length: 520 }, (_, minute) => ({
      tracking_number: 'MANY1CN',
      // Of one status, no more than 500 would be kept.
      status: minute % 2 === 0 ? 'in_transit' : 'out_for_delivery',
      time: new Date(Date.UTC(2026, 7, 1, 0, minute)).toISOString(),
    }));
    const response = await service.send('/api/v1/tracks', { body: { event: 'x', data } });
    expect(response.json.data.new_events).toBe(520);
    const { json } = await service.send('/api/v1/tracking-text?tracking_number=MANY1CN');
    const times = json.data.events.map((event: { time: string }) => event.time);
    expect(times).toEqual(
      data
        .map(({ time }) => time)
        .reverse()
        .slice(0, 500),
    );
  });

  it('describes a tracking number for which only the status is known', async () => {
    const data = {
      number: 'ONLYSTATUS1',
      track_info: { latest_status: { status: 'Delivered', sub_status: 'Delivered_Other' } },
    };
    await service.send('/api/v1/tracks', { body: { event: 'TRACKING_UPDATED', data } });
    const { status, json } = await service.send(`${path}?tracking_number=ONLYSTATUS1`);
    expect([status, json.data.status, json.data.events]).toEqual([200, 'delivered', []]);
    expect(json.data.text).toMatch(/delivered/);
  });

  it('describes the newest order if several share a tracking number', async () => {
    await service.importRows([{ receipt_id: 'newest', tracking_number: 'KNOWN1' }]);
    expect((await service.send(`${path}?tracking_number=KNOWN1`)).json.data.receipt_id).toBe('newest');
  });
});

describe('GET /api/v1/tracking-text returns', () => {
  it.each([
    ['an order that does not exist', 'order_id=999999'],
    ['an unknown tracking number', 'tracking_number=NOBODY1'],
    ['the largest id', 'order_id=9007199254740991'],
  ])('404 for %s', async (_, query) => {
    const { status, json } = await service.send(`${path}?${query}`);
    expect([status, json.code]).toEqual([404, 'not_found']);
  });

  it('404 if order and tracking number do not belong together', async () => {
    expect((await service.send(`${path}?order_id=${orderId}&tracking_number=OTHER1`)).status).toBe(404);
  });

  it('404 with the error envelope, even with format=text', async () => {
    const response = await service.send(`${path}?order_id=999999&format=text`);
    expect([response.status, response.json.success]).toEqual([404, false]);
  });
});

describe('GET /api/v1/tracking-text returns 422 for', () => {
  it.each([
    ['a request with neither an order_id nor a tracking_number', '', 'order_id'],
    ['an unknown parameter', 'order_id=1&foo=1', 'foo'],
    ['an order_id that is not a number', 'order_id=abc', 'order_id'],
    ['an order_id with a sign', 'order_id=-1', 'order_id'],
    ['an order_id in another notation', 'order_id=1e3', 'order_id'],
    ['a fractional order_id', 'order_id=1.0', 'order_id'],
    ['an empty order_id', 'order_id=', 'order_id'],
    ['an order_id of 0', 'order_id=0', 'order_id'],
    ['an order_id beyond 2^53', 'order_id=9007199254740992', 'order_id'],
    ['an order_id of 20 digits', 'order_id=99999999999999999999', 'order_id'],
    ['an order_id given twice', 'order_id=1&order_id=2', 'order_id'],
    ['an empty tracking_number', 'tracking_number=%20', 'tracking_number'],
    ['a tracking_number with U+0000', 'tracking_number=a%00', 'tracking_number'],
    ['an unknown format', 'order_id=1&format=xml', 'format'],
    ['an empty format', 'order_id=1&format=', 'format'],
    ['a format given twice', 'order_id=1&format=text&format=text', 'format'],
  ])('%s', async (_, query, name) => {
    const { status, json } = await service.send(`${path}?${query}`);
    expect(status).toBe(422);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain(name);
  });
});

it.each(['abc', '-1', '0', '9007199254740992', '99999999999999999999'])(
  'GET /api/v1/tracking-text refuses order_id=%s with the range of ids',
  async (id) => {
    const { json } = await service.send(`${path}?order_id=${id}`);
    expect(json.errors).toEqual([
      { path: 'order_id', message: 'must be a whole number from 1 to 9007199254740991' },
    ]);
  },
);

it('GET /api/v1/tracking-text returns 401 without a key', async () => {
  expect((await service.send(`${path}?order_id=1`, { headers: { 'X-Api-Key': undefined } })).status).toBe(
    401,
  );
});
