// Written by `npm run sql` from calls.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type numberArray = (number)[];

export interface AddCallsParams {
  calls: Json | Uint8Array;
}

export const addCalls = new Statement<AddCallsParams, never>('calls.addCalls', `
-- Skips the calls of keys that have been deleted in the meantime.
INSERT INTO api_key_calls (api_key_id, created_at, request_id, method, route, status, duration_ms, error, address)
SELECT r.key, to_timestamp(r.at / 1000.0), r.request_id, r.method, r.route, r.status, r.duration_ms, r.error, r.address
  FROM json_to_recordset($1::json) AS r(n int, key int, at float8, request_id text, method text, route text,
       status int, duration_ms int, error jsonb, address text)
  JOIN api_keys k ON k.id = r.key
 ORDER BY r.n`, ["calls"]);

export interface ListKeyIdsRow {
  id: number;
}

export const listKeyIds = new Statement<undefined, ListKeyIdsRow>('calls.listKeyIds', `
SELECT id FROM api_keys ORDER BY id`);

export interface TrimCallsParams {
  keep: NumberOrString;
  keys: Readonly<numberArray>;
}

export const trimCalls = new Statement<TrimCallsParams, never>('calls.trimCalls', `
-- Deletes all but the last \`keep\` calls of these keys. Without MATERIALIZED, every row would look up the key's last thousand.
WITH limits AS MATERIALIZED (
  SELECT k.id AS key, (SELECT o.id FROM api_key_calls o WHERE o.api_key_id = k.id
                        ORDER BY o.id DESC OFFSET $1 LIMIT 1) AS last
    FROM unnest($2::int[]) AS k(id)
)
DELETE FROM api_key_calls WHERE id IN (
  SELECT c.id FROM limits l JOIN api_key_calls c ON c.api_key_id = l.key AND c.id <= l.last FOR UPDATE OF c SKIP LOCKED)`, ["keep","keys"]);

export interface DeleteOldCallsParams {
  days: number;
  limit: NumberOrString;
}

export interface DeleteOldCallsRow {
  count: number;
}

export const deleteOldCalls = new Statement<DeleteOldCallsParams, DeleteOldCallsRow>('calls.deleteOldCalls', `
WITH deleted AS (
  DELETE FROM api_key_calls WHERE id IN (
    SELECT id FROM api_key_calls WHERE created_at < now() - make_interval(days => $1) LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["days","limit"]);

export interface ListCallsParams {
  before: NumberOrString;
  days: number;
  errorsOnly: boolean;
  keep: NumberOrString;
  key: number;
  limit: NumberOrString;
}

export interface ListCallsRow {
  address: string | null;
  created_at: Date;
  duration_ms: number;
  error: Json | null;
  id: string;
  method: string;
  request_id: string;
  route: string;
  status: number;
}

export const listCalls = new Statement<ListCallsParams, ListCallsRow>('calls.listCalls', `
-- Applies the limits on age and number too, because calls beyond them may not have been deleted yet.
SELECT c.id::text AS "id", created_at, request_id, method, route, status, duration_ms, error, address
  FROM api_key_calls c
 WHERE api_key_id = $1 AND created_at > now() - make_interval(days => $2)
   AND c.id > coalesce((SELECT o.id FROM api_key_calls o WHERE o.api_key_id = $1
                       ORDER BY o.id DESC OFFSET $3 LIMIT 1), 0)
   AND c.id < $4::bigint AND (status >= 400 OR NOT $5::boolean)
 ORDER BY c.id DESC LIMIT $6`, ["key","days","keep","before","errorsOnly","limit"]);
