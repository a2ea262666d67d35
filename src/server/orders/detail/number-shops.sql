/* @name lockTrackingNumbers */
-- Adds the tracking numbers that are new and locks all of them until the transaction ends. One pass in the order of the numbers,
-- like tracking's merge: adding the new ones first and then locking the others could deadlock with it.
INSERT INTO tracking_numbers (tracking_number)
SELECT DISTINCT tracking_number FROM json_to_recordset(:shipments::json) AS j(tracking_number text)
 ORDER BY tracking_number
    ON CONFLICT (tracking_number) DO UPDATE SET updated_at = tracking_numbers.updated_at WHERE false;

/* @name addShop */
INSERT INTO tracking_number_shops (tracking_number, shop_id)
SELECT DISTINCT tracking_number, :shopId!::integer FROM json_to_recordset(:shipments::json) AS j(tracking_number text)
    ON CONFLICT (tracking_number, shop_id) DO NOTHING;

/* @name findUnused */
-- Which of the numbers the shop has no shipment under.
SELECT n.tracking_number AS "tracking_number!" FROM unnest(:trackingNumbers!::text[]) AS n(tracking_number)
 WHERE NOT EXISTS (
   SELECT FROM shipments s WHERE s.shop_id = :shopId! AND s.tracking_number = n.tracking_number);

/* @name removeShop */
DELETE FROM tracking_number_shops WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND shop_id = :shopId!;

/* @name findShops */
SELECT shop_id, array_agg(tracking_number ORDER BY tracking_number) AS "tracking_numbers!"
  FROM tracking_number_shops WHERE tracking_number = ANY(:trackingNumbers!::text[])
 GROUP BY shop_id ORDER BY shop_id;

/* @name findOrders */
SELECT DISTINCT tracking_number, order_id::text AS "order_id!" FROM shipments
 WHERE shop_id = :shopId! AND tracking_number = ANY(:trackingNumbers!::text[]);
