import { isBigintIdText, isIntegerIdText } from '../../../server/core/id-text';
import { DEFAULT_PAGE_SIZE } from '../../../server/core/lists/page-size';
import { ORDER_STATUSES, ORDER_TRACKING_STATUSES, type OrderStatus } from '../../../server/core/statuses';
import {
  COUNTRY_FILTER,
  MAX_COUNTRIES,
  MAX_SEARCH_LENGTH,
  MAX_SHOPS,
  MAX_UNSHIPPED_DAYS,
} from '../../../server/orders/filter/bounds';
import { ORDER_TABS, type OrderTab, TAB_FILTERS } from '../../../server/orders/filter/order-tabs';
import type { OrderFilter } from '../../../server/orders/filter/schema';
import { isDay } from '../../ui/list/filter/day-range';
import { areAllKnown, readList, readUrl, type UrlState } from '../../ui/list/list-url';

/** The names of the filters of the orders list in the URL. Links on other pages use them. */
export const ORDER_FILTERS = [
  'q',
  'shop',
  'status',
  'tracking',
  'country',
  'from',
  'to',
  'unshipped',
  'import',
] as const;

export type OrderFilterName = (typeof ORDER_FILTERS)[number];

const isIntegerIn = (value: number, min: number, max: number) =>
  Number.isInteger(value) && value >= min && value <= max;

const asStatus = (value: string) => value as OrderStatus;
const asTracking = (value: string) => value as (typeof ORDER_TRACKING_STATUSES)[number];

/**
 * Stands for a search that is too long, so that the service refuses it. It is sent instead of the search, which might not fit into
 * the URL of a request.
 */
const TOO_LONG_SEARCH = 'x'.repeat(MAX_SEARCH_LENGTH + 1);

/**
 * Reads the filter from URL parameters. Ignores a parameter with an invalid value, such as an unknown status. A search that is too
 * long is not ignored, because all orders would be shown instead of those that the user is looking for, and could be changed.
 */
export function readOrderFilter(parameters: Partial<Record<OrderFilterName, string>>): OrderFilter {
  const { from, to, import: importId } = parameters;
  const search = parameters.q?.trim();
  const unshippedDays = parameters.unshipped === undefined ? Number.NaN : Number(parameters.unshipped);
  const filter: OrderFilter = {
    shops: readList(parameters.shop, (ids) => ids.length <= MAX_SHOPS && ids.every(isIntegerIdText), Number),
    statuses: readList(
      parameters.status,
      (values) => values.length <= ORDER_STATUSES.length && areAllKnown(values, ORDER_STATUSES),
      asStatus,
    ),
    tracking: readList(
      parameters.tracking,
      (values) =>
        values.length <= ORDER_TRACKING_STATUSES.length && areAllKnown(values, ORDER_TRACKING_STATUSES),
      asTracking,
    ),
    countries: readList(
      parameters.country,
      (codes) => codes.length <= MAX_COUNTRIES && codes.every((code) => COUNTRY_FILTER.test(code)),
      String,
    ),
    sold_from: isDay(from) ? from : undefined,
    sold_to: isDay(to) ? to : undefined,
    text: search !== undefined && search.length > MAX_SEARCH_LENGTH ? TOO_LONG_SEARCH : search,
    unshipped_days: isIntegerIn(unshippedDays, 0, MAX_UNSHIPPED_DAYS) ? unshippedDays : undefined,
    import_id: isBigintIdText(importId) ? importId : undefined,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Returns the names of the filters that a tab sets itself or that make no sense in it. */
export const fixedFiltersOf = (tab: OrderTab): readonly OrderFilterName[] => {
  const { queue, statuses, tracking } = TAB_FILTERS[tab];
  if (queue === 'exception') return ['tracking', 'unshipped'];
  if (queue) return ['status', 'tracking'];
  return [
    ...(statuses ? (['status', 'unshipped'] as const) : []),
    ...(tracking ? (['tracking'] as const) : []),
  ];
};

/** The state of the orders list in a URL. */
export interface OrderListState extends UrlState<OrderFilterName> {
  tab: OrderTab;
  /** Matches the orders of the tab that pass the filters. */
  filter: OrderFilter;
}

/**
 * Reads the tab and the filters from a URL. The default tab is "all orders" if the URL has filters, otherwise "to ship".
 * Ignores the tab's {@link fixedFiltersOf}.
 */
export function readOrderList(
  search: Pick<URLSearchParams, 'get'>,
  rowsPerPage = DEFAULT_PAGE_SIZE,
): OrderListState {
  const state = readUrl(ORDER_FILTERS, search, rowsPerPage);
  const requestedTab = search.get('tab');
  const tab = ORDER_TABS.find((name) => name === requestedTab) ?? (state.hasFilters ? 'all' : 'to_ship');
  const fixedNames = fixedFiltersOf(tab);
  const editableFilters = Object.fromEntries(
    Object.entries(state.filters).filter(([name]) => !fixedNames.includes(name as OrderFilterName)),
  );
  return { ...state, tab, filter: { ...readOrderFilter(editableFilters), ...TAB_FILTERS[tab] } };
}
