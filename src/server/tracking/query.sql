/* @name findOrder */
-- Finds an order by id, with its shipments, newest first. Searches all shops, because the caller does not know which one has the
-- order.
SELECT o.id, o.receipt_id, o.status, o.carrier_code,
       (SELECT json_agg(json_build_object('tracking_number', s.tracking_number, 'carrier', s.carrier_code)
                        ORDER BY s.created_at DESC, s.id)
          FROM shipments s WHERE s.shop_id = o.shop_id AND s.order_id = o.id) AS shipments
  FROM orders o WHERE o.id = :id!;

/* @name findNewestOrder */
-- Finds the newest order with this tracking number in any shop, with only this shipment. Returns the same columns as findOrder.
SELECT o.id, o.receipt_id, o.status, o.carrier_code,
       json_build_array(json_build_object('tracking_number', s.tracking_number, 'carrier', s.carrier_code)) AS shipments
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = :trackingNumber! ORDER BY o.id DESC LIMIT 1;

/* @name readTrackingNumbers */
-- What is known about tracking numbers, regardless of orders, with the newest 500 events of each. Numbers the events of each, because
-- a cluster cannot use LIMIT in a subquery that runs for each row of another table.
SELECT n.tracking_number, n.carrier_code AS carrier, n.status, n.sub_status,
       (extract(epoch FROM n.status_at) * 1000)::float8 AS since, coalesce(r.events, '[]') AS "events!"
  FROM tracking_numbers n
  LEFT JOIN (
    SELECT o.tracking_number,
           json_agg(json_build_object('time', extract(epoch FROM o.occurred_at) * 1000, 'status', o.status,
                                      'description', o.description, 'location', o.location) ORDER BY o.nth) AS events
      FROM (SELECT e.tracking_number, e.occurred_at, e.status, e.description, e.location,
                   row_number() OVER (
                     PARTITION BY e.tracking_number
                     ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                              array_position(:progress!::text[], e.sub_status) DESC NULLS LAST, e.identity DESC) AS nth
              FROM tracking_events e WHERE e.tracking_number = ANY(:trackingNumbers!::text[]) AND e.kind = 'event') o
     WHERE o.nth <= 500 GROUP BY o.tracking_number) r ON r.tracking_number = n.tracking_number
 WHERE n.tracking_number = ANY(:trackingNumbers!::text[]);

/* @name isNumberStored */
SELECT EXISTS (SELECT FROM tracking_numbers WHERE tracking_number = :trackingNumber!) AS "is_stored!";

/* @name listNumbersOfReceipt */
-- The tracking numbers of the orders with this order number in all shops, each with the newest of its orders, or only
-- `trackingNumber` if it is not null.
SELECT s.tracking_number, max(o.id)::text AS "order_id!"
  FROM orders o JOIN shipments s ON s.shop_id = o.shop_id AND s.order_id = o.id
 WHERE o.receipt_id = :receiptId! AND (:trackingNumber::text IS NULL OR s.tracking_number = :trackingNumber)
 GROUP BY s.tracking_number ORDER BY s.tracking_number LIMIT :limit!;
