import type { PageQueries } from '../api/page-queries';

/** Whose channels a page shows. */
export type Owner = 'own' | 'team';

export const notificationPageQueries =
  (owner: Owner): PageQueries =>
  ({ trpc, load }) =>
    Promise.all([
      load(trpc.notifications[owner].list.queryOptions()),
      load(trpc.notifications[owner].deliveries.queryOptions()),
      load(trpc.shops.list.queryOptions()),
    ]);
