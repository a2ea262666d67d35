import { LIST_QUERY, OWN_ERROR, type PageQueries, type Trpc } from '../api/page-queries';
import { type AddressState, readAddress } from '../ui/list/list-address';
import { ORDER_FILTERS, type OrderFilterName, readOrderFilter } from './order-filter';

type Address = AddressState<OrderFilterName>;

export const orderListQuery = (trpc: Trpc, { filters, sort, cursor }: Address) => {
  const direction = sort?.by === 'sold' && !sort.descending ? 'oldest' : 'newest';
  return trpc.orders.list.queryOptions({ filter: readOrderFilter(filters), direction, cursor }, LIST_QUERY);
};

export const orderCountQuery = (trpc: Trpc, { filters }: Pick<Address, 'filters'>) =>
  trpc.orders.count.queryOptions({ filter: readOrderFilter(filters) }, LIST_QUERY);

export const orderQuery = (trpc: Trpc, id: string) => trpc.orders.one.queryOptions({ id }, OWN_ERROR);

export const ordersPageQueries: PageQueries = ({ trpc, search, load }) => {
  const address = readAddress(ORDER_FILTERS, search);
  return Promise.all([
    load(orderListQuery(trpc, address)),
    load(orderCountQuery(trpc, address)),
    load(trpc.shops.list.queryOptions()),
    address.filters.country && load(trpc.countries.list.queryOptions()),
  ]);
};

export const orderPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(orderQuery(trpc, parameters.id));
