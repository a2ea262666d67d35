import type { OrderFilter } from '../../../server/orders/list/schema';

/**
 * A filter as the parameters of a URL. Ids have a parameter of their own: as JSON, the URL of a large selection would be
 * longer than servers accept.
 */
export function filterParameters({ ids, ...filter }: OrderFilter): Record<string, string> {
  if (!ids) return { filter: JSON.stringify(filter) };
  const named = { ids: ids.join('.') };
  return Object.keys(filter).length > 0 ? { ...named, filter: JSON.stringify(filter) } : named;
}

/** Returns the filter in a URL made by {@link filterParameters}; null if it has none, so that nothing stands for all orders. */
export function readFilterParameters(search: Pick<URLSearchParams, 'get'>): OrderFilter | null {
  const [ids, filter] = [search.get('ids'), search.get('filter')];
  if (!ids && !filter) return null;
  try {
    // The service checks it.
    const read = filter ? (JSON.parse(filter) as OrderFilter) : {};
    return ids ? { ...read, ids: ids.split('.') } : read;
  } catch {
    return null;
  }
}
