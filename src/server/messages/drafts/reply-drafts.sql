/* @name listRepliesOfOrder */
-- The latest hundred replies about an order, newest first, without trials, translations and failed attempts. `requested_by` is
-- null for replies requested through the API.
SELECT r.id::text AS "id!", r.kind, r.created_at, r.requested_by, r.reply AS "reply!", r.warnings, r.model,
       r.input_tokens, r.output_tokens, r.duration_ms, r.sent_text, r.sent_at, r.sent_by
  FROM replies r
 WHERE r.shop_id = :shopId! AND r.order_id = :orderId! AND r.kind IN ('draft', 'request', 'handwritten')
   AND r.reply IS NOT NULL
 ORDER BY r.id DESC LIMIT 100;

/* @name lockDraft */
SELECT sent_by FROM replies
 WHERE id = :id! AND shop_id = :shopId! AND order_id = :orderId! AND kind IN ('draft', 'request') AND reply IS NOT NULL
   FOR UPDATE;

/* @name markSent */
UPDATE replies SET sent_text = :text!, sent_at = now(), sent_by = :sentBy! WHERE id = :id!;

/* @name lockReplies */
-- Locks the rows in sorted order, so that two calls cannot deadlock.
SELECT r.id FROM replies r
  JOIN unnest(:shopIds!::int[], :orderIds!::bigint[], :ids!::bigint[]) AS e(shop_id, order_id, id)
    ON r.shop_id = e.shop_id AND r.order_id = e.order_id AND r.id = e.id
 WHERE r.kind IN ('draft', 'request') AND r.reply IS NOT NULL AND r.sent_at IS NULL
 ORDER BY r.id FOR UPDATE OF r;

/* @name markManySent */
-- Marks replies as sent without changes. A text that is too long for a message to a buyer is truncated.
UPDATE replies SET sent_text = left(reply, 20000), sent_at = now(), sent_by = :sentBy! WHERE id = ANY(:ids!::bigint[])
RETURNING id::text AS "id!", order_id::text AS "order_id!", sent_text AS "sent_text!";

/* @name addHandwrittenReply */
-- Does nothing if a reply with this key is already recorded.
INSERT INTO replies (kind, requested_by, shop_name, shop_id, order_id, order_number, buyer_name, messages, reply, model, outcome,
                     duration_ms, request_id, sent_text, sent_at, sent_by, sent_key)
SELECT 'handwritten', :sentBy!, s.name, o.shop_id, o.id, o.receipt_id, o.buyer, '[]', :text!, '', 'answered', 0, :requestId,
       :text!, now(), :sentBy!, :key!
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = :shopId! AND o.id = :orderId!
    ON CONFLICT (shop_id, order_id, sent_key) DO NOTHING
RETURNING id::text AS "id!";

/* @name readOrderForReply */
SELECT o.shop_id, o.id::text AS "order_id!", o.receipt_id, o.buyer, s.name AS shop_name
  FROM orders o JOIN shops s ON s.id = o.shop_id WHERE o.shop_id = :shopId! AND o.id = :orderId!;

/* @name listOrdersOfBuyer */
-- The buyer's other orders in the same shop, most recent sale first. Only the first 200 characters of `buyer` are indexed.
SELECT o.id::text AS "id!", o.receipt_id, o.status, o.sale_date
  FROM orders o
 WHERE o.shop_id = :shopId! AND left(o.buyer, 200) = left(:buyer!, 200) AND o.buyer = :buyer! AND o.id <> :orderId!
 ORDER BY o.sale_date DESC NULLS LAST, o.id DESC LIMIT :limit!;

/* @name listSentReplies */
SELECT r.id::text AS "id!", r.order_id::text AS "order_id!", r.order_number AS "receipt_id!", r.sent_text AS "text!",
       r.sent_at AS "at!", r.sent_by AS "by!"
  FROM replies r
 WHERE r.shop_id = :shopId! AND r.order_id = ANY(:orderIds!::bigint[]) AND r.sent_at IS NOT NULL
 ORDER BY r.sent_at DESC, r.id DESC LIMIT :limit!;
