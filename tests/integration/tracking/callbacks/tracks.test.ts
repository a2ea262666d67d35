import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
const TRACKS_PATH = '/api/v1/tracks';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const sendCallback = (body: unknown) => service.send(TRACKS_PATH, { body });
const makePlainBody = (tracking_number: string, status: string, time?: string, members = {}) => ({
  event: 'tracking',
  data: { tracking_number, status, time, ...members },
});

type Event17 = {
  time_utc: string;
  description: string;
  stage?: string;
  sub_status?: string;
  location?: string;
};
function makeWebhookBody(number: string, status: string, sub_status: string, events: Event17[]) {
  return {
    event: 'TRACKING_UPDATED',
    data: {
      number,
      carrier: 190271,
      param: null,
      tag: '',
      track_info: {
        latest_status: { status, sub_status, sub_status_descr: null },
        latest_event: events[0] ?? null,
        tracking: { providers: [{ provider: { key: 190271, name: 'Yanwen' }, events }] },
      },
    },
  };
}

describe('POST /api/v1/tracks', () => {
  it('updates the order that has the tracking number', async () => {
    await service.importRows([{ receipt_id: 'move', sale_date: '8/22/2026', tracking_number: 'MOVE1' }]);
    const response = await sendCallback(makePlainBody('move 1', 'in_transit', '2026-08-23T10:00:00Z'));
    expect(response.json).toEqual({
      success: true,
      data: {
        record_id: expect.any(Number),
        tracking_numbers: ['MOVE1'],
        matched_orders: 1,
        updated_orders: 1,
        new_events: 1,
      },
    });
    expect(await readStoredOrder(service.database, 'move')).toMatchObject({
      status: 'shipped',
      tracking_status: 'in_transit',
    });
    await sendCallback(makePlainBody('MOVE1', 'Delivered', '2026-08-28T10:00:00+02:00'));
    expect(await readStoredOrder(service.database, 'move')).toMatchObject({
      status: 'delivered',
      tracking_status: 'delivered',
    });
  });

  it('understands the 17TRACK webhook: events and snapshot', async () => {
    await service.importRows([{ receipt_id: 'hook', tracking_number: 'HOOK1' }]);
    const body = makeWebhookBody('HOOK1', 'Delivered', 'Delivered_Other', [
      {
        time_utc: '2026-08-28T09:00:00Z',
        description: '派件成功',
        stage: 'Delivered',
        sub_status: 'Delivered_Other',
      },
      {
        time_utc: '2026-08-23T09:00:00Z',
        description: 'Picked up',
        stage: 'PickedUp',
        sub_status: 'InTransit_PickedUp',
      },
    ]);
    const { json } = await sendCallback(body);
    expect(json.data).toMatchObject({
      tracking_numbers: ['HOOK1'],
      matched_orders: 1,
      updated_orders: 1,
      new_events: 2,
    });
    const [storedNumber] = await service.database.query(
      `SELECT status, sub_status, status_at FROM tracking_numbers WHERE tracking_number = 'HOOK1'`,
    );
    expect(storedNumber).toEqual({
      status: 'delivered',
      sub_status: 'Delivered_Other',
      status_at: new Date('2026-08-28T09:00:00Z'),
    });
  });

  it('changes nothing when the same body arrives again', async () => {
    const body = makePlainBody('AGAIN1', 'in_transit', undefined, { description: 'no time' });
    expect((await sendCallback(body)).json.data.new_events).toBe(1);
    expect((await sendCallback(body)).json.data).toMatchObject({ new_events: 0, updated_orders: 0 });
    const snapshotBody = makeWebhookBody('AGAIN2', 'InfoReceived', 'InfoReceived', []);
    await sendCallback(snapshotBody);
    await sendCallback(snapshotBody);
    expect(
      await service.database.query(`SELECT kind FROM tracking_events WHERE tracking_number = 'AGAIN2'`),
    ).toEqual([{ kind: 'snapshot' }]);
  });

  it('stores no tracking number about which a 17TRACK body says nothing, and leaves a stored one unchanged', async () => {
    const undatedEvent = { time_utc: 'yesterday', description: 'x' };
    const makeBodiesWithoutObservations = (number: string) => [
      { event: 'TRACKING_STOPPED', data: { number, carrier: 190271, tag: '' } },
      { event: 'TRACKING_UPDATED', data: { number } },
      { event: 'TRACKING_UPDATED', data: { number, track_info: { latest_event: undatedEvent } } },
    ];
    const readNumbers = () =>
      service.database.query<{ tracking_number: string; status: string }>(
        `SELECT tracking_number, status FROM tracking_numbers WHERE tracking_number LIKE 'SILENT%'`,
      );
    for (const body of makeBodiesWithoutObservations('SILENT1')) {
      const { json } = await sendCallback(body);
      expect(json.data).toEqual({
        record_id: expect.any(Number),
        tracking_numbers: ['SILENT1'],
        matched_orders: 0,
        updated_orders: 0,
        new_events: 0,
      });
    }
    expect(await readNumbers()).toEqual([]);
    await service.importRows([{ receipt_id: 'silent', tracking_number: 'SILENT2' }]);
    await sendCallback(makePlainBody('SILENT2', 'in_transit', '2026-08-25T10:00:00Z'));
    for (const body of makeBodiesWithoutObservations('SILENT2'))
      expect((await sendCallback(body)).json.data).toMatchObject({ matched_orders: 1, updated_orders: 0 });
    expect(await readNumbers()).toEqual([{ tracking_number: 'SILENT2', status: 'in_transit' }]);
  });

  it('never moves a delivered order back when an earlier event arrives late', async () => {
    await service.importRows([{ receipt_id: 'late', tracking_number: 'LATE1' }]);
    await sendCallback(makePlainBody('LATE1', 'delivered', '2026-08-28T10:00:00Z'));
    const { json } = await sendCallback(makePlainBody('LATE1', 'in_transit', '2026-08-25T10:00:00Z'));
    expect(json.data).toMatchObject({ matched_orders: 1, updated_orders: 0, new_events: 1 });
    expect(await readStoredOrder(service.database, 'late')).toMatchObject({
      status: 'delivered',
      tracking_status: 'delivered',
    });
  });

  it('applies earlier events once the order gets its tracking number', async () => {
    expect(
      (await sendCallback(makePlainBody('BEFORE1', 'out_for_delivery', '2026-08-28T10:00:00Z'))).json.data
        .matched_orders,
    ).toBe(0);
    await service.importRows([{ receipt_id: 'before', tracking_number: 'before1' }]);
    expect(await readStoredOrder(service.database, 'before')).toMatchObject({
      status: 'shipped',
      tracking_status: 'out_for_delivery',
    });
  });

  it('accepts a list, and updates every order that has one of its numbers', async () => {
    await service.importRows([
      { receipt_id: 'list-1', tracking_number: 'LIST1' },
      { receipt_id: 'list-2', tracking_number: 'LIST1' },
      { receipt_id: 'list-3', tracking_number: 'LIST2' },
    ]);
    const data = [
      makePlainBody('LIST1', 'exception', '2026-08-25T10:00:00Z').data,
      makePlainBody('LIST2', 'delivered', '2026-08-25T10:00:00Z').data,
      { tracking_number: null },
    ];
    const { json } = await sendCallback({ event: 'batch', data });
    expect(json.data).toMatchObject({
      tracking_numbers: ['LIST1', 'LIST2'],
      matched_orders: 3,
      updated_orders: 3,
      new_events: 2,
    });
  });

  it.each<[string, unknown]>([
    ['no members', {}],
    ['an unknown event', { event: 'ping', data: { hello: 1 } }],
    ['no data', { event: 'TRACKING_UPDATED' }],
    ['text as data', { event: 'x', data: 'y' }],
    ['a blank number', makePlainBody('  ', 'delivered')],
    ['a list of junk', { data: [1, null, 'x', {}] }],
  ])('stores an object with %s and updates nothing', async (_, body) => {
    const { status, json } = await sendCallback(body);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      tracking_numbers: [],
      matched_orders: 0,
      updated_orders: 0,
      new_events: 0,
    });
    const [row] = await service.database.query(
      `SELECT convert_from(body, 'UTF8') AS body, error, processed_at FROM inbound_records WHERE id = $1`,
      [json.data.record_id],
    );
    expect(row).toMatchObject({
      body: JSON.stringify(body),
      error: { reason: expect.any(String), values: expect.any(Object) },
      processed_at: expect.any(Date),
    });
  });

  it('stores an unknown status and keeps the current one', async () => {
    await service.importRows([{ receipt_id: 'unknown', tracking_number: 'UNKNOWN1' }]);
    await sendCallback(makePlainBody('UNKNOWN1', 'in_transit', '2026-08-25T10:00:00Z'));
    const { json } = await sendCallback(makePlainBody('UNKNOWN1', 'Teleported', '2026-08-26T10:00:00Z'));
    expect(json.data).toMatchObject({ new_events: 1, updated_orders: 0 });
    expect((await readStoredOrder(service.database, 'unknown')).tracking_status).toBe('in_transit');
    const [event] = await service.database.query(
      `SELECT status, provider_status FROM tracking_events WHERE tracking_number = 'UNKNOWN1' ORDER BY occurred_at DESC LIMIT 1`,
    );
    expect(event).toEqual({ status: null, provider_status: 'Teleported' });
  });

  it('accepts events without a description or time, and with U+0000', async () => {
    const bodies = [
      makePlainBody('ODD1', 'delivered'),
      makePlainBody('ODD2', 'in_transit', '', { description: 'a\u0000b', location: '\ud800' }),
    ];
    for (const body of bodies) expect((await sendCallback(body)).json.data.new_events).toBe(1);
    expect(
      (
        await sendCallback(
          makeWebhookBody('ODD4', 'InTransit', 'InTransit_Other', [
            { time_utc: null, description: null } as never,
          ]),
        )
      ).status,
    ).toBe(200);
  });
});

