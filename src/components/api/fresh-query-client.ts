import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * A query client in which the first load of a query never returns data from before a change. When a query is invalidated during its
 * first load, TanStack Query lets that load finish, although the service may have read the data before the change. This client starts
 * the load again, as TanStack Query does with later loads.
 */
export class FreshQueryClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loadingQueries = this.getQueryCache().findAll({
      ...filters,
      type: 'active',
      fetchStatus: 'fetching',
    });
    for (const query of loadingQueries)
      if (query.state.data === undefined) void query.cancel({ silent: true });
    return super.invalidateQueries(filters, options);
  }
}
