import { isIntegerIdText } from '../../server/core/id-text';
import {
  ASSIGNMENTS,
  CAUSES,
  ENTRY_STATES,
  isOrderQueue,
  QUEUES,
  type QueueName,
} from '../../server/queues/queue';
import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import { openDraftsOf } from '../messages/order-reply/open-drafts';
import { replyDraftsQuery, replyQuery } from '../messages/queries';
import { orderQuery } from '../orders/queries';
import { shipmentQuery } from '../tracking/queries';
import { oneOf, readUrl, type UrlState, valuesOf } from '../ui/list/list-url';
import { queueCountsQuery } from './counts-query';

const QUEUE_FILTERS = ['cause', 'assigned', 'shop', 'state'] as const;
const UNMATCHED_FILTERS = ['assigned', 'state'] as const;

export type QueueFilterName = (typeof QUEUE_FILTERS)[number];

/** Returns the names of a queue's filters in the URL. Unmatched callbacks have neither a cause nor a shop. */
export const queueFilters = (queue: QueueName): readonly QueueFilterName[] =>
  isOrderQueue(queue) ? QUEUE_FILTERS : UNMATCHED_FILTERS;

/** The URL parameter with the id of the chosen entry. */
export const ENTRY_PARAMETER = 'entry';

type Url = UrlState<QueueFilterName>;

/**
 * Returns the queue that a path below `/queues` names, by default the first one; null if there is no such queue. The queues to_review
 * and unmatched have pages of their own.
 */
export function queueOfPath(path: readonly string[] | undefined): QueueName | null {
  const [name = QUEUES[0], ...rest] = path ?? [];
  return rest.length === 0 ? (QUEUES.find((queue) => queue === name) ?? null) : null;
}

/** Returns the query for the entries that match the filters in a URL. Ignores invalid values. */
export const entriesQuery = (trpc: Trpc, queue: QueueName, { filters, cursor, rowsPerPage }: Url) => {
  const shopIds = valuesOf(filters.shop).filter(isIntegerIdText);
  return trpc.queues.list.queryOptions(
    {
      queue,
      cause: oneOf(CAUSES, filters.cause),
      assigned: oneOf(ASSIGNMENTS, filters.assigned),
      state: oneOf(ENTRY_STATES, filters.state),
      shops: shopIds.length > 0 ? shopIds.map(Number) : undefined,
      cursor,
      limit: rowsPerPage,
    },
    LIST_QUERY,
  );
};

export const unmatchedQuery = (trpc: Trpc, number: string) =>
  trpc.queues.unmatched.queryOptions({ tracking_number: number }, SHOWS_OWN_ERROR);

/** Returns the queries of the page of a queue. */
export const queuePageQueries =
  (queue: QueueName): PageQueries =>
  async ({ trpc, search, rowsPerPage, load }) => {
    const [{ entries }] = await Promise.all([
      load(entriesQuery(trpc, queue, readUrl(queueFilters(queue), search, rowsPerPage))),
      load(queueCountsQuery(trpc)),
      load(trpc.shops.names.queryOptions()),
    ]);
    const chosenEntry = entries.find(({ id }) => id === search.get(ENTRY_PARAMETER)) ?? entries[0];
    if (!chosenEntry) return;
    const { id } = chosenEntry;
    /** Loads the drafts and the newest one's conversation. The newest one may be an API reply that needs no review. */
    const loadReply = async () => {
      const { drafts } = await load(replyDraftsQuery(trpc, id));
      const newestDraft = openDraftsOf(drafts, {}).at(-1);
      if (newestDraft) await load(replyQuery(trpc, newestDraft.id));
    };
    await Promise.all(
      isOrderQueue(queue)
        ? [load(orderQuery(trpc, id)), chosenEntry.reply && loadReply()]
        : [load(shipmentQuery(trpc, id)), load(unmatchedQuery(trpc, id))],
    );
  };
