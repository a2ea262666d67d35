import { type PageQueries, SHOWS_OWN_ERROR, type Trpc } from '../../api/page-queries';
import { readFilterParameters } from '../list/filter-url';

type Search = Pick<URLSearchParams, 'get'>;

/** Returns the query for the pick list of the orders that the URL selects; it is disabled if the URL has no readable filter. */
export const pickListQuery = (trpc: Trpc, search: Search) => {
  const filter = readFilterParameters(search);
  return trpc.shipping.pickList.queryOptions(
    { filter: filter ?? {} },
    { ...SHOWS_OWN_ERROR, enabled: filter !== null },
  );
};

export const packingSlipsQuery = (trpc: Trpc, search: Search) => {
  const filter = readFilterParameters(search);
  return trpc.shipping.packingSlips.queryOptions(
    { filter: filter ?? {} },
    { ...SHOWS_OWN_ERROR, enabled: filter !== null },
  );
};

export const pickListPageQueries: PageQueries = ({ trpc, search, load }) =>
  readFilterParameters(search) && load(pickListQuery(trpc, search));

export const packingSlipsPageQueries: PageQueries = ({ trpc, search, load }) =>
  readFilterParameters(search) && load(packingSlipsQuery(trpc, search));
