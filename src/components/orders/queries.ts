import { isBigintIdText } from '../../server/core/id-text';
import { OLDEST_FIRST_TABS } from '../../server/orders/filter/order-tabs';
import type { OrderFilter } from '../../server/orders/filter/schema';
import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import { buyerQuery } from '../messages/queries';
import { type OrderListState, readOrderList } from './list/order-filter';

/** Returns the sort order of the orders list: the one in the URL, or the tab's default (see `OLDEST_FIRST_TABS`). */
export const orderSortOf = ({ tab, sort }: Pick<OrderListState, 'tab' | 'sort'>) =>
  sort?.by === 'sold' ? sort : { by: 'sold', descending: !OLDEST_FIRST_TABS.includes(tab) };

export const orderListQuery = (trpc: Trpc, listState: OrderListState) => {
  const direction = orderSortOf(listState).descending ? 'newest' : 'oldest';
  return trpc.orders.list.queryOptions(
    { filter: listState.filter, direction, cursor: listState.cursor, limit: listState.rowsPerPage },
    LIST_QUERY,
  );
};

export const orderCountQuery = (trpc: Trpc, filter: OrderFilter) =>
  trpc.orders.count.queryOptions({ filter }, LIST_QUERY);

export const orderTabsQuery = (trpc: Trpc) => trpc.orders.tabs.queryOptions(undefined, SHOWS_OWN_ERROR);

export const viewsQuery = (trpc: Trpc) => trpc.views.list.queryOptions({ list: 'orders' });

/** Returns the query that counts the orders of a saved view. */
export const viewCountQuery = (trpc: Trpc, query: string) =>
  trpc.orders.count.queryOptions(
    { filter: readOrderList(new URLSearchParams(query)).filter },
    SHOWS_OWN_ERROR,
  );

/** The URL parameter with the id of the order in the panel beside the list. */
export const OPENED_ORDER_PARAMETER = 'open';

/** Returns the id of the opened order; null if the parameter is missing or not an id. */
export const readOpenedOrderId = (value: string | null) => (isBigintIdText(value) ? value : null);

export const orderQuery = (trpc: Trpc, id: string) => trpc.orders.one.queryOptions({ id }, SHOWS_OWN_ERROR);

const loadViews = async (trpc: Trpc, load: Parameters<PageQueries>[0]['load']) => {
  const views = await load(viewsQuery(trpc));
  await Promise.all(
    views.filter(({ pinned }) => pinned).map(({ query }) => load(viewCountQuery(trpc, query))),
  );
};

export const ordersPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) => {
  const listState = readOrderList(search, rowsPerPage);
  const openedId = readOpenedOrderId(search.get(OPENED_ORDER_PARAMETER));
  return Promise.all([
    load(orderListQuery(trpc, listState)),
    load(orderCountQuery(trpc, listState.filter)),
    load(orderTabsQuery(trpc)),
    openedId && load(orderQuery(trpc, openedId)),
    loadViews(trpc, load),
    load(trpc.shops.names.queryOptions()),
    listState.filters.country && load(trpc.countries.list.queryOptions()),
  ]);
};

export const orderPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  Promise.all([load(orderQuery(trpc, parameters.id)), load(buyerQuery(trpc, parameters.id))]);
