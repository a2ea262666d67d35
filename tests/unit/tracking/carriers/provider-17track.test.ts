import { describe, expect, it } from 'vitest';
import {
  carrierNameFrom17Track,
  parse17TrackInfo,
} from '../../../../src/server/tracking/carriers/provider-17track';
import { eventIdentity, type Observation } from '../../../../src/server/tracking/observation';
import {
  EVENT,
  NUMBER,
  OCCURRED_AT,
  observationsOf,
  RECEIVED_AT,
  trackInfoOf,
} from '../../../support/track-info';

const observationOf = (event: Record<string, unknown>): Observation => {
  const [observation, ...otherObservations] = observationsOf(trackInfoOf([event]));
  expect(otherObservations).toEqual([]);
  return observation!;
};

describe('events', () => {
  it('are read with all their members', () => {
    expect(observationOf({ ...EVENT, stage: 'Arrival', sub_status: 'InTransit_CustomsProcessing' })).toEqual({
      trackingNumber: NUMBER,
      kind: 'event',
      identity: eventIdentity(NUMBER, OCCURRED_AT, 'Arrived', 'Berlin'),
      occurredAt: OCCURRED_AT,
      status: 'in_transit',
      subStatus: 'InTransit_CustomsProcessing',
      stage: 'Arrival',
      providerStatus: null,
      description: 'Arrived',
      location: 'Berlin',
      source: '17track',
    });
  });

  it('come from all providers, in chronological order; versions of one event have one identity', () => {
    const laterEvent = { ...EVENT, time_utc: '2026-11-19T00:00:00Z' };
    const secondVersion = { ...EVENT, description: ' ARRIVED ', sub_status: 'Delivered_Other' };
    const observations = observationsOf({
      tracking: { providers: [{ events: [laterEvent, EVENT] }, { events: [secondVersion] }] },
    });
    expect(observations.map(({ occurredAt }) => occurredAt)).toEqual([
      OCCURRED_AT,
      OCCURRED_AT,
      Date.UTC(2026, 10, 19),
    ]);
    expect(observations[1]!.identity).toBe(observations[0]!.identity);
    expect(observations[2]!.identity).not.toBe(observations[0]!.identity);
  });

  it('include latest_event only if there are no other events', () => {
    const latest_event = { ...EVENT, description: 'Latest' };
    expect(observationsOf(trackInfoOf([EVENT], { latest_event }))).toMatchObject([
      { description: 'Arrived' },
    ]);
    for (const infoWithoutEvents of [
      trackInfoOf([], { latest_event }),
      { latest_event, tracking: null },
      { latest_event },
    ]) {
      expect(observationsOf(infoWithoutEvents)).toMatchObject([{ description: 'Latest' }]);
    }
  });

  it.each([[null], [5], ['event'], [[]], [[1]], [true]])(
    'are read even if one of them is %j',
    (malformedEvent) => {
      expect(observationsOf(trackInfoOf([malformedEvent, EVENT]))).toHaveLength(1);
    },
  );

  it('are read as if members of another type were missing', () => {
    const event = {
      ...EVENT,
      location: { a: 1 },
      stage: [],
      sub_status: true,
      address: 'Berlin',
      time_iso: {},
    };
    expect(observationOf(event)).toMatchObject({
      location: null,
      stage: null,
      status: null,
      providerStatus: null,
    });
  });

  it('are left out if they are empty', () => {
    expect(observationsOf(trackInfoOf([{}, { description: ' ', location: null }]))).toEqual([]);
  });
});

