// Written by `npm run sql` from callbacks.sql: change that file instead.
import { Statement } from '../../db/statement';

export type observation_kind = 'correction' | 'event' | 'snapshot';
export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

export interface ListEventsOfCallbackParams {
  progress: Readonly<stringArray>;
  recordId: NumberOrString;
}

export interface ListEventsOfCallbackRow {
  description: string | null;
  id: string;
  kind: observation_kind;
  location: string | null;
  occurred_at: Date;
  provider_status: string | null;
  status: tracking_status | null;
  sub_status: string | null;
  total: number;
  tracking_number: string;
}

export const listEventsOfCallback = new Statement<ListEventsOfCallbackParams, ListEventsOfCallbackRow>('callbacks.listEventsOfCallback', `
-- The newest five hundred events that the callback was the first to report, in the order of event-order.ts, with their total
-- number.
SELECT t.id::text AS "id", t.tracking_number, t.kind,
       t.occurred_at,
       t.status, t.sub_status, t.provider_status, t.description, t.location, count(*) OVER ()::int AS "total"
  FROM tracking_events t WHERE t.inbound_record_id = $1
 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position($2::text[], t.sub_status) DESC NULLS LAST, t.identity DESC LIMIT 500`, ["recordId","progress"]);

export interface FindCallbacksParams {
  ids: Readonly<NumberOrStringArray>;
}

export interface FindCallbacksRow {
  id: string;
  size: number;
}

export const findCallbacks = new Statement<FindCallbacksParams, FindCallbacksRow>('callbacks.findCallbacks', `
-- Returns which of the records are callbacks, with the length of their bodies.
SELECT id::text AS "id", octet_length(body) AS "size" FROM inbound_records
 WHERE kind = 'tracks' AND id = ANY($1::bigint[]) ORDER BY inbound_records.id`, ["ids"]);

export interface LockCallbacksParams {
  ids: Readonly<NumberOrStringArray>;
}

export interface LockCallbacksRow {
  body: Buffer;
  id: string;
  processed: boolean;
  received_at: number;
}

export const lockCallbacks = new Statement<LockCallbacksParams, LockCallbacksRow>('callbacks.lockCallbacks', `
-- Locks the records, so that concurrent replays of one record each count only their own changes.
SELECT id::text AS "id", body, (extract(epoch FROM received_at) * 1000)::float8 AS "received_at",
       processed_at IS NOT NULL AS "processed"
  FROM inbound_records WHERE id = ANY($1::bigint[]) ORDER BY inbound_records.id FOR NO KEY UPDATE`, ["ids"]);

export interface FinishReplaysParams {
  records: Json | Uint8Array | null;
}

export const finishReplays = new Statement<FinishReplaysParams, never>('callbacks.finishReplays', `
-- Stores the changes of the replay next to those made on arrival.
UPDATE inbound_records r
   SET result = coalesce(r.result, '{}') || n.result, error = n.error, replays = r.replays + 1, replayed_at = now(),
       processed_at = coalesce(r.processed_at, now())
  FROM json_to_recordset($1::json) AS n(id bigint, result jsonb, error jsonb)
 WHERE r.id = n.id`, ["records"]);

export interface FindCallbacksWithStatusParams {
  limit: NumberOrString;
  providerStatus: string;
  source: string;
}

export interface FindCallbacksWithStatusRow {
  id: string;
  total: number;
}

export const findCallbacksWithStatus = new Statement<FindCallbacksWithStatusParams, FindCallbacksWithStatusRow>('callbacks.findCallbacksWithStatus', `
-- Callbacks that have events with this provider status and no meaning, never replayed ones first, with their total number.
SELECT r.id::text AS "id", count(*) OVER ()::int AS "total" FROM inbound_records r
 WHERE r.id IN (
   SELECT e.inbound_record_id FROM tracking_events e
    WHERE e.status IS NULL AND CASE e.source WHEN 'callback' THEN 'plain' ELSE e.source END = $1
      AND lower(btrim(e.provider_status)) = lower(btrim($2)))
 ORDER BY r.replayed_at NULLS FIRST, r.id LIMIT $3`, ["source","providerStatus","limit"]);
