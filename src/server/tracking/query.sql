/* @name findOrder */
-- An order by its id, and by one of its tracking numbers if that is given. Its shop is not known yet.
SELECT o.shop_id, o.id, o.receipt_id, o.status FROM orders o
 WHERE o.id = :id! AND (:trackingNumber::text IS NULL OR EXISTS (
   SELECT FROM shipments s
    WHERE s.shop_id = o.shop_id AND s.order_id = o.id AND s.tracking_number = :trackingNumber));

/* @name findNewestOrder */
-- The newest order under a number, of any shop.
SELECT o.shop_id, o.id, o.receipt_id, o.status
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = :trackingNumber! ORDER BY o.id DESC LIMIT 1;

/* @name listShipmentsOfOrder */
-- The newest number first, as the text names them. `deciding` is 1 for the shipment that sets the order's status: an exception,
-- else a failed delivery, else the least advanced. It is always included, however many there are.
SELECT p.tracking_number, p.carrier, p.status, p.sub_status, p.since, p.deciding AS "deciding!",
       (SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                                                   'description', e.description, 'location', e.location)
                                 ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                                          array_position(:progress!::text[], e.sub_status) DESC NULLS LAST,
                                          e.identity DESC), '[]')
          FROM tracking_events e WHERE e.tracking_number = p.tracking_number AND e.kind = 'event') AS "events!"
  FROM (SELECT n.tracking_number, coalesce(s.carrier_code, n.carrier_code, o.carrier_code) AS carrier, n.status, n.sub_status,
               (extract(epoch FROM n.status_at) * 1000)::float8 AS since,
               row_number() OVER (ORDER BY s.created_at DESC, s.id)::int AS nth,
               row_number() OVER (ORDER BY n.status = 'exception' DESC, n.status = 'delivery_failure' DESC, n.status,
                                           s.created_at DESC, s.id)::int AS deciding
          FROM shipments s
          JOIN tracking_numbers n ON n.tracking_number = s.tracking_number
          JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
         WHERE s.shop_id = :shopId! AND s.order_id = :orderId!
           AND (:trackingNumber::text IS NULL OR s.tracking_number = :trackingNumber)) p
 WHERE p.nth <= :limit!::int OR p.deciding = 1 ORDER BY p.nth;

/* @name findShipment */
-- A tracking number without regard to orders, in the columns of the statement above.
SELECT n.tracking_number, n.carrier_code AS carrier, n.status, n.sub_status,
       (extract(epoch FROM n.status_at) * 1000)::float8 AS since, 1 AS "deciding!",
       (SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                                                   'description', e.description, 'location', e.location)
                                 ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                                          array_position(:progress!::text[], e.sub_status) DESC NULLS LAST,
                                          e.identity DESC), '[]')
          FROM tracking_events e WHERE e.tracking_number = n.tracking_number AND e.kind = 'event') AS "events!"
  FROM tracking_numbers n WHERE n.tracking_number = :trackingNumber!;

/* @name listNumbersOfReceipt */
-- The tracking numbers of an order number in all shops.
SELECT DISTINCT s.tracking_number FROM orders o JOIN shipments s ON s.shop_id = o.shop_id AND s.order_id = o.id
 WHERE o.receipt_id = :receiptId! AND (:trackingNumber::text IS NULL OR s.tracking_number = :trackingNumber)
 ORDER BY s.tracking_number LIMIT :limit!;
