import { OWN_ERROR, type Trpc } from '../api/page-queries';

/** The open entries of each queue over all shops, as the navigation shows them on every page. */
export const queueCountsQuery = (trpc: Trpc) => trpc.queues.counts.queryOptions({}, OWN_ERROR);
