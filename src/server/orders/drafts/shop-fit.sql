/*
 * Signs that a file is not of the shop that it was uploaded for. A preview reads them before it imports anything.
 */

/* @name countForeignCurrencies */
-- The file's orders in another currency than the shop's.
SELECT j.currency AS "currency!", count(*)::int AS "count!"
  FROM json_to_recordset(:orders::json) AS j(currency text)
  JOIN shops s ON s.id = :shopId! AND s.currency <> j.currency
 WHERE j.currency = ANY(:currencies!::text[])
 GROUP BY j.currency ORDER BY 2 DESC, 1 LIMIT 5;

/* @name countForeignReceipts */
-- Across all shops: the file's order numbers that another shop has and this one does not.
SELECT s.name AS "shop!", count(*)::int AS "count!"
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.receipt_id = ANY(:receiptIds!::text[]) AND o.shop_id <> :shopId!
   AND o.receipt_id NOT IN (
         SELECT receipt_id FROM orders WHERE shop_id = :shopId! AND receipt_id = ANY(:receiptIds!::text[]))
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5;

/* @name countForeignListings */
-- Across all shops: the file's listings that another shop has sold. A marketplace's listing belongs to one shop, so that a
-- single item with it is enough.
SELECT s.name AS "shop!", count(*)::int AS "count!"
  FROM (SELECT DISTINCT listing_id FROM json_to_recordset(:items::json) AS j(listing_id text)
         WHERE listing_id IS NOT NULL) l
 CROSS JOIN LATERAL (SELECT i.shop_id FROM order_items i WHERE i.listing_id = l.listing_id LIMIT 1) found
  JOIN shops s ON s.id = found.shop_id AND s.id <> :shopId!
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5;
