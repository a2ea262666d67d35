/*
 * Users' changes to the tracking numbers of orders. Times are those of the statement: now() is when the transaction began, before
 * it waited for locks.
 */

/* @name findOrdersByReceiptId */
-- The shop's orders with these order numbers, in the same order; null where the shop has no such order.
SELECT o.id::text AS "order_id?"
  FROM unnest(:receiptIds!::text[]) WITH ORDINALITY AS r(receipt_id, ord)
  LEFT JOIN orders o ON o.shop_id = :shopId! AND o.receipt_id = r.receipt_id ORDER BY r.ord;

/* @name addShipments */
-- If the order already has the shipment, at most its carrier changes. `xmax` is zero for rows that are new.
INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code, created_at, updated_at)
SELECT DISTINCT ON (r.order_id, r.tracking_number) :shopId!, r.order_id, r.tracking_number, nullif(r.carrier_code, ''),
       statement_timestamp(), statement_timestamp()
  FROM unnest(:orderIds!::bigint[], :trackingNumbers!::text[], :carrierCodes!::text[])
       WITH ORDINALITY AS r(order_id, tracking_number, carrier_code, ord)
 ORDER BY r.order_id, r.tracking_number, r.ord DESC
    ON CONFLICT (shop_id, order_id, tracking_number) DO UPDATE
   SET carrier_code = EXCLUDED.carrier_code, updated_at = EXCLUDED.updated_at
 WHERE EXCLUDED.carrier_code IS NOT NULL AND EXCLUDED.carrier_code IS DISTINCT FROM shipments.carrier_code
RETURNING order_id::text AS "order_id!", tracking_number, carrier_code, xmax = 0 AS "added!";

/* @name shipOrders */
-- A tracking number means that the order is shipped.
UPDATE orders SET status = greatest(status, 'shipped'::order_status), updated_at = statement_timestamp()
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) AND status < 'shipped';

/* @name lockTrackingNumber */
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = :trackingNumber! FOR UPDATE;

/* @name removeShipment */
DELETE FROM shipments WHERE shop_id = :shopId! AND order_id = :orderId! AND tracking_number = :trackingNumber!
RETURNING carrier_code, import_id::text;

/* @name readLastRemoval */
SELECT before->>'carrier_code' AS carrier_code, before->>'import_id' AS import_id FROM audit_log
 WHERE record_type = 'order' AND record_id = :orderId! AND action = 'order.remove_tracking_number'
   AND before->>'tracking_number' = :trackingNumber!::text
 ORDER BY created_at DESC, id DESC LIMIT 1;

/* @name restoreShipment */
INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code, import_id, created_at, updated_at)
VALUES (:shopId!, :orderId!, :trackingNumber!, :carrierCode, :importId, statement_timestamp(), statement_timestamp())
    ON CONFLICT (shop_id, order_id, tracking_number) DO NOTHING
RETURNING id;
