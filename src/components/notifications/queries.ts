import type { PageQueries } from '../api/page-queries';

/** Whose channels a page shows. */
export type Owner = 'own' | 'team';

/** Returns the queries of a page that shows the channels of `owner`. */
export const createNotificationPageQueries =
  (owner: Owner): PageQueries =>
  ({ trpc, load }) =>
    Promise.all([
      load(trpc.notifications[owner].list.queryOptions()),
      load(trpc.notifications[owner].deliveries.queryOptions()),
      load(trpc.shops.names.queryOptions()),
    ]);
