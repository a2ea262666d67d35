import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { RANGE_NAMES, readRange } from '../ui/list/day-range';
import { type AddressState, readAddress, valuesOf } from '../ui/list/list-address';

export const OVERVIEW_FILTERS = [...RANGE_NAMES, 'shop'] as const;

/** As the procedure allows. */
const LONGEST_RANGE = 732;

/** Reads the overview's filters from the address; invalid values are left out. */
export function readOverview(address: AddressState<(typeof OVERVIEW_FILTERS)[number]>) {
  const { shop } = address.filters;
  return {
    range: readRange(address, LONGEST_RANGE),
    /** Ids of the chosen shops; none means all of them. */
    chosen: valuesOf(shop).filter((id) => /^[1-9]\d{0,9}$/.test(id)),
  };
}

export const overviewQuery = (trpc: Trpc, { range, chosen }: ReturnType<typeof readOverview>) =>
  trpc.overview.read.queryOptions(
    {
      from: range.from,
      to: range.to,
      shops: chosen.length > 0 ? chosen.map(Number) : undefined,
    },
    LIST_QUERY,
  );

export const overviewPageQueries: PageQueries = ({ trpc, search, load }) =>
  Promise.all([
    load(overviewQuery(trpc, readOverview(readAddress(OVERVIEW_FILTERS, search)))),
    load(trpc.shops.list.queryOptions()),
  ]);
