import { OWN_ERROR, type Trpc } from '../api/page-queries';

/** Returns the query that counts the open entries of each queue in all shops. */
export const queueCountsQuery = (trpc: Trpc) => trpc.queues.counts.queryOptions({}, OWN_ERROR);
