// Written by `npm run sql` from records.sql: change that file instead.
import { Statement } from '../db/statement';

export type inbound_kind = 'marketplace' | 'tracks';
export type DateOrString = Date | string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListRecordsParams {
  beforeAt: DateOrString | null;
  beforeId: NumberOrString | null;
  from: DateOrString | null;
  kind: inbound_kind;
  limit: NumberOrString;
  outcome: string | null;
  timeZone: string;
  to: DateOrString | null;
  trackingNumber: string | null;
}

export interface ListRecordsRow {
  api_key: string | null;
  error: Json | null;
  form: string | null;
  id: string;
  kind: inbound_kind;
  matched_orders: number | null;
  method: string;
  new_events: number | null;
  outcome: string | null;
  received_at: string;
  replayed_at: Date | null;
  replays: number;
  request_id: string | null;
  size: number;
  tracking_number_count: number;
  tracking_numbers: stringArray;
  updated_orders: number | null;
}

export const listRecords = new Statement<ListRecordsParams, ListRecordsRow>('records.listRecords', `
-- A page of stored records, the newest first; a filter that is null is not applied. First finds the page's records by index,
-- without reading their bodies. Days are those of \`timeZone\`. \`trackingNumber\` matches numbers that were understood and those in
-- parts left out.
SELECT r.id::text AS "id", r.kind, r.method,
       to_char(r.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "received_at",
       octet_length(r.body) AS "size", k.name AS "api_key", r.request_id, r.outcome, r.result->>'form' AS form,
       ARRAY(SELECT jsonb_array_elements_text(r.numbers) LIMIT 10) AS "tracking_numbers",
       jsonb_array_length(r.numbers) AS "tracking_number_count",
       (r.result->>'matched_orders')::int AS matched_orders, (r.result->>'updated_orders')::int AS updated_orders,
       (r.result->>'new_events')::int AS new_events, r.error, r.replays,
       r.replayed_at
  FROM (
    SELECT i.*, n.numbers, o.outcome
      FROM inbound_records i
     CROSS JOIN LATERAL (SELECT coalesce(i.result->'tracking_numbers', '[]') AS numbers) n
     CROSS JOIN LATERAL (
       SELECT CASE WHEN i.kind <> 'tracks' THEN NULL WHEN i.processed_at IS NULL THEN 'failed'
                   WHEN jsonb_array_length(n.numbers) > 0 THEN 'understood' ELSE 'nothing' END AS outcome) o
     WHERE i.kind = $1
       AND ($2::date IS NULL OR i.received_at >= $2::timestamp AT TIME ZONE $3::text)
       AND ($4::date IS NULL OR i.received_at < ($4::date + 1)::timestamp AT TIME ZONE $3::text)
       AND ($5::text IS NULL OR o.outcome = $5)
       AND ($6::text IS NULL OR n.numbers @> to_jsonb($6::text)
            OR i.result->'left_out' @> jsonb_build_array(jsonb_build_object('tracking_number', $6::text)))
       AND ($7::timestamptz IS NULL OR (i.received_at, i.id) < ($7, $8::bigint))
     ORDER BY i.received_at DESC, i.id DESC LIMIT $9
  ) r LEFT JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.received_at DESC, r.id DESC`, ["kind","from","timeZone","to","outcome","trackingNumber","beforeAt","beforeId","limit"]);

export interface ReadRecordParams {
  id: NumberOrString;
  kind: inbound_kind | null;
}

export interface ReadRecordRow {
  api_key: string | null;
  body: Buffer;
  error: Json | null;
  form: string | null;
  headers: Json;
  id: string;
  kind: inbound_kind;
  matched_orders: number | null;
  method: string;
  new_events: number | null;
  outcome: string | null;
  processed_at: Date | null;
  query: Json;
  received_at: Date;
  replayed_at: Date | null;
  replays: number;
  request_id: string | null;
  result: Json | null;
  size: number;
  tracking_number_count: number;
  tracking_numbers: stringArray;
  updated_orders: number | null;
}

export const readRecord = new Statement<ReadRecordParams, ReadRecordRow>('records.readRecord', `
-- One record with its body, of one kind or of any.
SELECT r.id::text AS "id", r.kind, r.method,
       r.received_at,
       octet_length(r.body) AS "size", k.name AS "api_key", r.request_id,
       CASE WHEN r.kind <> 'tracks' THEN NULL WHEN r.processed_at IS NULL THEN 'failed'
            WHEN jsonb_array_length(n.numbers) > 0 THEN 'understood' ELSE 'nothing' END AS outcome,
       r.result->>'form' AS form, ARRAY(SELECT jsonb_array_elements_text(n.numbers) LIMIT 10) AS "tracking_numbers",
       jsonb_array_length(n.numbers) AS "tracking_number_count",
       (r.result->>'matched_orders')::int AS matched_orders, (r.result->>'updated_orders')::int AS updated_orders,
       (r.result->>'new_events')::int AS new_events, r.error, r.replays,
       r.replayed_at,
       r.processed_at,
       r.query, r.headers, r.body, r.result
  FROM inbound_records r
 CROSS JOIN LATERAL (SELECT coalesce(r.result->'tracking_numbers', '[]') AS numbers) n
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = $1 AND ($2::inbound_kind IS NULL OR r.kind = $2)`, ["id","kind"]);
