import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { type AddressState, readAddress } from '../ui/list/list-address';
import { HISTORY_FILTERS, type HistoryFilterName, readHistoryFilter } from './history-filter';

export const historyQuery = (trpc: Trpc, { filters, cursor }: AddressState<HistoryFilterName>) =>
  trpc.imports.history.queryOptions({ ...readHistoryFilter(filters), cursor }, LIST_QUERY);

export const historyPageQueries: PageQueries = ({ trpc, search, load }) =>
  Promise.all([
    load(historyQuery(trpc, readAddress(HISTORY_FILTERS, search))),
    load(trpc.shops.list.queryOptions()),
  ]);
