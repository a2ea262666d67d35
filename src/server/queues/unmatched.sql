/*
 * The queue of tracking numbers that callbacks report and no order has. They belong to no shop; unmatched_numbers stores the
 * entries and what users have done with them.
 */

/* @name countUnmatchedNumbers */
SELECT count(*)::int AS "open_count!" FROM unmatched_work WHERE entry_state = 'open';

/* @name listUnmatchedNumbers */
-- Returns one page. The numbers that entered the queue last come first.
SELECT u.tracking_number AS "id!", (extract(epoch FROM u.since) * 1000000)::bigint::text AS "position!",
       iso_instant(u.since) AS "since!",
       iso_instant(u.latest_at) AS "latest_at!",
       iso_instant(u.handled_at) AS handled_at,
       iso_instant(u.snoozed_until) AS snoozed_until,
       p.id AS "assignee_id?", p.name AS "assignee?", n.carrier_code AS carrier,
       (SELECT coalesce(e.description, e.provider_status) FROM tracking_events e WHERE e.tracking_number = u.tracking_number
         ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1) AS title
  FROM unmatched_work u
  JOIN tracking_numbers n ON n.tracking_number = u.tracking_number
  LEFT JOIN users p ON p.id = u.assigned_to
 WHERE u.entry_state = :state!
   AND (:assignedTo::int IS NULL OR u.assigned_to = :assignedTo)
   AND (NOT :unassigned!::boolean OR u.assigned_to IS NULL)
   AND (:cursorPosition::bigint IS NULL
        OR ((extract(epoch FROM u.since) * 1000000)::bigint, u.tracking_number) < (:cursorPosition, :cursorId::text))
 ORDER BY (extract(epoch FROM u.since) * 1000000)::bigint DESC, u.tracking_number DESC LIMIT :limit!;

/* @name dismissNumbers */
-- Like dismissOrders in queues.sql, for tracking numbers. A snooze that is over does not count.
UPDATE unmatched_numbers u
   SET handled_at = CASE WHEN :until::timestamptz IS NULL THEN :now!::timestamptz END,
       handled_by = CASE WHEN :until::timestamptz IS NULL THEN :userId!::int END, snoozed_until = :until::timestamptz,
       seen_at = least(g.seen_at, :now!::timestamptz)
  FROM (SELECT tracking_number, min(seen_at) AS seen_at
          FROM unnest(:trackingNumbers!::text[], :seenAts!::timestamptz[]) AS e(tracking_number, seen_at)
         GROUP BY tracking_number) g
 WHERE u.tracking_number = g.tracking_number AND u.matched_at IS NULL
   AND (u.seen_at IS NULL OR u.seen_at < least(g.seen_at, :now!::timestamptz) OR u.snoozed_until <= :now!::timestamptz)
RETURNING u.tracking_number AS "id!";

/* @name putNumbersBack */
UPDATE unmatched_numbers SET handled_at = NULL, handled_by = NULL, snoozed_until = NULL, seen_at = NULL
 WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND matched_at IS NULL AND seen_at IS NOT NULL
RETURNING tracking_number AS "id!";

/* @name assignNumbers */
UPDATE unmatched_numbers SET assigned_to = :userId::int
 WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND matched_at IS NULL
   AND assigned_to IS DISTINCT FROM :userId::int
RETURNING tracking_number AS "id!";

/* @name listRecordedNumbers */
-- Returns the numbers that are or were in the queue, in the order in which they are locked.
SELECT tracking_number FROM unmatched_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]) ORDER BY tracking_number;

/* @name lockNumber */
-- Locks the tracking number itself, as everything does that changes its entry. Returns the time of the database, which decides
-- whether a snooze is over.
SELECT iso_instant(now()) AS "now!"
  FROM tracking_numbers WHERE tracking_number = :trackingNumber! FOR NO KEY UPDATE;

/* @name readUnmatchedNumber */
SELECT u.note,
       coalesce((SELECT min(e.occurred_at) FROM tracking_events e WHERE e.tracking_number = u.tracking_number), u.since)
         AS "first_event_at!"
  FROM unmatched_work u WHERE u.tracking_number = :trackingNumber!;

/* @name findOrdersByNumbers */
-- The orders in all shops that have one of the tracking numbers, latest sale first.
SELECT o.id::text AS "order_id!", o.shop_id, h.name AS shop, o.receipt_id, o.name, o.status, o.sale_date, s.tracking_number
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops h ON h.id = s.shop_id
 WHERE s.tracking_number = ANY(:trackingNumbers!::text[])
 ORDER BY o.sale_date DESC NULLS LAST, o.id DESC LIMIT :limit!;

/* @name listReportedNumbers */
-- Returns which of the tracking numbers a carrier has reported. A user's corrections are not reports, nor is a carrier's answer
-- that it could not find the number.
SELECT DISTINCT tracking_number FROM tracking_events
 WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND kind <> 'correction' AND status IS DISTINCT FROM 'not_found';

/* @name findOrdersWithoutNumber */
-- The paid orders in all shops that have no shipment and were sold in the `days` days before `soldBefore`, latest sale first.
SELECT o.id::text AS "order_id!", o.shop_id, h.name AS shop, o.receipt_id, o.name, o.status, o.sale_date
  FROM orders o JOIN shops h ON h.id = o.shop_id
 WHERE o.status = 'paid' AND o.sale_date BETWEEN :soldBefore!::timestamptz - make_interval(days => :days!) AND :soldBefore::timestamptz
   AND NOT EXISTS (SELECT FROM shipments s WHERE s.shop_id = o.shop_id AND s.order_id = o.id)
 ORDER BY o.sale_date DESC, o.id DESC LIMIT :limit!;

/* @name lockNote */
-- Returns the note on a number in the queue, and locks the number's entry.
SELECT note FROM unmatched_numbers WHERE tracking_number = :trackingNumber! AND matched_at IS NULL FOR NO KEY UPDATE;

/* @name setNote */
UPDATE unmatched_numbers SET note = :text WHERE tracking_number = :trackingNumber!;
