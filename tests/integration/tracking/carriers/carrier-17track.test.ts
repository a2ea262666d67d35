import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReason } from '../../../../src/server/core/errors/reason';
import {
  failureOf,
  queryCarrier,
  statusesOf,
  track17ClientOf,
} from '../../../support/stand-ins/carrier-clients';
import { DELIVERED, IN_TRANSIT, NOT_FOUND, trackInfoOf } from '../../../support/stand-ins/carrier-reports';
import {
  CARRIER_SECRET,
  type CarrierStandIn,
  startCarrierStandIn,
} from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

const create17TrackClient = (options?: Parameters<typeof track17ClientOf>[1]) =>
  track17ClientOf(carrier, options);

describe('17track', () => {
  it('parses events and status', async () => {
    const [answer] = await queryCarrier(create17TrackClient(), 'A');
    expect(answer).toMatchObject({ trackingNumber: 'A', carrier: 'USPS' });
    expect(answer!.observations).toMatchObject([
      { kind: 'event', status: 'in_transit', location: 'New York, NY', source: '17track' },
      { kind: 'snapshot', status: 'in_transit', occurredAt: Date.UTC(2026, 10, 18, 14, 30) },
    ]);
  });

  it('queries at most forty numbers per call', async () => {
    const numbers = Array.from({ length: 95 }, (_, index) => `N${index}`);
    const answers = await queryCarrier(create17TrackClient(), ...numbers);
    expect(answers.map(({ trackingNumber }) => trackingNumber)).toEqual(numbers);
    expect(carrier.requests.map((request) => request.numbers.length)).toEqual([40, 40, 15]);
  });

  it('registers a number that is not tracked yet, and queries it again', async () => {
    carrier.script('A', { kind: 'unregistered' });
    const answers = await queryCarrier(create17TrackClient(), 'A', 'B');
    expect(statusesOf(answers)).toEqual(['in_transit', 'in_transit']);
    expect(carrier.requests.map(({ operation, numbers }) => [operation, numbers.join()])).toEqual([
      ['gettrackinfo', 'A,B'],
      ['register', 'A'],
      ['gettrackinfo', 'A'],
    ]);
  });

  it('reads a response with more rows than a function accepts arguments', async () => {
    const acceptedRows = [...Array(150_000).fill({ number: 'B' }), { number: 'A', track_info: IN_TRANSIT }];
    const text = JSON.stringify({ code: 0, data: { accepted: acceptedRows } });
    carrier.script('A', { kind: 'unregistered' }, { kind: 'garbage', text });
    expect(statusesOf(await queryCarrier(create17TrackClient(), 'A'))).toEqual(['in_transit']);
  });

  it('queries a number again if its registration is rejected because it is already registered', async () => {
    carrier.registeredNumbers.add('A');
    carrier.script('A', { kind: 'no-quota' }, { kind: 'known' });
    expect(statusesOf(await queryCarrier(create17TrackClient(), 'A'))).toEqual(['in_transit']);
  });

  it('does not register a number whose carrier 17TRACK cannot detect, nor any number if the setting is off', async () => {
    carrier.script('A', { kind: 'undetected' });
    expect(statusesOf(await queryCarrier(create17TrackClient(), 'A'))).toEqual(['not_found']);
    carrier.script('B', { kind: 'unregistered' });
    expect(statusesOf(await queryCarrier(create17TrackClient({ register: false }), 'B'))).toEqual([
      'not_found',
    ]);
    expect(carrier.requests.map(({ operation }) => operation)).toEqual(['gettrackinfo', 'gettrackinfo']);
  });

  it('fails for a number rejected for lack of quota, unless other numbers have answers', async () => {
    carrier.script('A', { kind: 'no-quota' });
    expect(await failureOf(create17TrackClient(), 'A')).toMatchObject({ kind: 'limited', retryable: false });
    expect(statusesOf(await queryCarrier(create17TrackClient(), 'A', 'B'))).toEqual([
      'not_found',
      'in_transit',
    ]);
  });

  it.each([
    [-18010001, 'refused', false],
    [-18010002, 'refused', false],
    [-18010004, 'refused', false],
    [-18010005, 'refused', false],
    [-18010003, 'broken', true],
    [-18010013, 'broken', false],
    [-1, 'broken', false],
  ])('code %i results in an error of kind %s', async (code, kind, retryable) => {
    carrier.script('A', { kind: 'code', code });
    const error = await failureOf(create17TrackClient(), 'A');
    expect(error).toMatchObject({ kind, retryable });
    expect(error.message).not.toContain(CARRIER_SECRET);
    expect(JSON.stringify(error.cause)).toContain(CARRIER_SECRET);
  });

  it('prefers a row other than NotFound if a number has several rows', async () => {
    carrier.script('A', { kind: 'contradicting' });
    const answers = await queryCarrier(create17TrackClient(), 'A');
    expect(answers).toHaveLength(1);
    expect(statusesOf(answers)).toEqual(['delivered']);
  });

  const ANNOUNCED = trackInfoOf({ status: 'InfoReceived', sub_status: 'InfoReceived' }, [], 'China Post');
  const ONLY_UNKNOWN = trackInfoOf({ status: 'Beamed', sub_status: 'Beamed_Up' }, [
    { time_utc: '2026-11-18T14:30:00Z', description: 'Beamed up', sub_status: 'Beamed_Up' },
  ]);
  const UNDATED = trackInfoOf({ status: 'InfoReceived', sub_status: 'InfoReceived' }, [
    { description: 'Order announced', stage: 'InfoReceived' },
  ]);
  it.each([
    ['info received without events', IN_TRANSIT, ANNOUNCED, 'in_transit'],
    [
      'info received without events, even if the statuses of its events are unknown',
      ONLY_UNKNOWN,
      ANNOUNCED,
      null,
    ],
    ['NotFound, even if the statuses of its events are unknown', ONLY_UNKNOWN, NOT_FOUND, null],
    ['an event without a time', IN_TRANSIT, UNDATED, 'in_transit'],
    ['older events', DELIVERED, IN_TRANSIT, 'delivered'],
  ])('prefers a row with dated events to one with %s, in either order', async (_, best, other, status) => {
    for (const reports of [
      [best, other],
      [other, best],
    ]) {
      const accepted = reports.map((track_info) => ({ number: 'A', track_info }));
      carrier.script('A', { kind: 'garbage', text: JSON.stringify({ code: 0, data: { accepted } }) });
      const [answer] = await queryCarrier(create17TrackClient(), 'A');
      expect(answer!.carrier).toBe('USPS');
      expect(answer!.observations).toMatchObject([
        { kind: 'event', status },
        { kind: 'snapshot', status },
      ]);
      expect(answer!.observations.map(({ description }) => description)).not.toContain('Order announced');
    }
  });

  it('reports delivered if an event says so, even if the snapshot says in transit', async () => {
    const event = { time_utc: '2026-11-18T14:30:00Z', description: 'Delivered', stage: 'Delivered' };
    const report = trackInfoOf({ status: 'InTransit', sub_status: 'InTransit_Other' }, [event]);
    carrier.script('A', { kind: 'known', report });
    expect(statusesOf(await queryCarrier(create17TrackClient(), 'A'))).toEqual(['delivered']);
  });

  it('keeps the other events if some are malformed', async () => {
    const report = trackInfoOf({ status: 'Beamed', sub_status: 'Beamed_Up' }, [
      null as never,
      { time_utc: 5, description: ['x'] },
      { time_utc: '2026-11-18T14:30:00Z', description: 'Out', stage: 'OutForDelivery' },
    ]);
    carrier.script('A', { kind: 'known', report });
    const [answer] = await queryCarrier(create17TrackClient(), 'A');
    expect(statusesOf([answer!])).toEqual(['out_for_delivery']);
    expect(answer!.observations.at(-1)).toMatchObject({ status: null, providerStatus: 'Beamed' });
  });

  it('keeps the reasons and the name of the carrier if every event of a number is left out, even next to an empty row', async () => {
    const event = { time_utc: 'soon', description: 'Departed' };
    const report = { ...trackInfoOf({ status: '', sub_status: '' }, [event]), latest_status: null };
    const acceptedRows = [{ number: 'A' }, { number: 'A', track_info: report }, { number: 'A' }];
    const text = JSON.stringify({ code: 0, data: { accepted: acceptedRows } });
    carrier.script('A', { kind: 'known', report }, { kind: 'garbage', text });
    const answer = {
      trackingNumber: 'A',
      carrier: 'USPS',
      observations: [],
      skipped: {
        parts: [
          {
            path: 'tracking.providers.0.events.0',
            trackingNumber: 'A',
            reason: createReason('callback.unreadableTime', { value: '"soon"' }),
          },
        ],
        count: 1,
      },
    };
    expect(await queryCarrier(create17TrackClient(), 'A')).toEqual([answer]);
    expect(await queryCarrier(create17TrackClient(), 'A')).toEqual([answer]);
  });

  it('gives the observations of the same answer the same identities', async () => {
    const readIdentities = async () =>
      (await queryCarrier(create17TrackClient(), 'A'))[0]!.observations.map(({ identity }) => identity);
    expect(await readIdentities()).toEqual(await readIdentities());
  });
});
