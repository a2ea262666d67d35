import type { QueueName } from '../../server/queues/queue';
import { SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import type { RouterOutputs } from '../api/router-types';

type Counts = RouterOutputs['queues']['counts'];

/** Returns the query that counts the open entries of each queue in all shops. */
export const queueCountsQuery = (trpc: Trpc) => trpc.queues.counts.queryOptions({}, SHOWS_OWN_ERROR);

/**
 * Returns the counts to show until they are reloaded, after entries of a queue were handled, snoozed or put back. Leaves `total` as
 * it is and, after entries were put back, `handled_today` too.
 */
export function countsAfterAction(
  counts: Counts,
  queue: QueueName,
  action: 'handle' | 'snooze' | 'putBack',
  entryCount: number,
): Counts {
  const openCountChange = action === 'putBack' ? entryCount : -entryCount;
  return {
    ...counts,
    queues: counts.queues.map((count) =>
      count.queue === queue ? { ...count, open: Math.max(0, count.open + openCountChange) } : count,
    ),
    handled_today: counts.handled_today + (action === 'handle' ? entryCount : 0),
  };
}
