import type { AuditGroup, AuditRecordType } from '../../server/audit/actions';
import { LIST_QUERY, type PageQueries, type Trpc } from '../api/page-queries';
import type { RouterInputs } from '../api/router-types';
import { isDay } from '../ui/list/filter/day-range';
import { readUrl, type UrlState, valuesOf } from '../ui/list/list-url';
import { AUDIT_GROUP_NAMES, AUDIT_RECORD_NAMES } from './names';
import { AUDIT_SENTENCES } from './sentences';

export const AUDIT_FILTERS = ['who', 'group', 'record_type', 'record_id', 'action', 'from', 'to'] as const;

type AuditUrl = UrlState<(typeof AUDIT_FILTERS)[number]>;

const ACTOR_PATTERN = /^(?:(?:user|api_key):[1-9]\d{0,8}|command|system)$/;

/** Returns the known values of a filter; undefined if there are none. */
function readKnownValues<Value extends string>(
  text: string | undefined,
  isKnown: (value: string) => boolean,
): Value[] | undefined {
  const values = valuesOf(text).filter((value): value is Value => isKnown(value));
  return values.length === 0 ? undefined : values;
}

/**
 * Reads the filter from the URL. Drops invalid values, but accepts any text as `record_id`. Does not use the schema, which the page
 * would have to load.
 */
function readFilter({ filters }: AuditUrl): RouterInputs['audit']['list'] {
  const { who, group, record_type: type, record_id, action, from, to } = filters;
  return {
    actors: readKnownValues(who, (value) => ACTOR_PATTERN.test(value)),
    groups: readKnownValues<AuditGroup>(group, (value) => Object.hasOwn(AUDIT_GROUP_NAMES, value)),
    record_types: readKnownValues<AuditRecordType>(type, (value) => Object.hasOwn(AUDIT_RECORD_NAMES, value)),
    record_id,
    action:
      action && Object.hasOwn(AUDIT_SENTENCES, action) ? (action as keyof typeof AUDIT_SENTENCES) : undefined,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? to : undefined,
  };
}

export const auditQuery = (trpc: Trpc, url: AuditUrl) =>
  trpc.audit.list.queryOptions(
    { ...readFilter(url), cursor: url.cursor, limit: url.rowsPerPage },
    LIST_QUERY,
  );

export const auditPageQueries: PageQueries = ({ trpc, search, rowsPerPage, load }) =>
  Promise.all([
    load(auditQuery(trpc, readUrl(AUDIT_FILTERS, search, rowsPerPage))),
    load(trpc.audit.actors.queryOptions()),
  ]);
