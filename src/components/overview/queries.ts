import { isIdText } from '../../server/core/id-text';
import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { RANGE_NAMES, readRange } from '../ui/list/filter/day-range';
import { readUrl, type UrlState, valuesOf } from '../ui/list/list-url';

export const OVERVIEW_FILTERS = [...RANGE_NAMES, 'shop'] as const;

/** The longest range that the procedure accepts. */
const MAX_RANGE_DAYS = 732;

/** Reads the overview's filters from the URL. Ignores invalid values. */
export function readOverview(url: UrlState<(typeof OVERVIEW_FILTERS)[number]>) {
  const { shop } = url.filters;
  return {
    range: readRange(url, MAX_RANGE_DAYS),
    /** Ids of the chosen shops; none means all of them. */
    chosenShops: valuesOf(shop).filter(isIdText),
  };
}

type OverviewChoice = ReturnType<typeof readOverview>;

/** Returns the input of the procedures and downloads. */
export const inputOf = ({ range: { from, to }, chosenShops }: OverviewChoice) => ({
  from,
  to,
  shops: chosenShops.length > 0 ? chosenShops.map(Number) : undefined,
});

export const overviewQuery = (trpc: Trpc, overview: OverviewChoice) =>
  trpc.overview.read.queryOptions(inputOf(overview), LIST_QUERY);

export const deliveriesQuery = (trpc: Trpc, overview: OverviewChoice) =>
  trpc.overview.deliveries.queryOptions(inputOf(overview), LIST_QUERY);

export const overviewPageQueries: PageQueries = ({ trpc, search, rows, load }) => {
  const overview = readOverview(readUrl(OVERVIEW_FILTERS, search, rows));
  return Promise.all([
    load(overviewQuery(trpc, overview)),
    load(deliveriesQuery(trpc, overview)),
    load(trpc.shops.list.queryOptions()),
  ]);
};
