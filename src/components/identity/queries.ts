import type { PageQueries } from '../api/page-queries';

export const accountPageQueries: PageQueries = ({ trpc, load }) =>
  Promise.all([
    load(trpc.account.me.queryOptions()),
    load(trpc.account.sessions.queryOptions()),
    load(trpc.account.consents.queryOptions()),
    load(trpc.tokens.list.queryOptions()),
  ]);
