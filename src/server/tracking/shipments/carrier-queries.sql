/*
 * When the carrier was asked about tracking numbers. Locks are taken in a statement of their own, in the order of the numbers.
 */

/* @name lockKnownNumbers */
-- Those of the numbers that are stored; new ones are not added.
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[])
 ORDER BY tracking_number FOR NO KEY UPDATE;

/* @name markQueried */
UPDATE tracking_numbers n
   SET asked_at = greatest(n.asked_at, clock.now),
       registered_at = CASE WHEN n.tracking_number = ANY(:registered!::text[]) THEN coalesce(n.registered_at, clock.now)
                            ELSE n.registered_at END
  FROM (SELECT now() AS now) clock
 WHERE n.tracking_number = ANY(:trackingNumbers!::text[]);

/* @name lockDueNumbers */
-- The numbers that are due, those queried longest ago first. Skips rows locked by others and so never waits. `days` is how long
-- ago the last activity may be: the time of the status, else the newest order's sale, else the number's creation.
SELECT n.tracking_number FROM tracking_numbers n
 WHERE n.status <> ALL(:finalStatuses!::tracking_status[]) AND (n.asked_at IS NULL OR n.asked_at < :queriedBefore!)
   AND n.tracking_number ~ :pattern!
   AND coalesce(n.status_at, (SELECT max(o.sale_date)
                                FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
                               WHERE s.tracking_number = n.tracking_number), n.created_at)
       > now() - make_interval(days => :days!)
 ORDER BY n.asked_at NULLS FIRST, n.tracking_number LIMIT :limit! FOR UPDATE OF n SKIP LOCKED;

/* @name claimNumbers */
-- So that no other server claims them too. The clock of the server that set `queriedBefore` may be ahead of the database's.
UPDATE tracking_numbers SET asked_at = greatest(now(), :queriedBefore!::timestamptz)
 WHERE tracking_number = ANY(:trackingNumbers!::text[]);

/* @name readStatuses */
SELECT tracking_number, status, sub_status FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);
