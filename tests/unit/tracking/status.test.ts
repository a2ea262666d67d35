import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRACKING_STATUSES, type TrackingStatus } from '../../../src/server/core/statuses';
import { computeStatus, isReturn, type StatusObservation } from '../../../src/server/tracking/status';

let observationCount = 0;
function createObservation(
  occurredAt: number,
  status: TrackingStatus | null,
  members: Partial<StatusObservation> = {},
): StatusObservation {
  observationCount += 1;
  const identity = String(observationCount).padStart(64, '0');
  return { kind: 'event', occurredAt, status, subStatus: null, identity, ...members };
}

const createCorrection = (occurredAt: number, status: TrackingStatus) =>
  createObservation(occurredAt, status, { kind: 'correction' });
const createReturn = (occurredAt: number) =>
  createObservation(occurredAt, 'exception', { subStatus: 'Exception_Returned' });
const PROGRESS_STATUSES = TRACKING_STATUSES.filter(
  (status) => status !== 'not_found' && status !== 'expired',
);

const anyObservationShape = {
  kind: fc.constantFrom('event' as const, 'snapshot' as const, 'correction' as const),
  // Few times and identities, so that they often collide.
  occurredAt: fc.integer({ min: 0, max: 4 }),
  status: fc.option(fc.constantFrom(...TRACKING_STATUSES)),
  subStatus: fc.option(fc.constantFrom('Exception_Returning', 'Exception_Lost', 'InTransit_Other')),
  identity: fc.constantFrom('aa', 'bb', 'cc'),
};
const anyObservation = fc.record<StatusObservation>(anyObservationShape);

describe('computeStatus depends only on the set of observations', () => {
  const setAndShuffledList = fc.array(anyObservation, { maxLength: 12 }).chain((set) =>
    fc.tuple(
      fc.constant(set),
      fc
        .array(fc.nat({ max: Math.max(0, set.length - 1) }), { maxLength: 6 })
        .map((repeatedIndexes) => [
          ...set,
          ...(set.length > 0 ? repeatedIndexes.map((index) => set[index]!) : []),
        ])
        .chain((observations) => fc.shuffledSubarray(observations, { minLength: observations.length })),
    ),
  );

  it('any order, even with duplicates, yields the same status, sub-status and since', () => {
    fc.assert(
      fc.property(setAndShuffledList, ([set, shuffledList]) => {
        expect(computeStatus(shuffledList)).toEqual(computeStatus(set));
      }),
      { numRuns: 3_000 },
    );
  });

  it('an observation that arrives last counts as if it had arrived first', () => {
    fc.assert(
      fc.property(fc.array(anyObservation, { maxLength: 8 }), anyObservation, (set, lateObservation) => {
        expect(computeStatus([lateObservation, ...set])).toEqual(computeStatus([...set, lateObservation]));
      }),
    );
  });

  it('since is the time of an observation with that status and sub-status, or null if there is none', () => {
    fc.assert(
      fc.property(fc.array(anyObservation, { maxLength: 12 }), (set) => {
        const { status, subStatus, since } = computeStatus(set);
        if (since === null) expect(set.every((observation) => observation.status === null)).toBe(true);
        else {
          const matchingObservations = set.filter(
            (observation) => observation.status === status && observation.subStatus === subStatus,
          );
          expect(matchingObservations.map((observation) => observation.occurredAt)).toContain(since);
        }
      }),
    );
  });

  it('the input is not modified', () => {
    const set = [createObservation(2, 'delivered'), createObservation(1, 'in_transit')];
    const originalSet = structuredClone(set);
    computeStatus(set);
    expect(set).toEqual(originalSet);
  });
});

