import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import { type AddressState, readAddress } from '../ui/list/list-address';

export const AUDIT_FILTERS = ['actor', 'action', 'record_type', 'record_id'] as const;

export const auditQuery = (trpc: Trpc, { filters, cursor }: AddressState<(typeof AUDIT_FILTERS)[number]>) =>
  trpc.audit.list.queryOptions({ ...filters, cursor }, LIST_QUERY);

export const auditPageQueries: PageQueries = ({ trpc, search, load }) =>
  load(auditQuery(trpc, readAddress(AUDIT_FILTERS, search)));

export const accountPageQueries: PageQueries = ({ trpc, load }) =>
  Promise.all([
    load(trpc.account.me.queryOptions()),
    load(trpc.account.sessions.queryOptions()),
    load(trpc.account.consents.queryOptions()),
    load(trpc.tokens.list.queryOptions()),
  ]);
