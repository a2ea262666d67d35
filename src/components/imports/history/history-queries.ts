import { LIST_QUERY, type PageQueries, type Trpc } from '../../api/page-queries';
import { readUrl, type UrlState } from '../../ui/list/list-url';
import { HISTORY_FILTERS, type HistoryFilterName, readHistoryFilter } from './history-filter';

/** @param zone the reader's time zone, for the filter's days */
export const historyQuery = (
  trpc: Trpc,
  { filters, cursor, rowsPerPage }: UrlState<HistoryFilterName>,
  zone: string,
) =>
  trpc.imports.history.queryOptions(
    { ...readHistoryFilter(filters, zone), cursor, limit: rowsPerPage },
    LIST_QUERY,
  );

export const historyPageQueries: PageQueries = ({ trpc, search, rowsPerPage, timeZone, load }) =>
  Promise.all([
    load(historyQuery(trpc, readUrl(HISTORY_FILTERS, search, rowsPerPage), timeZone)),
    load(trpc.shops.names.queryOptions()),
  ]);
