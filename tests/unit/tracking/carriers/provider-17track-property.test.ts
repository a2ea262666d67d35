import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRACKING_STATUSES } from '../../../../src/server/core/statuses';
import { carrierNameFrom17Track } from '../../../../src/server/tracking/carriers/provider-17track';
import { computeStatus } from '../../../../src/server/tracking/status';
import { observationsOf, RECEIVED_AT } from '../../../support/track-info';

describe('any payload', () => {
  it.each([[undefined], [null], [5], ['text'], [[]], [[[]]]])(
    'that is malformed, such as %j, yields no observations and no carrier',
    (trackInfo) => {
      expect(observationsOf(trackInfo)).toEqual([]);
      expect(carrierNameFrom17Track(trackInfo)).toBeNull();
    },
  );

  const anyEvent = fc.record(
    {
      time_utc: fc.oneof(fc.constantFrom('2026-11-18T14:30:00Z', '2026-11-19T00:00:00'), fc.anything()),
      time_iso: fc.anything(),
      description: fc.oneof(fc.constantFrom('a', 'b'), fc.anything()),
      location: fc.anything(),
      stage: fc.oneof(fc.constantFrom('Arrival', 'Delivered'), fc.anything()),
      sub_status: fc.oneof(fc.constantFrom('InTransit_Other', 'Exception_Returned'), fc.anything()),
      address: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const anyTrackInfo = fc.record(
    {
      latest_status: fc.oneof(fc.constant({ status: 'InTransit' }), fc.anything()),
      latest_event: fc.oneof(anyEvent, fc.anything()),
      tracking: fc.oneof(
        fc.record({
          providers: fc.array(fc.record({ events: fc.array(fc.oneof(anyEvent, fc.anything())) })),
        }),
        fc.anything(),
      ),
    },
    { requiredKeys: [] },
  );

  it('is read without an exception, and yields storable strings and the same identities every time', () => {
    fc.assert(
      fc.property(fc.oneof(anyTrackInfo, fc.anything()), (trackInfo) => {
        const observations = observationsOf(trackInfo);
        const identities = observations.map(({ identity }) => identity);
        expect(
          observationsOf(trackInfo, RECEIVED_AT + 1)
            .map(({ identity }) => identity)
            .sort(),
        ).toEqual(identities.sort());
        for (const observation of observations) {
          expect(Number.isSafeInteger(observation.occurredAt)).toBe(true);
          expect(observation.status === null || TRACKING_STATUSES.includes(observation.status)).toBe(true);
          for (const text of Object.values(observation)) {
            if (typeof text === 'string') expect(text.isWellFormed() && !text.includes('\u0000')).toBe(true);
          }
        }
        expect(TRACKING_STATUSES).toContain(computeStatus(observations).status);
      }),
      { numRuns: 500 },
    );
  });

  it('yields the same observations whatever the order of its events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), (events) => {
        const readSortedJson = (orderedEvents: unknown[]) =>
          observationsOf({ tracking: { providers: [{ events: orderedEvents }] } })
            .map((observation) => JSON.stringify(observation))
            .sort();
        expect(readSortedJson(events.toReversed())).toEqual(readSortedJson(events));
      }),
      { numRuns: 2_000 },
    );
  });
});
