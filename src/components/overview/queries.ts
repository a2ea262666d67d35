import { isIntegerIdText } from '../../server/core/id-text';
import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { RANGE_PARAMETERS, readRange } from '../ui/list/filter/day-range';
import { readUrl, type UrlState, valuesOf } from '../ui/list/list-url';

export const OVERVIEW_FILTERS = [...RANGE_PARAMETERS, 'shop'] as const;

/** The longest range that the procedures accept. */
const MAX_RANGE_DAYS = 732;

/** Reads the overview's filters from the URL. Ignores invalid values. `today` is the date in New York. */
export function readOverviewFilters(url: UrlState<(typeof OVERVIEW_FILTERS)[number]>, today: string) {
  const { shop } = url.filters;
  return {
    range: readRange(url, MAX_RANGE_DAYS, today),
    /** Empty for all shops. */
    chosenShopIds: valuesOf(shop).filter(isIntegerIdText),
  };
}

type OverviewFilters = ReturnType<typeof readOverviewFilters>;

/** Returns the input of the overview's procedures and downloads. */
export const overviewInput = ({ range: { from, to }, chosenShopIds }: OverviewFilters) => ({
  from,
  to,
  shops: chosenShopIds.length > 0 ? chosenShopIds.map(Number) : undefined,
});

export const overviewQuery = (trpc: Trpc, filters: OverviewFilters) =>
  trpc.overview.read.queryOptions(overviewInput(filters), LIST_QUERY);

export const deliveriesQuery = (trpc: Trpc, filters: OverviewFilters) =>
  trpc.overview.deliveries.queryOptions(overviewInput(filters), LIST_QUERY);

export const overviewPageQueries: PageQueries = ({ trpc, search, rowsPerPage, today, load }) => {
  const filters = readOverviewFilters(readUrl(OVERVIEW_FILTERS, search, rowsPerPage), today);
  return Promise.all([
    load(overviewQuery(trpc, filters)),
    load(deliveriesQuery(trpc, filters)),
    load(trpc.shops.names.queryOptions()),
  ]);
};
