/* @name setStatus */
-- Not now(): that is when the transaction began, before it waited for the orders' locks.
UPDATE orders SET status = :status!, updated_at = statement_timestamp()
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]);

/* @name addNotes */
-- The orders must be locked: the same note sent twice at the same time is stored once.
INSERT INTO order_notes (shop_id, order_id, user_id, author, text, idempotency_key)
SELECT :shopId!, order_id, :userId!::int, :author!, :text!, :key
  FROM unnest(:orderIds!::bigint[]) AS o(order_id)
 WHERE NOT EXISTS (
   SELECT FROM order_notes n
    WHERE n.shop_id = :shopId! AND n.order_id = o.order_id AND n.user_id = :userId! AND n.idempotency_key = :key AND n.text = :text!)
RETURNING order_id::text AS "order_id!";

/* @name findNote */
-- A user's own note; its shop is not known yet.
SELECT shop_id FROM order_notes WHERE id = :noteId! AND user_id = :userId!;

/* @name removeNote */
DELETE FROM order_notes WHERE shop_id = :shopId! AND id = :noteId! AND user_id = :userId!
RETURNING order_id::text AS "order_id!", text;
