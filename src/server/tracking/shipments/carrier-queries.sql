/*
 * The statements that find and claim the tracking numbers that are due for a carrier query, and record when each was last queried.
 */

/* @name markQueried */
UPDATE tracking_numbers n
   SET asked_at = greatest(n.asked_at, clock.now),
       registered_at = CASE WHEN n.tracking_number = ANY(:registeredNumbers!::text[]) THEN coalesce(n.registered_at, clock.now)
                            ELSE n.registered_at END
  FROM (SELECT now() AS now) clock
 WHERE n.tracking_number = ANY(:trackingNumbers!::text[]);

/* @name listUnfinishedNumbers */
-- A page of the numbers that have no final status and have not been queried since `queriedBefore`, least recently queried first,
-- after a cursor. Those that are not `may_be_due` do not match `pattern`, or their status began more than `days` days ago; they are
-- returned because PostgreSQL, which expects too few of the others, would sort all of them instead of reading a page by index. Numbers
-- without a status (`has_status` is false) are due if their newest order was sold in the last `days` days (listSales) or, without a
-- sale, if `is_new`.
SELECT tracking_number, iso_instant(asked_at) AS asked_at,
       tracking_number ~ :pattern! AND (status_at IS NULL OR status_at > now() - make_interval(days => :days!)) AS "may_be_due!",
       status_at IS NOT NULL AS "has_status!", created_at > now() - make_interval(days => :days!) AS "is_new!"
  FROM tracking_numbers
 WHERE status <> ALL(:finalStatuses!::tracking_status[]) AND coalesce(asked_at, '-infinity') < :queriedBefore!::timestamptz
   AND (:cursorNumber::text IS NULL
        OR (coalesce(asked_at, '-infinity'), tracking_number) > (coalesce(:cursorAt::timestamptz, '-infinity'), :cursorNumber))
 ORDER BY coalesce(asked_at, '-infinity'), tracking_number LIMIT :limit!;

/* @name listSales */
-- Returns whether the newest order of each number, across all shops, was sold in the last `days` days. Numbers without a sale are
-- left out.
SELECT s.tracking_number, max(o.sale_date) > now() - make_interval(days => :days!) AS "is_recent!"
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = ANY(:trackingNumbers!::text[]) AND o.sale_date IS NOT NULL
 GROUP BY s.tracking_number;

/* @name lockDueNumber */
-- Returns no row if another transaction has locked the number, or if it is no longer due. Never waits.
SELECT tracking_number FROM tracking_numbers
 WHERE tracking_number = :trackingNumber! AND status <> ALL(:finalStatuses!::tracking_status[])
   AND (asked_at IS NULL OR asked_at < :queriedBefore!::timestamptz)
   FOR UPDATE SKIP LOCKED;

/* @name claimNumbers */
-- Keeps other servers from claiming the numbers too, even if `queriedBefore` is ahead of the database's clock.
UPDATE tracking_numbers SET asked_at = greatest(now(), :queriedBefore!::timestamptz)
 WHERE tracking_number = ANY(:trackingNumbers!::text[]);

/* @name readStatuses */
SELECT tracking_number, status, sub_status FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);
