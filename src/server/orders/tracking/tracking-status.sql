/* @name findShopsOfOrders */
-- Finds the shop of each order.
SELECT shop_id, id::text AS "order_id!" FROM orders WHERE id = ANY(:orderIds!::bigint[]) ORDER BY shop_id, orders.id;

/* @name lockOrders */
-- In the order of their ids. A separate statement, so that the next one sees what was committed while this one waited.
SELECT count(*)::int AS "locked!"
  FROM (SELECT FROM orders WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) ORDER BY id FOR UPDATE) held;

/* @name readOrderStates */
SELECT id::text AS "id!", status, tracking_status FROM orders
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) ORDER BY orders.id;

/* @name followShipments */
-- Updates the statuses of locked orders from their shipments (docs/tracking.md). An order's tracking status is exception or
-- delivery_failure if any shipment has it, delivered only if all have it, else that of the least advanced one, null without
-- shipments. Its own status moves forward with the shipments. Running it again changes nothing.
--
-- An order is delivered once each shipment was delivered at some time: a shipment on its way back counts, so that it does not
-- matter whether its delivery or its return was reported first. A delivery that a user has corrected since does not count.
--
-- mayMoveBack: a user has undone something, so the status may also move back. A status that a user has set, and that of a
-- cancelled order, stays.
--
-- importId: changes of orders that existed before the import are recorded in the import's history.
WITH summary AS (
  SELECT g.id,
         CASE WHEN bool_or(w.status = 'exception') THEN 'exception'::tracking_status
              WHEN bool_or(w.status = 'delivery_failure') THEN 'delivery_failure'::tracking_status
              ELSE min(w.status) END AS tracking_status,
         bool_and(w.status = 'delivered' OR (w.status NOT IN ('not_found', 'expired') AND EXISTS (
           SELECT FROM tracking_events e WHERE e.tracking_number = w.tracking_number AND e.status = 'delivered'
              AND NOT EXISTS (SELECT FROM tracking_events c WHERE c.tracking_number = e.tracking_number
                                AND c.kind = 'correction' AND c.occurred_at > e.occurred_at)
         ))) AS was_delivered,
         bool_or(w.status NOT IN ('not_found', 'expired', 'info_received')) AS moving
    FROM unnest(:orderIds!::bigint[]) AS g(id)
    LEFT JOIN shipments s ON s.shop_id = :shopId! AND s.order_id = g.id
    LEFT JOIN tracking_numbers w ON w.tracking_number = s.tracking_number
   GROUP BY g.id
), advanced AS (
  SELECT id, tracking_status,
         CASE WHEN was_delivered THEN 'delivered'::order_status
              WHEN moving THEN 'shipped'::order_status END AS status
    FROM summary
), next AS (
  SELECT o.id, o.status AS old_status, o.tracking_status AS old_tracking, a.tracking_status,
         CASE WHEN NOT :mayMoveBack!::boolean OR o.status = 'cancelled'
                   OR EXISTS (SELECT FROM audit_log l WHERE l.record_type = 'order' AND l.record_id = o.id::text
                                 AND l.action = 'order.set_status' AND l.after->>'status' = o.status::text)
                THEN greatest(o.status, a.status)
              -- Its status without any event.
              WHEN o.shipped_indicator IS NOT NULL
                   OR EXISTS (SELECT FROM shipments s WHERE s.shop_id = :shopId! AND s.order_id = o.id)
                THEN greatest('shipped'::order_status, a.status)
              WHEN o.sale_date IS NOT NULL THEN greatest('paid'::order_status, a.status)
              ELSE greatest('pending'::order_status, a.status) END AS status
    FROM advanced a JOIN orders o ON o.shop_id = :shopId! AND o.id = a.id
), changed AS (
  UPDATE orders o SET tracking_status = n.tracking_status, status = n.status, updated_at = now()
    FROM next n
   WHERE o.shop_id = :shopId! AND o.id = n.id
     AND (n.old_tracking, n.old_status) IS DISTINCT FROM (n.tracking_status, n.status)
  RETURNING o.id, o.import_id
), history AS (
  INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
  SELECT :shopId!, :importId::bigint, 'order', c.id, c.id,
         CASE WHEN n.old_status <> n.status THEN jsonb_build_object('status', n.old_status) ELSE '{}' END
           || CASE WHEN n.old_tracking IS DISTINCT FROM n.tracking_status
                   THEN jsonb_build_object('tracking_status', n.old_tracking) ELSE '{}' END,
         CASE WHEN n.old_status <> n.status THEN jsonb_build_object('status', n.status) ELSE '{}' END
           || CASE WHEN n.old_tracking IS DISTINCT FROM n.tracking_status
                   THEN jsonb_build_object('tracking_status', n.tracking_status) ELSE '{}' END
    FROM changed c JOIN next n ON n.id = c.id
   WHERE :importId::bigint IS NOT NULL AND c.import_id IS DISTINCT FROM :importId::bigint
)
SELECT id::text AS "id!" FROM changed;
