/*
 * The entries of the order queues. A statement reads either the data of shops or that of tracking numbers, never both
 * (docs/distribution.md); entry-service.ts combines the two. Instants are text, to preserve their microseconds.
 */

/* @name countOpenOrders */
-- Counts the orders with open entries, by the combination of queues that they are in. Counts only entries that are open whatever
-- carriers have reported. Grouped by shop and order first, so that each server of a cluster counts its own orders.
SELECT o.queues::text[] AS "queues!", count(*)::int AS "order_count!"
  FROM (SELECT shop_id, order_id, array_agg(queue) AS queues FROM queue_records
         WHERE record_state = 'open' AND queue <> 'not_scanned' AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
         GROUP BY shop_id, order_id) o
 GROUP BY 1;

/* @name findOpenOrders */
-- Returns which of the given orders countOpenOrders counts.
SELECT DISTINCT shop_id, order_id::text AS "order_id!" FROM queue_records
 WHERE record_state = 'open' AND queue <> 'not_scanned'
   AND shop_id = ANY(:shopIds!::int[]) AND order_id = ANY(:orderIds!::bigint[]);

/* @name listDismissedEntries */
-- The entries that users have handled or snoozed and that the shops' records have not reopened. The condition on `seen_at` is
-- redundant, but with it PostgreSQL starts from these entries instead of reading all entries.
SELECT e.queue AS "queue!", e.shop_id AS "shop_id!", e.order_id::text AS "order_id!", e.tracking_status,
       iso_instant(e.since) AS since,
       iso_instant(e.seen_at) AS seen_at,
       e.record_state AS "record_state!",
       coalesce((SELECT json_agg(json_build_object(
                          'number', s.tracking_number,
                          'created_at', iso_instant(s.created_at)))
                   FROM shipments s WHERE s.shop_id = e.shop_id AND s.order_id = e.order_id), '[]') AS "shipments!"
  FROM queue_records e
 WHERE e.queue = ANY(:queues!::queue[]) AND (:shopIds::int[] IS NULL OR e.shop_id = ANY(:shopIds))
   AND e.seen_at IS NOT NULL AND e.record_state <> 'open';

/* @name listEntries */
-- Returns entries, with the order's shipments for those that depend on carriers' reports. If a statement did not read
-- `record_state`, PostgreSQL would drop the join of the view, and a cluster would then send all entries to its coordinator.
SELECT e.queue AS "queue!", e.shop_id AS "shop_id!", e.order_id::text AS "order_id!", e.tracking_status, e.assigned_to,
       iso_instant(e.since) AS since,
       iso_instant(e.updated_at) AS "updated_at!",
       iso_instant(e.seen_at) AS seen_at,
       iso_instant(e.handled_at) AS handled_at,
       iso_instant(e.snoozed_until) AS snoozed_until,
       e.record_state AS "record_state!",
       coalesce(CASE WHEN e.since IS NULL OR e.seen_at IS NOT NULL AND e.queue <> 'to_review' THEN
         (SELECT json_agg(json_build_object(
                   'number', s.tracking_number,
                   'created_at', iso_instant(s.created_at)))
            FROM shipments s WHERE s.shop_id = e.shop_id AND s.order_id = e.order_id) END, '[]') AS "shipments!"
  FROM queue_records e
 WHERE e.queue = ANY(:queues!::queue[]) AND (:shopIds::int[] IS NULL OR e.shop_id = ANY(:shopIds))
   AND (:orderIds::bigint[] IS NULL OR e.order_id = ANY(:orderIds));

/* @name findReportedNumbers */
-- The positions, from 1, of the tracking numbers that a carrier has reported or a user has corrected since the instant at the same
-- position in `instants`.
SELECT DISTINCT n.position::int AS "position!"
  FROM unnest(:trackingNumbers!::text[], :instants!::timestamptz[]) WITH ORDINALITY AS n(tracking_number, instant, position)
  JOIN tracking_events t ON t.tracking_number = n.tracking_number AND t.received_at > n.instant;

