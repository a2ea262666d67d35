-- The entries with what people did with them, as far as the shops' own records tell: what carriers reported may be on another
-- server (docs/distribution.md). src/server/queues/entry-service.ts adds it: 'not_scanned' loses the orders whose labels have not
-- waited long enough, and what was handled or snoozed is open again if a carrier has reported something since.
CREATE VIEW "queue_records" AS
SELECT e.shop_id, e.order_id, e.queue, e.since, e.updated_at, e.tracking_status,
       s.assigned_to, s.handled_at, s.snoozed_until, s.seen_at,
       CASE WHEN s.seen_at IS NULL OR s.snoozed_until <= now() THEN 'open'
            WHEN CASE WHEN e.queue = 'to_review' THEN e.since > s.seen_at
                      ELSE e.updated_at > s.seen_at
                           OR EXISTS (SELECT FROM order_items i
                                       WHERE i.shop_id = e.shop_id AND i.order_id = e.order_id AND i.updated_at > s.seen_at)
                           OR EXISTS (SELECT FROM shipments p
                                       WHERE p.shop_id = e.shop_id AND p.order_id = e.order_id AND p.updated_at > s.seen_at)
                      END THEN 'open'
            WHEN s.handled_at IS NULL THEN 'snoozed' ELSE 'handled' END AS record_state
  FROM (
    SELECT o.shop_id, o.id AS order_id, 'to_ship'::queue AS queue, coalesce(o.sale_date, o.created_at) AS since,
           o.updated_at, o.tracking_status
      FROM orders o WHERE o.status = 'paid'
     UNION ALL
    SELECT o.shop_id, o.id, 'late', o.sale_date, o.updated_at, o.tracking_status
      FROM orders o WHERE o.status = 'paid' AND o.sale_date < now() - interval '3 days'
     UNION ALL
    SELECT o.shop_id, o.id, 'exception', NULL, o.updated_at, o.tracking_status
      FROM orders o WHERE o.tracking_status = 'exception' AND o.status <> 'cancelled'
     UNION ALL
    SELECT o.shop_id, o.id, 'delivery_failed', NULL, o.updated_at, o.tracking_status
      FROM orders o WHERE o.tracking_status = 'delivery_failure' AND o.status <> 'cancelled'
     UNION ALL
    SELECT o.shop_id, o.id, 'not_scanned', NULL, o.updated_at, o.tracking_status
      FROM orders o
     WHERE o.tracking_status IN ('not_found', 'expired', 'info_received') AND o.status IN ('pending', 'paid', 'shipped')
     UNION ALL
    SELECT o.shop_id, o.id, 'to_review', r.written_at, o.updated_at, o.tracking_status
      FROM (SELECT shop_id, order_id, max(created_at) AS written_at FROM replies_to_review GROUP BY 1, 2) r
      JOIN orders o ON o.shop_id = r.shop_id AND o.id = r.order_id
     WHERE NOT EXISTS (SELECT FROM replies s
                        WHERE s.shop_id = r.shop_id AND s.order_id = r.order_id AND s.sent_at > r.written_at)) e
  LEFT JOIN queue_states s ON s.shop_id = e.shop_id AND s.order_id = e.order_id AND s.queue = e.queue;
