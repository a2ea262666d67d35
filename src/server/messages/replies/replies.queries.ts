// Written by `npm run sql` from replies.sql: change that file instead.
import { Statement } from '../../db/statement';

export type reply_outcome = 'answered' | 'failed' | 'refused';
export type DateOrString = Date | string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListRepliesParams {
  beforeAt: DateOrString | null;
  beforeId: NumberOrString | null;
  from: DateOrString | null;
  limit: NumberOrString;
  orderNumber: string | null;
  outcome: reply_outcome | null;
  shopNames: Readonly<stringArray> | null;
  timeZone: string;
  to: DateOrString | null;
  trial: boolean | null;
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
  model: string;
  order_number: string | null;
  outcome: reply_outcome;
  output_tokens: number | null;
  prompt_version: number | null;
  shop_name: string;
  trial_by: string | null;
  warning_count: number;
}

export const listReplies = new Statement<ListRepliesParams, ListRepliesRow>('replies.listReplies', `
-- A page of the log, the newest first; a filter that is null is not applied. Days are those of \`timeZone\`.
SELECT r.id::text AS "id", to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "created_at",
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version",
       jsonb_array_length(r.warnings) AS "warning_count", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key", CASE WHEN r.is_trial THEN r.extra->'trial'->>'by' END AS trial_by,
       left(r.reply, 200) AS excerpt
  FROM (
    SELECT a.*, t.is_trial
      FROM replies a
     CROSS JOIN LATERAL (SELECT a.api_key_id IS NULL AND jsonb_exists(a.extra, 'trial') AS is_trial) t
     WHERE ($1::text[] IS NULL OR a.shop_name = ANY($1))
       AND ($2::reply_outcome IS NULL OR a.outcome = $2)
       AND ($3::text IS NULL OR ltrim(btrim(a.order_number), '#') = ltrim(btrim($3), '#'))
       AND ($4::boolean IS NULL OR (jsonb_array_length(a.warnings) > 0) = $4)
       AND ($5::boolean IS NULL OR t.is_trial = $5)
       AND ($6::date IS NULL OR a.created_at >= $6::timestamp AT TIME ZONE $7::text)
       AND ($8::date IS NULL OR a.created_at < ($8::date + 1)::timestamp AT TIME ZONE $7::text)
       AND ($9::timestamptz IS NULL OR (a.created_at, a.id) < ($9, $10::bigint))
     ORDER BY a.created_at DESC, a.id DESC LIMIT $11
  ) r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 ORDER BY r.created_at DESC, r.id DESC`, ["shopNames","outcome","orderNumber","warned","trial","from","timeZone","to","beforeAt","beforeId","limit"]);

export interface ReadReplyParams {
  id: NumberOrString;
}

export interface ReadReplyRow {
  api_key: string | null;
  buyer_name: string | null;
  created_at: string;
  duration_ms: number;
  error: string | null;
  extra: Json;
  id: string;
  input_tokens: number | null;
  messages: Json;
  model: string;
  order_number: string | null;
  outcome: reply_outcome;
  output_tokens: number | null;
  prompt_text: string | null;
  prompt_version: number | null;
  prompt_version_id: number | null;
  reply: string | null;
  request_id: string | null;
  shop_name: string;
  trial_by: string | null;
  warning_count: number;
  warnings: Json;
}

export const readReply = new Statement<ReadReplyParams, ReadReplyRow>('replies.readReply', `
-- With the conversation and the prompt it was written from.
SELECT r.id::text AS "id", to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "created_at",
       r.shop_name, r.order_number, r.buyer_name, r.outcome, r.error, r.model, v.version AS "prompt_version",
       jsonb_array_length(r.warnings) AS "warning_count", r.input_tokens, r.output_tokens, r.duration_ms,
       k.name AS "api_key",
       CASE WHEN r.api_key_id IS NULL AND jsonb_exists(r.extra, 'trial') THEN r.extra->'trial'->>'by' END AS trial_by,
       r.reply, r.warnings, r.messages, r.extra, v.text AS "prompt_text", r.prompt_version_id, r.request_id
  FROM replies r
  LEFT JOIN prompt_versions v ON v.id = r.prompt_version_id
  LEFT JOIN api_keys k ON k.id = r.api_key_id
 WHERE r.id = $1`, ["id"]);