describe("an event's time", () => {
  it.each([
    ['time_utc with a zone', { time_utc: '2026-11-18T14:30:00Z' }],
    ['time_utc without a zone', { time_utc: '2026-11-18T14:30:00' }],
    ['time_utc with a space', { time_utc: '2026-11-18 14:30' }],
    ['time_utc rather than time_iso', { time_utc: '2026-11-18T14:30:00Z', time_iso: '2020-01-01T00:00:00Z' }],
    ['time_iso if time_utc is null', { time_utc: null, time_iso: '2026-11-18T22:30:00+08:00' }],
    ['time_iso if time_utc cannot be read', { time_utc: 'soon', time_iso: '2026-11-18T09:30:00-05:00' }],
  ])('is read from %s', (_, times) => {
    expect(observationOf({ description: 'x', ...times }).occurredAt).toBe(OCCURRED_AT);
  });

  it.each([null, '', undefined])(
    'is the time of receipt if time_utc is %j, and the event stays the same at the next delivery',
    (time_utc) => {
      const trackInfo = trackInfoOf([{ description: 'x', time_utc }]);
      const [firstObservation] = observationsOf(trackInfo, RECEIVED_AT);
      const [secondObservation] = observationsOf(trackInfo, RECEIVED_AT + 60_000);
      expect(firstObservation!.occurredAt).toBe(RECEIVED_AT);
      expect(secondObservation!.identity).toBe(firstObservation!.identity);
    },
  );

  it.each(['yesterday', '2026-02-30T00:00:00Z', '2026-11-18T25:00:00Z', '0001-01-01T00:00:00', {}])(
    'that is %j yields no event, but a reason why, and does not affect other events',
    (time_utc) => {
      const trackInfo = trackInfoOf([{ description: 'x', time_utc }, EVENT]);
      expect(observationsOf(trackInfo)).toMatchObject([{ description: 'Arrived' }]);
      const { skipped } = parse17TrackInfo(NUMBER, trackInfo, RECEIVED_AT);
      expect(skipped.parts).toEqual([
        {
          path: 'tracking.providers.0.events.0',
          trackingNumber: NUMBER,
          reason: { reason: expect.stringMatching(/Time$/), values: { value: expect.any(String) } },
        },
      ]);
    },
  );

  it('may be missing: two different events without a time are not merged', () => {
    const events = [{ stage: 'Arrival' }, { stage: 'Delivered' }];
    expect(observationsOf(trackInfoOf(events)).map(({ status }) => status)).toEqual([
      'in_transit',
      'delivered',
    ]);
  });
});

describe("an event's status", () => {
  it.each([
    [
      'is that of the sub-status rather than the stage',
      { sub_status: 'Exception_Lost', stage: 'Arrival' },
      'exception',
      'Exception_Lost',
      null,
    ],
    [
      'is that of a sub-status with an unknown suffix',
      { sub_status: 'InTransit_New' },
      'in_transit',
      'InTransit_New',
      null,
    ],
    [
      'is that of the stage if there is no sub-status',
      { stage: 'Returned' },
      'exception',
      'Exception_Returned',
      null,
    ],
    [
      'is that of the stage if the sub-status is null',
      { sub_status: null, stage: 'Delivered' },
      'delivered',
      'Delivered_Other',
      null,
    ],
    [
      'is that of the stage if the sub-status is unknown',
      { sub_status: 'New_X', stage: 'Arrival' },
      'in_transit',
      'InTransit_Arrival',
      'New_X',
    ],
    [
      'is null if both the sub-status and the stage are unknown',
      { sub_status: 'New_X', stage: 'Beamed' },
      null,
      null,
      'New_X',
    ],
    ['is null if the stage is unknown and there is no sub-status', { stage: 'Beamed' }, null, null, 'Beamed'],
    [
      'is null for words that are properties of every object',
      { sub_status: 'constructor', stage: '__proto__' },
      null,
      null,
      'constructor',
    ],
    ['is null without sub-status and stage', {}, null, null, null],
  ])('%s', (_, words, status, subStatus, providerStatus) => {
    expect(observationOf({ ...EVENT, ...words })).toMatchObject({ status, subStatus, providerStatus });
  });
});

describe("an event's texts", () => {
  it.each([
    [{ location: 'Hub 3', address: { city: 'Paris' } }, 'Hub 3'],
    [{ location: null, address: { city: 'Albany', state: 'NY', country: 'US' } }, 'Albany, NY, US'],
    [{ location: '', address: { city: '', state: null, country: 'US' } }, 'US'],
    [{ location: null, address: { city: 'Singapore', country: 'Singapore' } }, 'Singapore'],
    [{ location: null, address: {} }, null],
    [{ location: null, address: null }, null],
  ])('include, for %j, the location %j', (members, location) => {
    expect(observationOf({ ...EVENT, ...members }).location).toBe(location);
  });

  it('are shortened, well-formed and without U+0000', () => {
    const description = `a\u0000b\ud800c${'😀'.repeat(2_000)}`;
    const text = observationOf({ ...EVENT, description }).description!;
    expect(text.startsWith('ab\ufffdc😀')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text.isWellFormed()).toBe(true);
  });
});

it('the carrier is that of the first provider that names one', () => {
  const providers = [{ provider: null }, { provider: { name: 'Yanwen' } }, { provider: { name: 'USPS' } }];
  expect(carrierNameFrom17Track({ tracking: { providers } })).toBe('Yanwen');
});
