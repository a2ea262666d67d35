import type { OrderFilter } from '../../../server/orders/filter/schema';

/**
 * Converts a filter to URL parameters. Ids have a parameter of their own, because a large selection in JSON would exceed the URL
 * length that servers accept.
 */
export function filterParameters({ ids, ...filter }: OrderFilter): Record<string, string> {
  if (!ids) return { filter: JSON.stringify(filter) };
  const idsParameter = { ids: ids.join('.') };
  return Object.keys(filter).length > 0 ? { ...idsParameter, filter: JSON.stringify(filter) } : idsParameter;
}

/**
 * Reads a filter from a URL created by {@link filterParameters}. Returns null if it has no filter or its JSON is unreadable, so
 * that a URL without a filter never means all orders.
 */
export function readFilterParameters(search: Pick<URLSearchParams, 'get'>): OrderFilter | null {
  const [ids, filter] = [search.get('ids'), search.get('filter')];
  if (!ids && !filter) return null;
  try {
    // The service validates the filter.
    const parsedFilter = filter ? (JSON.parse(filter) as OrderFilter) : {};
    return ids ? { ...parsedFilter, ids: ids.split('.') } : parsedFilter;
  } catch {
    return null;
  }
}
