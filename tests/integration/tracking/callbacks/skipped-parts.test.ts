import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reason } from '../../../../src/server/core/errors/reason';
import { sentenceOf } from '../../../../src/server/core/errors/sentence';
import { createSignedInUser, type SignedInUser } from '../../../support/service/signed-in';
import { readStoredOrder } from '../../../support/service/stored-orders';
import { startTestService, type TestService } from '../../../support/service/test-service';

let service: TestService;
let operator: SignedInUser;

beforeAll(async () => {
  service = await startTestService();
  operator = await createSignedInUser(service, 'operator');
});
afterAll(() => service.close());

const sendCallback = (data: unknown) => service.send('/api/v1/tracks', { body: { event: 'tracking', data } });
const makeEntry = (tracking_number: string, members: Record<string, unknown> = {}) => ({
  tracking_number,
  status: 'in_transit',
  ...members,
});
const readInstants = async (number: string) =>
  (
    await service.database.query<{ occurred_at: Date }>(
      `SELECT occurred_at FROM tracking_events WHERE tracking_number = $1 AND kind = 'event' ORDER BY 1`,
      [number],
    )
  ).map((row) => row.occurred_at.toISOString());
const readCallback = async (id: number) => (await operator.call('callbacks.one', { id: String(id) })).data;