describe('POST /api/v1/tracks returns', () => {
  it('401 without a key', async () => {
    expect((await service.send(TRACKS_PATH, { body: {}, headers: { 'X-Api-Key': undefined } })).status).toBe(
      401,
    );
  });

  it('401 without a valid signature if a secret is configured, and stores nothing', async () => {
    const signedService = await startTestService({ TRACK17_WEBHOOK_SECRET: 'hook-secret' });
    try {
      const body = JSON.stringify(makePlainBody('SIGN1', 'delivered'));
      const validSign = createHash('sha256').update(`${body}/hook-secret`).digest('hex');
      const postBody = (sign: string | undefined, text = body) =>
        signedService.send(TRACKS_PATH, {
          method: 'POST',
          body: text,
          headers: { 'Content-Type': 'application/json', sign },
        });
      for (const sign of [
        undefined,
        '',
        'zz',
        validSign.slice(2),
        createHash('sha256').update(`${body}/other`).digest('hex'),
      ]) {
        const response = await postBody(sign);
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('sign');
        expect(response.json.message).toMatch(sign ? /does not match the body/ : /header is missing/);
      }
      expect((await postBody(validSign, `${body} `)).status).toBe(401);
      expect(await signedService.database.query('SELECT 1 FROM inbound_records')).toEqual([]);
      expect((await postBody(validSign)).json.data.new_events).toBe(1);
    } finally {
      await signedService.close();
    }
  });
});

it.each(['[1]', 'null', '"x"', '{'])(
  'POST /api/v1/tracks returns 422 for the body %s, and stores nothing',
  async (body) => {
    const countRecords = () => service.database.query('SELECT count(*) FROM inbound_records');
    const recordCount = await countRecords();
    const response = await service.send(TRACKS_PATH, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(422);
    expect(await countRecords()).toEqual(recordCount);
  },
);
