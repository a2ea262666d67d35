/* @name listShipments */
SELECT order_id::text AS "order_id!", tracking_number FROM shipments
 WHERE shop_id = :shopId! AND order_id = ANY(:orderIds!::bigint[]);

/* @name readNumberStates */
-- The numbers' statuses, and whether each was ever delivered. A delivery does not count if a user has corrected it since, or if
-- the number is now not_found or expired.
-- The condition on the numbers is repeated for each table, because it tells a cluster which servers to query.
SELECT w.tracking_number, w.status,
       w.status = 'delivered' OR (w.status NOT IN ('not_found', 'expired') AND coalesce(e.was_delivered, false)) AS "was_delivered!"
  FROM tracking_numbers w
  LEFT JOIN (
    SELECT tracking_number,
           max(occurred_at) FILTER (WHERE status = 'delivered')
             >= coalesce(max(occurred_at) FILTER (WHERE kind = 'correction'), '-infinity') AS was_delivered
      FROM tracking_events
     WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND (status = 'delivered' OR kind = 'correction')
     GROUP BY tracking_number
  ) e ON e.tracking_number = w.tracking_number
 WHERE w.tracking_number = ANY(:trackingNumbers!::text[]);

/* @name listStatusesSetByUsers */
-- The status that a user set last, for each order that has one.
SELECT DISTINCT ON (record_id) record_id AS order_id, after->>'status' AS status FROM audit_log
 WHERE record_type = 'order' AND record_id = ANY(:orderIds!::text[]) AND action = 'order.set_status'
 ORDER BY record_id, audit_log.id DESC;

/* @name updateStatuses */
-- Updates the statuses of locked orders from their shipments (docs/tracking.md). An order's tracking status is `exception` if any
-- shipment has that status, otherwise `delivery_failure` if any shipment has this status, and otherwise the status of the least
-- advanced shipment, so it is `delivered` only if all shipments are. Without shipments it is null. The order's own status moves
-- forward with the shipments. Running the statement again changes nothing.
--
-- An order is delivered once each of its shipments has been delivered at some time: a shipment that is now on its way back
-- counts, so that it does not matter whether its delivery or its return was reported first.
--
-- shipments: each shipment with the state of its tracking number, whose row may be on another server of a cluster.
--
-- mayMoveBack: a user has undone or corrected something, so the status may also move back, but not behind the status that a user
-- set last (statusesSetByUsers). If the order still has that status, or is cancelled, its status does not move back at all.
--
-- importId: changes of orders that existed before the import are recorded in the import's history.
--
-- at: the time of the change. Not now(), which is when the transaction began, before it waited for locks.
WITH shipment AS MATERIALIZED (
  SELECT order_id, status, was_delivered
    FROM json_to_recordset(:shipments!::json) AS j(order_id bigint, status tracking_status, was_delivered boolean)
), shipment_state AS (
  SELECT g.id,
         CASE WHEN bool_or(s.status = 'exception') THEN 'exception'::tracking_status
              WHEN bool_or(s.status = 'delivery_failure') THEN 'delivery_failure'::tracking_status
              ELSE min(s.status) END AS tracking_status,
         CASE WHEN bool_and(s.was_delivered) THEN 'delivered'::order_status
              WHEN bool_or(s.status NOT IN ('not_found', 'expired', 'info_received')) THEN 'shipped'::order_status END AS status,
         count(s.status) > 0 AS has_shipments
    FROM unnest(:orderIds!::bigint[]) AS g(id) LEFT JOIN shipment s ON s.order_id = g.id
   GROUP BY g.id
), status_set_by_user AS MATERIALIZED (
  SELECT order_id, status FROM json_to_recordset(:statusesSetByUsers!::json) AS j(order_id bigint, status order_status)
), new_state AS (
  SELECT o.id, o.status AS old_status, o.tracking_status AS old_tracking_status, a.tracking_status,
         CASE WHEN NOT :mayMoveBack!::boolean OR o.status = 'cancelled' OR u.status = o.status
                THEN greatest(o.status, a.status)
              ELSE greatest(
                -- The order's status without any event.
                CASE WHEN o.shipped_indicator IS NOT NULL OR a.has_shipments THEN 'shipped'::order_status
                     WHEN o.sale_date IS NOT NULL THEN 'paid'
                     ELSE 'pending' END,
                a.status, nullif(u.status, 'cancelled')) END AS status
    FROM shipment_state a JOIN orders o ON o.shop_id = :shopId! AND o.id = a.id
    LEFT JOIN status_set_by_user u ON u.order_id = o.id
), changed_order AS (
  UPDATE orders o SET tracking_status = n.tracking_status, status = n.status, updated_at = :at!::timestamptz
    FROM new_state n
   WHERE o.shop_id = :shopId! AND o.id = n.id
     AND (n.old_tracking_status, n.old_status) IS DISTINCT FROM (n.tracking_status, n.status)
  RETURNING o.id, o.import_id
), history AS (
  INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
  SELECT :shopId!, :importId::bigint, 'order', c.id, c.id,
         CASE WHEN n.old_status <> n.status THEN jsonb_build_object('status', n.old_status) ELSE '{}' END
           || CASE WHEN n.old_tracking_status IS DISTINCT FROM n.tracking_status
                   THEN jsonb_build_object('tracking_status', n.old_tracking_status) ELSE '{}' END,
         CASE WHEN n.old_status <> n.status THEN jsonb_build_object('status', n.status) ELSE '{}' END
           || CASE WHEN n.old_tracking_status IS DISTINCT FROM n.tracking_status
                   THEN jsonb_build_object('tracking_status', n.tracking_status) ELSE '{}' END
    FROM changed_order c JOIN new_state n ON n.id = c.id
   WHERE :importId::bigint IS NOT NULL AND c.import_id IS DISTINCT FROM :importId::bigint
)
SELECT id::text AS "id!" FROM changed_order;
