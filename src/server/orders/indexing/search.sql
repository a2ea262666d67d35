/* @name writeDocuments */
-- The searchable texts of an order, one per line. The texts of its items and its tracking numbers are each cut off after 200,000
-- characters, because the trigram index takes too long for longer documents.
INSERT INTO order_search (shop_id, order_id, document)
SELECT o.shop_id, o.id, lower(concat_ws(E'\n', o.receipt_id, o.buyer, o.name, o.city, o.zip,
                                        left(i.item_text, 200000), left(s.number_text, 200000)))
  FROM orders o
  LEFT JOIN LATERAL (
    SELECT string_agg(concat_ws(E'\n', t.title, t.sku), E'\n' ORDER BY t.id) AS item_text
      FROM order_items t WHERE t.shop_id = :shopId! AND t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT string_agg(t.tracking_number, E'\n' ORDER BY t.id) AS number_text
      FROM shipments t WHERE t.shop_id = :shopId! AND t.order_id = o.id) s ON true
 WHERE o.shop_id = :shopId! AND o.id = ANY(:orderIds!::bigint[])
    ON CONFLICT (shop_id, order_id) DO UPDATE SET document = EXCLUDED.document
 WHERE order_search.document IS DISTINCT FROM EXCLUDED.document;

/* @name findWaitingShop */
-- The shop with the lowest id above `afterShopId` that has imports to index.
SELECT min(shop_id) AS shop_id FROM imports WHERE NOT searchable AND shop_id > :afterShopId!;

/* @name claimImports */
SELECT id FROM imports WHERE shop_id = :shopId! AND NOT searchable ORDER BY id LIMIT :limit! FOR UPDATE SKIP LOCKED;

/* @name findOrdersOfImports */
-- The orders that the imports created or changed, including changes of items and shipments.
SELECT id AS "id!" FROM orders WHERE shop_id = :shopId! AND import_id = ANY(:importIds!::bigint[])
 UNION SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = ANY(:importIds!::bigint[])
 UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = ANY(:importIds!::bigint[])
 UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = ANY(:importIds!::bigint[])
 ORDER BY 1;

/* @name markSearchable */
UPDATE imports SET searchable = true WHERE shop_id = :shopId! AND id = ANY(:importIds!::bigint[]);