/* @name readTrackingNumbers */
-- An order is in the queue "Not scanned" if one of its labels is older than `label_before` and has not been scanned. The cause is
-- derived from the sub-status or, if the sub-status names none, from the carrier's latest text about the problem. The note of a
-- user's correction is not the carrier's text.
SELECT n.tracking_number, n.status, iso_instant(n.status_at) AS status_at,
       iso_instant(now() - make_interval(days => :days!)) AS "label_before!",
       CASE WHEN n.status IN ('exception', 'delivery_failure') THEN
         CASE regexp_replace(lower(n.sub_status), '^[^_]*_', '')
           WHEN 'lost' THEN 'lost'
           WHEN 'damage' THEN 'damaged'
           WHEN 'destroyed' THEN 'damaged'
           WHEN 'returning' THEN 'returned'
           WHEN 'returned' THEN 'returned'
           WHEN 'rejected' THEN 'refused'
           WHEN 'security' THEN 'customs'
           WHEN 'delayed' THEN 'delayed'
           WHEN 'nobody' THEN 'nobody'
           WHEN 'invalidaddress' THEN 'address'
           ELSE CASE
             WHEN n.carrier_text ~ '\m(lost|missing)\M|丢失|遗失|丢件' THEN 'lost'
             WHEN n.carrier_text ~ 'damag|destroy|broken|破损|损坏|损毁' THEN 'damaged'
             WHEN n.carrier_text ~ 'refus|reject|拒收|拒签' THEN 'refused'
             WHEN n.carrier_text ~ 'customs|\m(duty|duties)\M|import tax|海关|清关|关税|扣关' THEN 'customs'
             WHEN n.carrier_text ~ 'return|退回|退件|退运' THEN 'returned'
             WHEN n.carrier_text ~ 'address|地址' THEN 'address'
             WHEN n.carrier_text ~ 'nobody|no one|not (at )?home|not available|absent|不在|无人' THEN 'nobody'
             WHEN n.carrier_text ~ 'delay|延误|延迟|滞留' THEN 'delayed'
             ELSE 'other' END
         END
       END AS cause
  FROM (SELECT b.tracking_number, b.status, b.status_at, b.sub_status,
               CASE WHEN b.status IN ('exception', 'delivery_failure') THEN
                 (SELECT lower(coalesce(t.description, '') || ' ' || coalesce(t.provider_status, '')) FROM tracking_events t
                   WHERE t.tracking_number = b.tracking_number AND t.status = b.status AND t.kind <> 'correction'
                     AND (t.description IS NOT NULL OR t.provider_status IS NOT NULL)
                   ORDER BY t.occurred_at DESC, t.id DESC LIMIT 1) END AS carrier_text
          FROM tracking_numbers b WHERE b.tracking_number = ANY(:trackingNumbers!::text[]) OFFSET 0) n;

/* @name describeOrders */
SELECT o.id::text AS "order_id!", o.receipt_id AS number, o.status, h.name AS shop, o.name, o.buyer,
       (SELECT t.title FROM described_items t
         WHERE t.shop_id = o.shop_id AND t.order_id = o.id AND NOT t.is_blank ORDER BY t.id LIMIT 1) AS title,
       (SELECT count(*)::int FROM described_items t
         WHERE t.shop_id = o.shop_id AND t.order_id = o.id AND NOT t.is_blank) AS "items!",
       iso_instant(greatest(
         o.updated_at,
         (SELECT max(t.updated_at) FROM order_items t WHERE t.shop_id = o.shop_id AND t.order_id = o.id),
         (SELECT max(t.updated_at) FROM shipments t WHERE t.shop_id = o.shop_id AND t.order_id = o.id))) AS "latest_at!",
       ARRAY(SELECT t.tracking_number FROM shipments t
              WHERE t.shop_id = o.shop_id AND t.order_id = o.id ORDER BY 1) AS "tracking_numbers!"
  FROM orders o JOIN shops h ON h.id = o.shop_id
 WHERE o.shop_id = ANY(:shopIds!::int[]) AND o.id = ANY(:orderIds!::bigint[]);

/* @name findLatestReports */
-- Returns when a carrier last reported each number or a user last corrected it.
SELECT tracking_number, iso_instant(max(received_at)) AS "latest_at!"
  FROM tracking_events WHERE tracking_number = ANY(:trackingNumbers!::text[]) GROUP BY 1;

/* @name listNewestReplies */
-- The newest reply to review of each order.
SELECT DISTINCT ON (r.order_id) r.order_id::text AS "order_id!", r.id::text AS "id!",
       jsonb_array_length(r.warnings) AS "warning_count!"
  FROM replies_to_review r WHERE r.shop_id = ANY(:shopIds!::int[]) AND r.order_id = ANY(:orderIds!::bigint[])
 ORDER BY r.order_id, r.created_at DESC, r.id DESC;

/* @name listUserNames */
SELECT id, name FROM users WHERE id = ANY(:ids!::int[]);

/* @name findNewProblems */
-- The numbers that have one of the statuses and reached it at or after `since`.
SELECT tracking_number, status FROM tracking_numbers
 WHERE status = ANY(:statuses!::tracking_status[]) AND status_at >= :since!::timestamptz;

/* @name listOrdersOfNumbers */
SELECT order_id::text AS "order_id!", tracking_number FROM shipments
 WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds));
