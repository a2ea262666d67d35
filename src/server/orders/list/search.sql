/* @name writeDocuments */
-- The searchable texts of an order, one per line. Of an order with very many items or shipments only the first 200,000 characters
-- of each: the trigram index takes too long for longer documents.
INSERT INTO order_search (shop_id, order_id, document)
SELECT o.shop_id, o.id, lower(concat_ws(E'\n', o.receipt_id, o.buyer, o.name, o.city, o.zip,
                                        left(i.texts, 200000), left(s.numbers, 200000)))
  FROM orders o
  LEFT JOIN LATERAL (
    SELECT string_agg(concat_ws(E'\n', t.title, t.sku), E'\n' ORDER BY t.id) AS texts
      FROM order_items t WHERE t.shop_id = :shopId! AND t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT string_agg(t.tracking_number, E'\n' ORDER BY t.id) AS numbers
      FROM shipments t WHERE t.shop_id = :shopId! AND t.order_id = o.id) s ON true
 WHERE o.shop_id = :shopId! AND o.id = ANY(:orderIds!::bigint[])
    ON CONFLICT (shop_id, order_id) DO UPDATE SET document = EXCLUDED.document
 WHERE order_search.document IS DISTINCT FROM EXCLUDED.document;

/* @name findWaitingShop */
-- The next shop after `after` that has imports to index.
SELECT min(shop_id) AS shop_id FROM imports WHERE NOT searchable AND shop_id > :after!;

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

/* @name findByNumbers */
-- Across all shops: the orders with one of the order numbers or tracking numbers.
SELECT shop_id AS "shop_id!", id::text AS "order_id!" FROM orders WHERE receipt_id = ANY(:receipts!)
 UNION
SELECT shop_id, order_id::text FROM shipments WHERE tracking_number = ANY(:trackingNumbers!);

/* @name limitSuggestions */
-- For this transaction: how long the search may take, and that the servers of a cluster adopt the next setting.
SELECT set_config('statement_timeout', :milliseconds!, true) AS "timeout!",
       set_config('citus.propagate_set_commands', 'local', true) AS "propagated!";

/* @name lowerSimilarity */
-- For this transaction: how similar a word must be to be suggested. One wrong letter in a name of five is similar enough.
SET LOCAL pg_trgm.word_similarity_threshold TO 0.3;

/* @name suggestNames */
-- Across all shops: names of buyers and cities that are spelled similarly, the most similar first.
SELECT min(n.name) AS "name!"
  FROM (SELECT shop_id, order_id FROM order_search WHERE document %> :text! LIMIT 2000) f
  JOIN orders o ON o.shop_id = f.shop_id AND o.id = f.order_id
 CROSS JOIN LATERAL (VALUES (o.name), (o.buyer), (o.city)) n(name)
 WHERE n.name %> :text! AND lower(n.name) <> :text!
 GROUP BY lower(n.name)
 ORDER BY max(word_similarity(:text!, lower(n.name))) DESC, lower(n.name)
 LIMIT 3;
