import type { OrderFilter } from '../../../server/orders/filter/schema';

/**
 * Converts a filter to URL parameters. Ids have a parameter of their own, because a large selection in JSON would exceed the URL
 * length that servers accept.
 */
export function createFilterParameters({ ids, ...filter }: OrderFilter): Record<string, string> {
  if (!ids) return { filter: JSON.stringify(filter) };
  const idsParameter = { ids: ids.join('.') };
  return Object.keys(filter).length > 0 ? { ...idsParameter, filter: JSON.stringify(filter) } : idsParameter;
}

/**
 * Reads a filter from URL parameters created by {@link createFilterParameters}. Returns null if they have no filter or its JSON is
 * unreadable, so that a URL without a filter never means all orders.
 */
export function readFilterParameters(search: Pick<URLSearchParams, 'get'>): OrderFilter | null {
  const [joinedIds, filterJson] = [search.get('ids'), search.get('filter')];
  if (!joinedIds && !filterJson) return null;
  try {
    // The service validates the filter.
    const filter = filterJson ? (JSON.parse(filterJson) as OrderFilter) : {};
    return joinedIds ? { ...filter, ids: joinedIds.split('.') } : filter;
  } catch {
    return null;
  }
}