describe('a callback', () => {
  it('yields no event for an invalid time, says why, and loses nothing else', async () => {
    await service.importRows([{ receipt_id: 'good', tracking_number: 'GOOD1' }]);
    const times = ['2026-02-30T10:00:00Z', '5', 'Aug 28, 2026 10:00', 'yesterday', '9999-99-99', false, 7];
    const badEntries = times.map((time, n) => makeEntry(`BAD${n}`, { time }));
    const { json } = await sendCallback([
      ...badEntries,
      makeEntry('GOOD1', { time: '2026-08-28T10:00:00Z' }),
    ]);
    expect(json.data).toMatchObject({
      tracking_numbers: ['GOOD1'],
      matched_orders: 1,
      updated_orders: 1,
      new_events: 1,
    });
    expect((await readStoredOrder(service.database, 'good')).tracking_status).toBe('in_transit');
    expect(
      await service.database.query(`SELECT 1 FROM tracking_numbers WHERE tracking_number LIKE 'BAD%'`),
    ).toEqual([]);

    const {
      left_out: skippedParts,
      left_out_count: leftOutCount,
      error,
      outcome,
    } = await readCallback(json.data.record_id);
    expect(leftOutCount).toBe(times.length);
    expect(skippedParts[0]).toEqual({
      path: 'data.0',
      tracking_number: 'BAD0',
      reason: { reason: 'callback.noSuchTime', values: { value: '"2026-02-30T10:00:00Z"' } },
    });
    for (const { reason } of skippedParts)
      expect(sentenceOf(reason)).toMatch(/^the time .*(does not exist|cannot be read)/);
    expect([outcome, sentenceOf(error)]).toEqual([
      'understood',
      'the time "2026-02-30T10:00:00Z" does not exist (and 6 more)',
    ]);
    // Searching for a tracking number finds the callback, even though that number has no event.
    const { data } = await operator.call('callbacks.list', { tracking_number: 'bad3' });
    expect(data.records.map(({ id }: { id: string }) => id)).toEqual([String(json.data.record_id)]);
  });

  it.each([
    ['a date and time without an offset as UTC', '2026-08-28T10:00:00', '2026-08-28T10:00:00.000Z'],
    ['a time in the basic form of ISO 8601', '20260828T100000+0200', '2026-08-28T08:00:00.000Z'],
    ['a time in Unix seconds', 1_787_929_445, '2026-08-28T15:04:05.000Z'],
    ['a time in Unix milliseconds', 1_787_929_445_000, '2026-08-28T15:04:05.000Z'],
  ])('reads %s', async (form, time, instant) => {
    const number = `T${form.length}`;
    expect((await sendCallback(makeEntry(number, { time }))).json.data.new_events).toBe(1);
    expect(await readInstants(number)).toEqual([instant]);
  });

  it('yields no event for an entry without a status or a number', async () => {
    const { json } = await sendCallback([
      makeEntry('MUTE1', { status: undefined }),
      makeEntry('MUTE2', { status: ' ', sub_status: 'InTransit_PickedUp' }),
      makeEntry('MUTE3', { status: null, description: 'Departed' }),
      { status: 'delivered' },
      null,
      makeEntry('MUTE4'),
    ]);
    expect(json.data).toMatchObject({ tracking_numbers: ['MUTE4'], new_events: 1 });
    const { left_out: skippedParts } = await readCallback(json.data.record_id);
    expect(skippedParts.map(({ reason }: { reason: Reason }) => sentenceOf(reason))).toEqual([
      'the entry has no status',
      'the entry has no status',
      'the entry has no status',
      'an entry has no usable tracking number',
      'an entry has no usable tracking number',
    ]);
  });

  it('yields no event for a number whose last digits are lost, which may be those of another parcel', async () => {
    const neighbour = '90071992547409920';
    await sendCallback(makeEntry(neighbour, { status: 'in_transit' }));
    // Written by hand, because JavaScript cannot hold these numbers.
    const bodies = [
      '{"data":{"tracking_number":90071992547409921,"status":"delivered"}}',
      '{"data":[{"tracking_number":-90071992547409921,"status":"delivered"}]}',
      '{"data":{"number":90071992547409921,"track_info":{"latest_status":{"status":"Delivered"}}}}',
      '{"data":{"tracking_number":1e400,"status":"delivered"}}',
    ];
    for (const body of bodies) {
      const { json } = await service.send('/api/v1/tracks', { body });
      expect(json.data, body).toMatchObject({ tracking_numbers: [], matched_orders: 0, new_events: 0 });
      const { outcome, error } = await readCallback(json.data.record_id);
      expect([outcome, sentenceOf(error)], body).toEqual([
        'nothing',
        'a tracking number is a number beyond 2^53-1, whose last digits are lost; send it as text',
      ]);
    }
    expect(await readInstants(neighbour)).toHaveLength(1);
  });

  it.each([' ', 'FAKE\u00001', `FAKE${'1'.repeat(97)}`])(
    'yields no event for a blank number, one with U+0000 or one that is too long, and stores no shipment: %j',
    async (text) => {
      const webhook = {
        number: text,
        track_info: { latest_status: { status: 'Delivered', sub_status: 'Delivered_Other' } },
      };
      for (const [data, form] of [
        [makeEntry(text), 'plain'],
        [webhook, '17track'],
      ] as const) {
        const { status, json } = await service.send('/api/v1/tracks', {
          body: { event: 'TRACKING_UPDATED', data },
        });
        expect([status, json.data]).toMatchObject([200, { tracking_numbers: [], new_events: 0 }]);
        const callback = await readCallback(json.data.record_id);
        expect([callback.form, callback.outcome, sentenceOf(callback.error)]).toEqual([
          form,
          'nothing',
          'an entry has no usable tracking number',
        ]);
      }
      expect(
        await service.database.query(
          `SELECT tracking_number FROM tracking_numbers WHERE tracking_number LIKE 'FAKE%'`,
        ),
      ).toEqual([]);
    },
  );

  it('counts as not understood if everything was left out', async () => {
    const { json } = await sendCallback(makeEntry('GONE1', { time: '2026-02-30' }));
    expect(json.data).toMatchObject({ tracking_numbers: [], new_events: 0 });
    const { outcome, error } = await readCallback(json.data.record_id);
    expect([outcome, sentenceOf(error)]).toEqual(['nothing', 'the time "2026-02-30" does not exist']);
  });

  it('counts equal entries as one event, and adds nothing when the same body arrives again', async () => {
    const undatedEntry = makeEntry('EQUAL1', { description: 'Departed' });
    const body = [
      undatedEntry,
      { ...undatedEntry },
      { description: ' DEPARTED', ...undatedEntry },
      makeEntry('EQUAL1'),
    ];
    expect((await sendCallback(body)).json.data.new_events).toBe(2);
    expect((await sendCallback(body)).json.data.new_events).toBe(0);
    const datedEntry = makeEntry('EQUAL2', { time: '2026-08-28T10:00:00Z' });
    expect(
      (await sendCallback([datedEntry, { ...datedEntry, time: 1_787_911_200 }, datedEntry])).json.data
        .new_events,
    ).toBe(1);
    // Two entries that differ only in status are two events, because nothing shows that they are the same event.
    const { json } = await sendCallback([makeEntry('EQUAL3'), makeEntry('EQUAL3', { status: 'delivered' })]);
    expect(json.data.new_events).toBe(2);
  });

  it("in 17TRACK's form leaves out an event with an invalid time, and keeps the other event and the status", async () => {
    const events = [
      { time_utc: '2026-02-30T00:00:00Z', description: 'Delivered', sub_status: 'Delivered_Other' },
      { time_utc: 1_787_929_445, description: 'Departed', stage: 'Departure' },
    ];
    const body = {
      event: 'TRACKING_UPDATED',
      data: {
        number: 'SEVEN1',
        track_info: {
          latest_status: { status: 'OutForDelivery', sub_status: 'OutForDelivery_Other' },
          tracking: { providers: [{ events: [] }, { events }] },
        },
      },
    };
    const { json } = await service.send('/api/v1/tracks', { body });
    expect(json.data).toMatchObject({ tracking_numbers: ['SEVEN1'], new_events: 1 });
    expect(await readInstants('SEVEN1')).toEqual(['2026-08-28T15:04:05.000Z']);
    const [shipment] = await service.database.query(
      `SELECT status, sub_status FROM tracking_numbers WHERE tracking_number = 'SEVEN1'`,
    );
    expect(shipment).toEqual({ status: 'out_for_delivery', sub_status: 'OutForDelivery_Other' });
    expect((await readCallback(json.data.record_id)).left_out).toEqual([
      {
        path: 'data.track_info.tracking.providers.1.events.0',
        tracking_number: 'SEVEN1',
        reason: { reason: 'callback.noSuchTime', values: { value: '"2026-02-30T00:00:00Z"' } },
      },
    ]);
  });

  it('stores a hundred reasons and the number of all left-out entries', async () => {
    const { json } = await sendCallback(
      Array.from({ length: 150 }, (_, n) => makeEntry(`MANY${n}`, { time: 'soon' })),
    );
    const { left_out: skippedParts, left_out_count: leftOutCount } = await readCallback(json.data.record_id);
    expect([skippedParts.length, leftOutCount]).toEqual([100, 150]);
  });

  it('reports the same left-out entries when it is replayed', async () => {
    const { json } = await sendCallback([makeEntry('REPLAY1', { time: 'soon' }), makeEntry('REPLAY2')]);
    const callbackBefore = await readCallback(json.data.record_id);
    await operator.call('callbacks.replay', { ids: [String(json.data.record_id)] });
    const callbackAfter = await readCallback(json.data.record_id);
    expect([callbackAfter.left_out, callbackAfter.left_out_count, callbackAfter.error]).toEqual([
      callbackBefore.left_out,
      1,
      callbackBefore.error,
    ]);
  });
});
