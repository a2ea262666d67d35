/*
 * Everything about one order. Amounts are text, because a JSON number could lose digits. An order's value is its items' totals
 * less their discounts and the order's in-person discount; what the buyer paid includes shipping and taxes (docs/orders.md).
 */

/* @name readOrder */
SELECT o.id::text AS "id!", o.receipt_id, o.shop_id, s.name AS shop, o.status, o.tracking_status,
       o.sale_date, o.sold_on, o.shipped_indicator,
       o.buyer, o.currency,
       trim_scale(v.items_total)::text AS items_total, trim_scale(v.discounts)::text AS discounts,
       trim_scale(v.value)::text AS value,
       trim_scale(v.value + coalesce(o.order_shipping, 0) - coalesce(o.shipping_discount, 0)
                          + coalesce(o.order_sales_tax, 0) + coalesce(o.vat_paid_by_buyer, 0))::text AS paid,
       trim_scale(o.shipping_discount)::text AS shipping_discount, trim_scale(o.order_shipping)::text AS order_shipping,
       trim_scale(o.order_sales_tax)::text AS order_sales_tax, trim_scale(o.vat_paid_by_buyer)::text AS vat_paid_by_buyer,
       trim_scale(o.inperson_discount)::text AS inperson_discount,
       o.inperson_location, o.name, o.first_line, o.second_line, o.city, o.state, o.zip, o.country_name,
       o.country_code::text, o.order_type, o.payment_method, o.carrier_code, o.note,
       o.created_at,
       o.updated_at
  FROM orders o JOIN shops s ON s.id = o.shop_id
 CROSS JOIN LATERAL (
   SELECT sum(i.total) AS items_total, sum(i.discount_amount) FILTER (WHERE i.total IS NOT NULL) AS discounts,
          sum(i.net_total) - coalesce(o.inperson_discount, 0) AS value
     FROM described_items i WHERE i.shop_id = o.shop_id AND i.order_id = o.id) v
 WHERE o.shop_id = :shopId! AND o.id = :orderId!;

/* @name listItems */
SELECT i.id::text AS "id!", i.transaction_id, i.listing_id, i.title, i.variations, i.choices AS "choices?",
       i.is_blank AS "is_blank!", i.sku, i.quantity,
       trim_scale(i.price)::text AS price, trim_scale(i.discount_amount)::text AS discount_amount,
       trim_scale(i.total)::text AS item_total,
       i.coupon_code, i.coupon_details, i.listing_type, i.extra
  FROM described_items i WHERE i.shop_id = :shopId! AND i.order_id = :orderId! ORDER BY i.id;

/* @name listShipments */
SELECT tracking_number, carrier_code FROM shipments WHERE shop_id = :shopId! AND order_id = :orderId! ORDER BY id;

/* @name readTrackingNumbers */
SELECT tracking_number, carrier_code, status, sub_status FROM tracking_numbers
 WHERE tracking_number = ANY(:trackingNumbers!::text[]);

/* @name listEvents */
-- The newest 500 of each tracking number. Events of the same instant are sorted by progress, the furthest first (event-order.ts).
-- The identity only makes the sorting stable.
SELECT e.tracking_number, e.id::text AS "id!", e.kind,
       e.occurred_at, e.status, e.sub_status,
       e.provider_status, e.description, e.location, e.source
  FROM (SELECT t.*, row_number() OVER (
                 PARTITION BY t.tracking_number
                 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
                          array_position(:progress!::text[], t.sub_status) DESC NULLS LAST, t.identity DESC) AS nth
          FROM tracking_events t WHERE t.tracking_number = ANY(:trackingNumbers!::text[])) e
 WHERE e.nth <= 500
 ORDER BY e.tracking_number, e.nth;

/* @name listNotes */
SELECT id, author, coalesce(user_id = :userId!, false) AS "own!", text,
       created_at
  FROM order_notes WHERE shop_id = :shopId! AND order_id = :orderId! ORDER BY id DESC;

/* @name listHistory */
-- The latest two hundred changes: by imports, by users according to the audit log, and the order's creation.
SELECT h.at, kind AS "kind!", actor AS "actor!",
       h.import_id::text AS import_id, record AS "record!", action, before, after
  FROM (
    SELECT c.id AS position, m.created_at AS at, 'import' AS kind, m.actor, m.id AS import_id, c.record::text, NULL AS action,
           c.before, c.after
      FROM import_changes c JOIN imports m ON m.shop_id = c.shop_id AND m.id = c.import_id
     WHERE c.shop_id = :shopId! AND c.order_id = :orderId!
    UNION ALL
    SELECT 0, o.created_at, 'created', coalesce(m.actor, ''), m.id, 'order', NULL, NULL, NULL
      FROM orders o LEFT JOIN imports m ON m.shop_id = o.shop_id AND m.id = o.import_id
     WHERE o.shop_id = :shopId! AND o.id = :orderId!
    UNION ALL
    SELECT a.id, a.created_at, 'user', a.actor, NULL, a.record_type, a.action, a.before, a.after
      FROM audit_log a WHERE a.record_type = 'order' AND a.record_id = :orderId!::bigint::text) h
 ORDER BY date_trunc('milliseconds', h.at) DESC, h.position DESC LIMIT 200;
