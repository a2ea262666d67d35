import { describe, expect, it } from 'vitest';
import {
  CALLBACK_OUTCOMES,
  OUTCOME_CONDITIONS,
  outcomeOf,
} from '../../../../src/server/tracking/callbacks/outcomes';

const PROCESSED_AT = '2026-08-28T10:00:00.000Z';

describe('the outcome of a callback', () => {
  it.each([
    [PROCESSED_AT, 2, 'understood'],
    [PROCESSED_AT, 0, 'nothing'],
    [null, 0, 'failed'],
    [null, 2, 'failed'],
  ])(
    'that was processed at %j with %j tracking numbers is %j',
    (processed_at, tracking_number_count, outcome) => {
      expect(outcomeOf({ processed_at, tracking_number_count })).toBe(outcome);
    },
  );

  it('is the one by which the list finds it', () => {
    for (const processed_at of [PROCESSED_AT, null])
      for (const tracking_number_count of [0, 1]) {
        const matches = CALLBACK_OUTCOMES.filter((outcome) => {
          const { isProcessed, hasNumbers } = OUTCOME_CONDITIONS[outcome];
          return (
            isProcessed === (processed_at !== null) &&
            (hasNumbers === undefined || hasNumbers === tracking_number_count > 0)
          );
        });
        expect(matches).toEqual([outcomeOf({ processed_at, tracking_number_count })]);
      }
  });
});
