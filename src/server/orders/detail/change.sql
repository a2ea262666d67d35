/* @name setStatus */
UPDATE orders SET status = :status!, updated_at = now() WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]);

/* @name addNote */
INSERT INTO order_notes (shop_id, order_id, user_id, author, text)
VALUES (:shopId!, :orderId!, :userId!, :author!, :text!);

/* @name findNote */
-- A user's own note; its shop is not known yet.
SELECT shop_id FROM order_notes WHERE id = :noteId! AND user_id = :userId!;

/* @name removeNote */
DELETE FROM order_notes WHERE shop_id = :shopId! AND id = :noteId! AND user_id = :userId!
RETURNING order_id::text AS "order_id!", text;
