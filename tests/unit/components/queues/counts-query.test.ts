import { describe, expect, it } from 'vitest';
import { countsAfterAction } from '../../../../src/components/queues/counts-query';

const counts: Parameters<typeof countsAfterAction>[0] = {
  queues: [
    { queue: 'exception', open: 5 },
    { queue: 'late', open: 1 },
  ],
  total: 6,
  handled_today: 2,
};

describe('the counts that a page shows before the service responds', () => {
  it.each([
    ['handle', 3, 4],
    ['snooze', 3, 2],
    ['putBack', 7, 2],
  ] as const)(
    'reflect the action %s in the open entries of its queue and in those handled today',
    (action, open, handled_today) => {
      expect(countsAfterAction(counts, 'exception', action, 2)).toEqual({
        queues: [
          { queue: 'exception', open },
          { queue: 'late', open: 1 },
        ],
        total: 6,
        handled_today,
      });
    },
  );

  it('are never negative', () => {
    expect(countsAfterAction(counts, 'late', 'snooze', 2).queues[1]).toEqual({ queue: 'late', open: 0 });
  });
});
