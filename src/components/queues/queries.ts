import { ASSIGNMENTS, CAUSES, ENTRY_STATES, QUEUES, type QueueName } from '../../server/queues/queue';
import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { orderQuery } from '../orders/queries';
import { type AddressState, readAddress, valuesOf } from '../ui/list/list-address';
import { queueCountsQuery } from './counts-query';

export const QUEUE_FILTERS = ['cause', 'assigned', 'shop', 'state'] as const;

/** The parameter of the address with the chosen order. */
export const CHOSEN = 'entry';

type Address = AddressState<(typeof QUEUE_FILTERS)[number]>;

/** Returns the queue of a path below `/queues`: the first one if it names none, null if there is no such queue. */
export function queueOfPath(path: readonly string[] | undefined): QueueName | null {
  const [name = QUEUES[0], ...more] = path ?? [];
  return more.length === 0 ? (QUEUES.find((queue) => queue === name) ?? null) : null;
}

const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** The entries that an address asks for; what it cannot mean is left out. */
export const entriesQuery = (trpc: Trpc, queue: QueueName, { filters, cursor }: Address) => {
  const shops = valuesOf(filters.shop).filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return trpc.queues.list.queryOptions(
    {
      queue,
      cause: oneOf(CAUSES, filters.cause),
      assigned: oneOf(ASSIGNMENTS, filters.assigned),
      state: oneOf(ENTRY_STATES, filters.state),
      shops: shops.length > 0 ? shops.map(Number) : undefined,
      cursor,
    },
    LIST_QUERY,
  );
};

export const queuePageQueries: PageQueries<{ queue?: string[] }> = async ({
  trpc,
  search,
  parameters,
  load,
}) => {
  const queue = queueOfPath(parameters.queue);
  if (!queue) return;
  const [{ entries }] = await Promise.all([
    load(entriesQuery(trpc, queue, readAddress(QUEUE_FILTERS, search))),
    load(queueCountsQuery(trpc)),
    load(trpc.shops.list.queryOptions()),
  ]);
  const chosen = entries.find(({ order_id: id }) => id === search.get(CHOSEN)) ?? entries[0];
  if (chosen) await load(orderQuery(trpc, chosen.order_id));
};
