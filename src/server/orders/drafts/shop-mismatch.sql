/*
 * Signs that a file belongs to a different shop from the one it was uploaded for. A preview and the import read them before anything
 * is stored.
 */

/* @name countOtherCurrencies */
-- The file's orders in a known currency other than the shop's.
SELECT j.currency AS "currency!", count(*)::int AS "count!"
  FROM json_to_recordset(:orders::json) AS j(currency text)
  JOIN shops s ON s.id = :shopId! AND s.currency <> j.currency
 WHERE j.currency = ANY(:currencies!::text[])
 GROUP BY j.currency ORDER BY 2 DESC, 1 LIMIT 5;

/* @name countOrdersOfOtherShops */
-- Across all shops: the file's order numbers that another shop has and this one does not.
SELECT s.name AS "shop!", count(*)::int AS "count!"
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.receipt_id = ANY(:receiptIds!::text[]) AND o.shop_id <> :shopId!
   AND o.receipt_id NOT IN (
         SELECT receipt_id FROM orders WHERE shop_id = :shopId! AND receipt_id = ANY(:receiptIds!::text[]))
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5;

/* @name findUnknownListings */
-- The file's listings that the shop has not sold yet. Each is looked up separately, so that the search stops at its first item.
SELECT l.listing_id AS "listing_id!"
  FROM (SELECT DISTINCT listing_id FROM json_to_recordset(:items::json) AS j(listing_id text)
         WHERE listing_id IS NOT NULL) l
  LEFT JOIN LATERAL (
    SELECT i.id FROM order_items i WHERE i.shop_id = :shopId! AND i.listing_id = l.listing_id LIMIT 1) own_item ON true
 WHERE own_item.id IS NULL;

/* @name countListingsOfOtherShops */
-- Across all shops: the other shops that have sold the most of these listings, at most five, each with how many it has sold.
SELECT s.name AS "shop!", count(*)::int AS "count!"
  FROM (SELECT DISTINCT i.shop_id, i.listing_id FROM order_items i
         WHERE i.listing_id = ANY(:listingIds!::text[]) AND i.shop_id <> :shopId!) sold_listing
  JOIN shops s ON s.id = sold_listing.shop_id
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5;
