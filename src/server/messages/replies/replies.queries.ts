// Written by `npm run sql` from replies.sql: change that file instead.
import { Statement } from '../../db/statement';

export type reply_kind = 'draft' | 'handwritten' | 'request' | 'translation' | 'trial';
export type reply_outcome = 'answered' | 'failed' | 'refused';
export type DateOrString = Date | string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListRepliesParams {
  beforeAt: DateOrString | null;
  beforeId: NumberOrString | null;
  from: DateOrString | null;
  kind: reply_kind | null;
  limit: NumberOrString;
  orderNumber: string | null;
  outcome: reply_outcome | null;
  sent: boolean | null;
  shopNames: Readonly<stringArray> | null;
  timeZone: string;
  to: DateOrString | null;
  warned: boolean | null;
}

export interface ListRepliesRow {
  api_key: string | null;
  buyer_name: string | null;
  created_at: string;
  duration_ms: number;
  error: string | null;
  excerpt: string | null;
  id: string;
  input_tokens: number | null;
  kind: reply_kind;
  model: string;
  order_id: string | null;
  order_number: string | null;
  outcome: reply_outcome;
  output_tokens: number | null;
  prompt_version: number | null;
  requested_by: string | null;
  sent_at: Date | null;
  sent_by: string | null;
  shop_name: string;
  warning_count: number;
}

export const listReplies = new Statement<ListRepliesParams, ListRepliesRow>('replies.listReplies', `
-- A page of the log, newest first. Null filters are not applied. Days are in \`timeZone\`.
SELECT r.id::text AS "id", to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "created_at",
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version",
       jsonb_array_length(r.warnings) AS "warning_count", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key", left(r.reply, 200) AS excerpt, r.kind, r.requested_by, r.order_id::text AS order_id, r.sent_by,
       r.sent_at
  FROM (
    SELECT a.*
      FROM replies a
     WHERE ($1::text[] IS NULL OR a.shop_name = ANY($1))
       AND ($2::reply_outcome IS NULL OR a.outcome = $2)
       AND ($3::text IS NULL OR ltrim(btrim(a.order_number), '#') = ltrim(btrim($3), '#'))
       AND ($4::boolean IS NULL OR (jsonb_array_length(a.warnings) > 0) = $4)
       AND ($5::reply_kind IS NULL OR a.kind = $5)
       AND ($6::boolean IS NULL OR (a.sent_at IS NOT NULL) = $6)
       AND ($7::date IS NULL OR a.created_at >= $7::timestamp AT TIME ZONE $8::text)
       AND ($9::date IS NULL OR a.created_at < ($9::date + 1)::timestamp AT TIME ZONE $8::text)
       AND ($10::timestamptz IS NULL OR (a.created_at, a.id) < ($10, $11::bigint))
     ORDER BY a.created_at DESC, a.id DESC LIMIT $12
  ) r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.created_at DESC, r.id DESC`, ["shopNames","outcome","orderNumber","warned","kind","sent","from","timeZone","to","beforeAt","beforeId","limit"]);

export interface ReadReplyParams {
  id: NumberOrString;
}

export interface ReadReplyRow {
  api_key: string | null;
  buyer_name: string | null;
  created_at: Date;
  duration_ms: number;
  error: string | null;
  extra: Json;
  id: string;
  input_tokens: number | null;
  kind: reply_kind;
  messages: Json;
  model: string;
  order_id: string | null;
  order_number: string | null;
  outcome: reply_outcome;
  output_tokens: number | null;
  prompt_text: string | null;
  prompt_version: number | null;
  prompt_version_id: number | null;
  reply: string | null;
  request_id: string | null;
  requested_by: string | null;
  sent_at: Date | null;
  sent_by: string | null;
  sent_text: string | null;
  shop_name: string;
  warning_count: number;
  warnings: Json;
}

export const readReply = new Statement<ReadReplyParams, ReadReplyRow>('replies.readReply', `
-- One reply with its conversation and the prompt it was written with.
SELECT r.id::text AS "id", r.created_at,
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version",
       jsonb_array_length(r.warnings) AS "warning_count", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key", r.kind, r.requested_by, r.order_id::text AS order_id, r.sent_by,
       r.sent_at, r.sent_text,
       r.reply, r.warnings, r.messages, r.extra, v.text AS "prompt_text", r.prompt_version_id, r.request_id
  FROM replies r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = $1`, ["id"]);
