import { OWN_ERROR, type Trpc } from '../api/page-queries';

/** Counts the open entries of each queue in all shops, for the navigation. */
export const queueCountsQuery = (trpc: Trpc) => trpc.queues.counts.queryOptions({}, OWN_ERROR);
