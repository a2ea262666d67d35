/* @name findByNumbers */
-- Across all shops: the orders with one of the order numbers or tracking numbers.
SELECT shop_id AS "shop_id!", id::text AS "order_id!" FROM orders WHERE receipt_id = ANY(:receiptIds!)
 UNION
SELECT shop_id, order_id::text FROM shipments WHERE tracking_number = ANY(:trackingNumbers!);