describe('computeStatus needs only the newest observation of each kind and status', () => {
  const compareNewestFirst = (a: StatusObservation, b: StatusObservation) =>
    b.occurredAt - a.occurredAt || (a.identity < b.identity ? 1 : -1);

  it('if returns count as a status of their own', () => {
    // As in the database, an identity occurs once.
    const set = fc.uniqueArray(
      fc.record({ ...anyObservationShape, identity: fc.integer({ min: 10, max: 99 }).map(String) }),
      { maxLength: 40, selector: ({ identity }) => identity },
    );
    fc.assert(
      fc.property(set, fc.integer({ min: 1, max: 3 }), (observations, limit) => {
        const sizeByClass = new Map<string, number>();
        const keptObservations = observations.toSorted(compareNewestFirst).filter((observation) => {
          const key = JSON.stringify([
            observation.kind,
            observation.status,
            isReturn(observation.status, observation.subStatus),
          ]);
          const size = (sizeByClass.get(key) ?? 0) + 1;
          sizeByClass.set(key, size);
          return size <= limit;
        });
        const { status, subStatus } = computeStatus(observations);
        expect(computeStatus(keptObservations)).toMatchObject({ status, subStatus });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('computeStatus follows its rules', () => {
  it('without observations the status is not_found, without a time', () => {
    expect(computeStatus([])).toEqual({ status: 'not_found', subStatus: null, since: null });
  });

  it('an observed not_found has a time', () => {
    expect(computeStatus([createObservation(5, 'not_found'), createObservation(9, 'not_found')]).since).toBe(
      5,
    );
  });

  it.each(
    PROGRESS_STATUSES.flatMap((status) => [[status, 'not_found'] as const, [status, 'expired'] as const]),
  )('%s is not overwritten by a later %s', (status, laterStatus) => {
    expect(computeStatus([createObservation(1, status), createObservation(2, laterStatus)])).toEqual({
      status,
      subStatus: null,
      since: 1,
    });
  });

  it('expired and not_found replace each other', () => {
    expect(computeStatus([createObservation(1, 'not_found'), createObservation(2, 'expired')]).status).toBe(
      'expired',
    );
    expect(computeStatus([createObservation(1, 'expired'), createObservation(2, 'not_found')]).status).toBe(
      'not_found',
    );
  });

  it.each(PROGRESS_STATUSES)('%s replaces expired', (status) => {
    expect(computeStatus([createObservation(1, 'expired'), createObservation(2, status)]).status).toBe(
      status,
    );
  });

  it.each(TRACKING_STATUSES.filter((status) => status !== 'delivered'))(
    'delivered is not replaced by a later %s without a return',
    (status) => {
      const set = [
        createObservation(1, 'delivered'),
        createObservation(2, status),
        createObservation(3, status, { subStatus: 'X_Other' }),
      ];
      expect(computeStatus(set)).toEqual({ status: 'delivered', subStatus: null, since: 1 });
    },
  );

  it.each(['Exception_Returning', 'Exception_Returned'])(
    'delivered is replaced by a later %s',
    (subStatus) => {
      const set = [createObservation(1, 'delivered'), createObservation(2, 'exception', { subStatus })];
      expect(computeStatus(set)).toEqual({ status: 'exception', subStatus, since: 2 });
    },
  );

  it('a return is recognised only with the status exception', () => {
    const observation = createObservation(2, 'in_transit', { subStatus: 'Exception_Returned' });
    expect(computeStatus([createObservation(1, 'delivered'), observation]).status).toBe('delivered');
  });

  it('a return before the delivery does not undo it', () => {
    expect(computeStatus([createReturn(1), createObservation(2, 'delivered')]).status).toBe('delivered');
  });

  it('a correction replaces any status with any other', () => {
    for (const oldStatus of TRACKING_STATUSES) {
      for (const newStatus of TRACKING_STATUSES) {
        expect(computeStatus([createObservation(1, oldStatus), createCorrection(2, newStatus)]).status).toBe(
          newStatus,
        );
      }
    }
  });

  it('observations after a correction follow the same rules', () => {
    expect(computeStatus([createCorrection(1, 'in_transit'), createObservation(2, 'delivered')]).status).toBe(
      'delivered',
    );
    expect(computeStatus([createCorrection(1, 'delivered'), createObservation(2, 'in_transit')]).status).toBe(
      'delivered',
    );
    expect(computeStatus([createCorrection(1, 'not_found'), createObservation(2, 'in_transit')]).status).toBe(
      'in_transit',
    );
  });

  it('a later status replaces the one before, even if the parcel seems to go back a step', () => {
    const set = [
      createObservation(1, 'out_for_delivery'),
      createObservation(2, 'delivery_failure'),
      createObservation(3, 'in_transit'),
    ];
    expect(computeStatus(set)).toEqual({ status: 'in_transit', subStatus: null, since: 3 });
  });

  it('at equal times the higher rank wins', () => {
    for (const [rank, lowerStatus] of PROGRESS_STATUSES.entries()) {
      for (const higherStatus of PROGRESS_STATUSES.slice(rank + 1)) {
        const simultaneousObservations = [
          createObservation(1, higherStatus),
          createObservation(1, lowerStatus),
        ];
        expect(computeStatus(simultaneousObservations).status).toBe(higherStatus);
      }
    }
  });

  it('at equal times and ranks the greater identity wins', () => {
    const arrival = createObservation(1, 'in_transit', { subStatus: 'InTransit_Arrival', identity: 'aa' });
    const departure = createObservation(1, 'in_transit', {
      subStatus: 'InTransit_Departure',
      identity: 'bb',
    });
    expect(computeStatus([departure, arrival]).subStatus).toBe('InTransit_Departure');
  });

  it('unknown statuses are ignored', () => {
    const set = [
      createObservation(1, 'in_transit'),
      createObservation(2, null, { subStatus: 'Teleported_Other' }),
    ];
    expect(computeStatus(set)).toEqual({ status: 'in_transit', subStatus: null, since: 1 });
  });

  it('since is the time at which the status began, not at which it was last seen', () => {
    const set = [
      createObservation(1, 'in_transit'),
      createObservation(5, 'in_transit'),
      createObservation(6, 'expired'),
    ];
    expect(computeStatus(set).since).toBe(1);
  });

  it("Yanwen's sample, which lists the return first, ends as returned (docs/tracking.md)", () => {
    const set = [
      createObservation(Date.parse('2023-04-26T20:16:02+08:00'), 'exception', {
        subStatus: 'Exception_Returned',
      }),
      createObservation(Date.parse('2023-04-26T09:52:37+02:00'), 'delivered'),
    ];
    expect(computeStatus(set)).toMatchObject({ status: 'exception', subStatus: 'Exception_Returned' });
  });
});
