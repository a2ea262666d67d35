import { LIST_QUERY, type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../api/page-queries';
import { isDay } from '../ui/list/filter/day-range';
import { readUrl, type UrlState } from '../ui/list/list-url';

export const RECORD_FILTERS = ['from', 'to'] as const;

export const recordListQuery = (
  trpc: Trpc,
  { filters: { from, to }, cursor, rowsPerPage }: UrlState<(typeof RECORD_FILTERS)[number]>,
) =>
  trpc.records.list.queryOptions(
    {
      from: isDay(from) ? from : undefined,
      to: isDay(to) ? to : undefined,
      cursor,
      limit: rowsPerPage,
    },
    LIST_QUERY,
  );

export const recordQuery = (trpc: Trpc, id: string) => trpc.records.one.queryOptions({ id }, SHOWS_OWN_ERROR);

export const recordsPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  load(recordListQuery(trpc, readUrl(RECORD_FILTERS, search, rowsPerPage)));

export const recordPageQueries: PageQueries<{ id: string }> = ({ trpc, parameters, load }) =>
  load(recordQuery(trpc, parameters.id));
