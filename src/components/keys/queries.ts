import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { readUrl, type UrlState } from '../ui/list/list-url';

export const KEY_CALL_FILTERS = ['errors'] as const;

export const keyCallsQuery = (
  trpc: Trpc,
  id: number,
  { filters, cursor, rowsPerPage }: UrlState<(typeof KEY_CALL_FILTERS)[number]>,
) =>
  trpc.keys.calls.queryOptions(
    { id, cursor, limit: rowsPerPage, errors_only: filters.errors === 'only' },
    LIST_QUERY,
  );

export const keyPageQueries: PageQueries<{ id: string }> = ({
  trpc,
  search,
  rowsPerPage,
  parameters,
  load,
}) =>
  Promise.all([
    load(trpc.keys.list.queryOptions()),
    load(keyCallsQuery(trpc, Number(parameters.id), readUrl(KEY_CALL_FILTERS, search, rowsPerPage))),
  ]);
