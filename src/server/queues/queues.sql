/* @name countHandledToday */
SELECT count(*)::int AS "handled_count!"
  FROM (SELECT handled_at FROM queue_states WHERE handled_by = :userId!
         UNION ALL SELECT handled_at FROM unmatched_numbers WHERE handled_by = :userId!) h
 WHERE handled_at >= date_trunc('day', now(), :timeZone!);

/* @name listUsers */
SELECT id, name FROM users WHERE deactivated_at IS NULL AND role = ANY(:roles!::role[]) ORDER BY lower(name), id;

/* @name findAssignableUser */
SELECT name FROM users WHERE id = :userId! AND deactivated_at IS NULL AND role = ANY(:roles!::role[]);

/* @name lockOrders */
-- Returns which of the orders exist, and the database's time, which decides whether a snooze is over. Keeps the orders from being
-- removed until the transaction ends, but not from being changed.
SELECT id::text AS "id!", iso_instant(now()) AS "now!"
  FROM orders WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) ORDER BY orders.id FOR KEY SHARE;

/* @name endSnoozes */
-- Clears snoozes that are over.
UPDATE queue_states SET snoozed_until = NULL, seen_at = NULL
 WHERE shop_id = :shopId! AND queue = :queue! AND order_id = ANY(:orderIds!::bigint[]) AND snoozed_until <= :now!::timestamptz;

/* @name dismissOrders */
-- Handles entries, or snoozes them if `until` is not null. The entries must be open; if two users who have seen the same news
-- handle an entry at the same time, only the first action counts. News after an entry's instant in `seenAts` reopens it. Sorted
-- by id, so that two calls cannot deadlock.
INSERT INTO queue_states AS s (shop_id, order_id, queue, handled_at, handled_by, snoozed_until, seen_at)
SELECT :shopId!::int, g.order_id, :queue!::queue, CASE WHEN :until::timestamptz IS NULL THEN :now!::timestamptz END,
       CASE WHEN :until::timestamptz IS NULL THEN :userId!::int END, :until::timestamptz, least(g.seen_at, :now!::timestamptz)
  FROM (SELECT order_id, min(seen_at) AS seen_at FROM unnest(:orderIds!::bigint[], :seenAts!::timestamptz[]) AS e(order_id, seen_at)
         GROUP BY order_id) g
 ORDER BY g.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE
   SET handled_at = excluded.handled_at, handled_by = excluded.handled_by, snoozed_until = excluded.snoozed_until,
       seen_at = excluded.seen_at
 WHERE s.seen_at IS NULL OR s.seen_at < excluded.seen_at
RETURNING order_id::text AS "order_id!";

/* @name putOrdersBack */
UPDATE queue_states SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL
 WHERE shop_id = :shopId! AND queue = :queue! AND order_id = ANY(:orderIds!::bigint[]) AND seen_at IS NOT NULL
RETURNING order_id::text AS "order_id!";

/* @name assignOrders */
INSERT INTO queue_states AS s (shop_id, order_id, queue, assigned_to)
SELECT :shopId!::int, e.order_id, :queue!::queue, :userId::int
  FROM (SELECT DISTINCT order_id FROM unnest(:orderIds!::bigint[]) AS e(order_id)) e
 ORDER BY e.order_id
ON CONFLICT (shop_id, order_id, queue) DO UPDATE SET assigned_to = excluded.assigned_to
 WHERE s.assigned_to IS DISTINCT FROM excluded.assigned_to
RETURNING order_id::text AS "order_id!";
