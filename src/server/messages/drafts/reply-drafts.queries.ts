// Written by `npm run sql` from reply-drafts.sql: change that file instead.
import { Statement } from '../../db/statement';

export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type reply_kind = 'draft' | 'handwritten' | 'request' | 'translation' | 'trial';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];

export interface ListDraftsParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ListDraftsRow {
  created_at: Date;
  duration_ms: number;
  id: string;
  input_tokens: number | null;
  kind: reply_kind;
  model: string;
  output_tokens: number | null;
  reply: string;
  requested_by: string | null;
  sent_at: Date | null;
  sent_by: string | null;
  sent_text: string | null;
  warnings: Json;
}

export const listDrafts = new Statement<ListDraftsParams, ListDraftsRow>('reply-drafts.listDrafts', `
-- The latest hundred replies to an order, newest first, without failed attempts. \`requested_by\` is null for those requested
-- through the API.
SELECT r.id::text AS "id", r.kind, r.created_at, r.requested_by, r.reply AS "reply", r.warnings, r.model,
       r.input_tokens, r.output_tokens, r.duration_ms, r.sent_text, r.sent_at, r.sent_by
  FROM replies r
 WHERE r.shop_id = $1 AND r.order_id = $2 AND r.kind IN ('draft', 'request', 'handwritten')
   AND r.reply IS NOT NULL
 ORDER BY r.id DESC LIMIT 100`, ["shopId","orderId"]);

export interface LockDraftParams {
  id: NumberOrString;
  orderId: NumberOrString;
  shopId: number;
}

export interface LockDraftRow {
  sent_by: string | null;
}

export const lockDraft = new Statement<LockDraftParams, LockDraftRow>('reply-drafts.lockDraft', `
SELECT sent_by FROM replies
 WHERE id = $1 AND shop_id = $2 AND order_id = $3 AND kind IN ('draft', 'request') AND reply IS NOT NULL
   FOR UPDATE`, ["id","shopId","orderId"]);

export interface MarkSentParams {
  by: string;
  id: NumberOrString;
  text: string;
}

export const markSent = new Statement<MarkSentParams, never>('reply-drafts.markSent', `
UPDATE replies SET sent_text = $1, sent_at = now(), sent_by = $2 WHERE id = $3`, ["text","by","id"]);

export interface LockRepliesParams {
  ids: Readonly<NumberOrStringArray>;
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface LockRepliesRow {
  id: string;
}

export const lockReplies = new Statement<LockRepliesParams, LockRepliesRow>('reply-drafts.lockReplies', `
-- In sorted order, so that two calls cannot deadlock.
SELECT r.id FROM replies r
  JOIN unnest($1::int[], $2::bigint[], $3::bigint[]) AS e(shop_id, order_id, id)
    ON r.shop_id = e.shop_id AND r.order_id = e.order_id AND r.id = e.id
 WHERE r.kind IN ('draft', 'request') AND r.reply IS NOT NULL AND r.sent_at IS NULL
 ORDER BY r.id FOR UPDATE OF r`, ["shopIds","orderIds","ids"]);

export interface MarkManySentParams {
  by: string;
  ids: Readonly<NumberOrStringArray>;
}

export interface MarkManySentRow {
  id: string;
  order_id: string;
  sent_text: string;
}

export const markManySent = new Statement<MarkManySentParams, MarkManySentRow>('reply-drafts.markManySent', `
-- Marks replies as sent without changes. A text that is too long for a message to a buyer is cut off.
UPDATE replies SET sent_text = left(reply, 20000), sent_at = now(), sent_by = $1 WHERE id = ANY($2::bigint[])
RETURNING id::text AS "id", order_id::text AS "order_id", sent_text AS "sent_text"`, ["by","ids"]);

export interface AddHandwrittenParams {
  by: string;
  key: string;
  orderId: NumberOrString;
  requestId: string | null;
  shopId: number;
  text: string;
}

export interface AddHandwrittenRow {
  id: string;
}

export const addHandwritten = new Statement<AddHandwrittenParams, AddHandwrittenRow>('reply-drafts.addHandwritten', `
-- Does nothing if a reply with this key is already recorded.
INSERT INTO replies (kind, requested_by, shop_name, shop_id, order_id, order_number, buyer_name, messages, reply, model, outcome,
                     duration_ms, request_id, sent_text, sent_at, sent_by, sent_key)
SELECT 'handwritten', $1, s.name, o.shop_id, o.id, o.receipt_id, o.buyer, '[]', $2, '', 'answered', 0, $3, $2,
       now(), $1, $4
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = $5 AND o.id = $6
    ON CONFLICT (shop_id, order_id, sent_key) DO NOTHING
RETURNING id::text AS "id"`, ["by","text","requestId","key","shopId","orderId"]);

export interface ReadOrderToReplyParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ReadOrderToReplyRow {
  buyer: string | null;
  order_id: string;
  receipt_id: string;
  shop: string;
  shop_id: number;
}

export const readOrderToReply = new Statement<ReadOrderToReplyParams, ReadOrderToReplyRow>('reply-drafts.readOrderToReply', `
SELECT o.shop_id, o.id::text AS "order_id", o.receipt_id, o.buyer, s.name AS shop
  FROM orders o JOIN shops s ON s.id = o.shop_id WHERE o.shop_id = $1 AND o.id = $2`, ["shopId","orderId"]);

export interface ListOrdersOfBuyerParams {
  buyer: string;
  limit: NumberOrString;
  orderId: NumberOrString;
  shopId: number;
}

export interface ListOrdersOfBuyerRow {
  id: string;
  receipt_id: string;
  sale_date: Date | null;
  status: order_status;
}

export const listOrdersOfBuyer = new Statement<ListOrdersOfBuyerParams, ListOrdersOfBuyerRow>('reply-drafts.listOrdersOfBuyer', `
-- The buyer's other orders in the same shop, most recent sale first. The condition on the first 200 characters is the indexed
-- one.
SELECT o.id::text AS "id", o.receipt_id, o.status, o.sale_date
  FROM orders o
 WHERE o.shop_id = $1 AND left(o.buyer, 200) = left($2, 200) AND o.buyer = $2 AND o.id <> $3
 ORDER BY o.sale_date DESC NULLS LAST, o.id DESC LIMIT $4`, ["shopId","buyer","orderId","limit"]);

export interface ListSentRepliesParams {
  limit: NumberOrString;
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface ListSentRepliesRow {
  at: Date;
  by: string;
  id: string;
  order_id: string;
  receipt_id: string;
  text: string;
}

export const listSentReplies = new Statement<ListSentRepliesParams, ListSentRepliesRow>('reply-drafts.listSentReplies', `
SELECT r.id::text AS "id", r.order_id::text AS "order_id", r.order_number AS "receipt_id", r.sent_text AS "text",
       r.sent_at AS "at", r.sent_by AS "by"
  FROM replies r
 WHERE r.shop_id = $1 AND r.order_id = ANY($2::bigint[]) AND r.sent_at IS NOT NULL
 ORDER BY r.sent_at DESC, r.id DESC LIMIT $3`, ["shopId","orderIds","limit"]);
