/* @name findShopsOfReceipts */
-- The shops in use that have orders with these order numbers. Searches all shops: a forwarder's file names none.
SELECT o.receipt_id, s.id AS shop_id, s.name AS shop
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.receipt_id = ANY(:receiptIds!::text[]) AND s.archived_at IS NULL
 ORDER BY s.name, s.id;
