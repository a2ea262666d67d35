/* @name listSharedNumbers */
-- Which of the numbers several orders have, in all shops, each with the six newest of these orders.
SELECT s.tracking_number,
       (array_agg(json_build_object('id', o.id::text, 'receipt_id', o.receipt_id, 'shop', p.name) ORDER BY o.id DESC))[1:6]
         AS "orders!"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = ANY(:trackingNumbers!::text[])
 GROUP BY s.tracking_number HAVING count(*) > 1;
