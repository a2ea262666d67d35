import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';

/**
 * A query client that starts a query's first load again if the query is invalidated meanwhile, as TanStack Query does with later
 * loads. TanStack Query lets the first load finish, although the service may have read the data before the change.
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
