// Written by `npm run sql` from inbound.sql: change that file instead.
import { Statement } from '../db/statement';

export type inbound_kind = 'marketplace' | 'tracks';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;

export interface AddRecordParams {
  apiKeyId: number;
  body: Buffer;
  headers: Json | Uint8Array;
  kind: inbound_kind;
  method: string;
  query: Json | Uint8Array;
  requestId: string | null;
}

export interface AddRecordRow {
  id: string;
  received_at: number;
}

export const addRecord = new Statement<AddRecordParams, AddRecordRow>('inbound.addRecord', `
-- Returns when it was received, in milliseconds since the Unix epoch.
INSERT INTO inbound_records (kind, method, query, headers, body, api_key_id, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id::text AS "id", (extract(epoch FROM received_at) * 1000)::float8 AS "received_at"`, ["kind","method","query","headers","body","apiKeyId","requestId"]);

export interface FinishRecordParams {
  error: Json | Uint8Array | null;
  id: NumberOrString;
  result: Json | Uint8Array;
}

export const finishRecord = new Statement<FinishRecordParams, never>('inbound.finishRecord', `
-- \`error\` is the reason if processing failed.
UPDATE inbound_records SET result = $1, error = $2, processed_at = now() WHERE id = $3`, ["result","error","id"]);

export interface DeleteOldRecordsParams {
  days: number;
  limit: NumberOrString;
}

export interface DeleteOldRecordsRow {
  count: number;
}

export const deleteOldRecords = new Statement<DeleteOldRecordsParams, DeleteOldRecordsRow>('inbound.deleteOldRecords', `
-- Deletes some of the records older than \`days\`; returns how many.
WITH deleted AS (
  DELETE FROM inbound_records WHERE id IN (
    SELECT id FROM inbound_records WHERE received_at < now() - make_interval(days => $1) ORDER BY id LIMIT $2
    FOR UPDATE SKIP LOCKED)
  RETURNING id
)
SELECT count(*)::int AS "count" FROM deleted`, ["days","limit"]);
