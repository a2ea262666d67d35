// Written by `npm run sql` from audit.sql: change that file instead.
import { Statement } from '../db/statement';

export type actor_kind = 'api_key' | 'command' | 'system' | 'user';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface AddEntriesParams {
  actor: string;
  actorId: number | null;
  address: string | null;
  kind: actor_kind;
  records: Json | Uint8Array;
  requestId: string | null;
}

export const addEntries = new Statement<AddEntriesParams, never>('audit.addEntries', `
INSERT INTO audit_log (actor_kind, actor_id, actor, address, request_id, action, record_type, record_id, before, after)
SELECT $1, $2, $3, $4, $5, r.action, r."recordType", r."recordId", r.before, r.after
  FROM json_to_recordset($6::json) AS r(action text, "recordType" text, "recordId" text, before jsonb, after jsonb)`, ["kind","actorId","actor","address","requestId","records"]);
