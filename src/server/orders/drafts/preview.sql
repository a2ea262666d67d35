/*
 * What an import did, read inside its transaction before it is rolled back: the preview shows the import itself, so its rules
 * exist only once.
 *
 * The changes are collected in temporary tables with keys: there are no statistics for rows that were just written, so without
 * keys PostgreSQL may scan one of these tables for each row of another.
 */

/* @name createPreviewOrders */
CREATE TEMPORARY TABLE preview_order (
  id bigint PRIMARY KEY, created boolean NOT NULL, "row" integer NOT NULL, receipt_id text NOT NULL
) ON COMMIT DROP;

/* @name createPreviewRecords */
CREATE TEMPORARY TABLE preview_record (
  record changed_record, record_id bigint, order_id bigint NOT NULL, fields json NOT NULL, PRIMARY KEY (record, record_id)
) ON COMMIT DROP;

/* @name createPreviewItems */
CREATE TEMPORARY TABLE preview_item (
  order_id bigint, id bigint, created boolean NOT NULL, fields json NOT NULL, PRIMARY KEY (order_id, id)
) ON COMMIT DROP;

/* @name createPreviewShipments */
CREATE TEMPORARY TABLE preview_shipment (
  order_id bigint, id bigint, created boolean NOT NULL, fields json NOT NULL, PRIMARY KEY (order_id, id)
) ON COMMIT DROP;

/* @name gatherOrders */
INSERT INTO preview_order (id, created, "row", receipt_id)
SELECT o.id, o.import_id IS NOT DISTINCT FROM :importId!, j."row", j.receipt_id
  FROM json_to_recordset(:orders::json) AS j(receipt_id text, "row" integer)
  JOIN orders o ON o.shop_id = :shopId! AND o.receipt_id = j.receipt_id;

/* @name gatherRecords */
-- The fields that the import changed, one row per record: an import can change an order twice, by its rows and by earlier
-- events of its tracking numbers.
WITH field AS MATERIALIZED (
  SELECT c.record, c.record_id, c.order_id, k.name,
         (array_agg(c.before -> k.name ORDER BY c.id))[1] AS before,
         (array_agg(c.after -> k.name ORDER BY c.id DESC))[1] AS after
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.import_id = :importId! GROUP BY 1, 2, 3, 4
)
INSERT INTO preview_record (record, record_id, order_id, fields)
SELECT record, record_id, order_id,
       json_agg(json_build_object('name', name, 'before', before, 'after', after) ORDER BY name)
  FROM field GROUP BY 1, 2, 3;

/* @name analyzeOrders */
ANALYZE preview_order, preview_record;

/* @name gatherItems */
INSERT INTO preview_item (id, order_id, created, fields)
SELECT t.id, t.order_id, true, '[]' FROM order_items t JOIN preview_order n ON n.id = t.order_id AND NOT n.created
 WHERE t.shop_id = :shopId! AND t.import_id = :importId!
UNION ALL SELECT record_id, order_id, false, fields FROM preview_record WHERE record = 'item';

/* @name gatherShipments */
INSERT INTO preview_shipment (id, order_id, created, fields)
SELECT t.id, t.order_id, true, '[]' FROM shipments t JOIN preview_order n ON n.id = t.order_id AND NOT n.created
 WHERE t.shop_id = :shopId! AND t.import_id = :importId!
UNION ALL SELECT record_id, order_id, false, fields FROM preview_record WHERE record = 'shipment';

/* @name analyzeParts */
ANALYZE preview_item, preview_shipment;

/* @name listNewOrders */
-- This statement and the next two return the entries as JSON text, in chunks of `chunkSize` entries (stored-list.ts). `value` is the
-- order's value, the items less discounts (docs/orders.md).
SELECT json_agg(entry ORDER BY position)::text AS "chunk!", count(*)::int AS "count!"
  FROM (
    SELECT row_number() OVER (ORDER BY n."row") - 1 AS position, json_build_object(
             'row', n."row", 'receipt_id', n.receipt_id, 'status', o.status, 'sale_date', o.sale_date, 'buyer', o.buyer,
             'name', o.name, 'country_name', o.country_name, 'country_code', o.country_code, 'currency', o.currency,
             'items', s.items, 'value', trim_scale(s.value)::text) AS entry
      FROM preview_order n JOIN orders o ON o.shop_id = :shopId! AND o.id = n.id
     CROSS JOIN LATERAL (
       SELECT count(*) AS items, sum(i.net_total) - coalesce(o.inperson_discount, 0) AS value
         FROM described_items i WHERE i.shop_id = :shopId! AND i.order_id = n.id) s
     WHERE n.created) numbered_entry
 GROUP BY position / :chunkSize!::int ORDER BY position / :chunkSize!::int;

/* @name listUpdatedOrders */
SELECT json_agg(entry ORDER BY position)::text AS "chunk!", count(*)::int AS "count!"
  FROM (
    SELECT row_number() OVER (ORDER BY n."row") - 1 AS position, json_build_object(
             'row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id, 'fields', coalesce(r.fields, '[]'),
             'items', coalesce(i.list, '[]'), 'shipments', coalesce(p.list, '[]')) AS entry
      FROM preview_order n
      LEFT JOIN preview_record r ON r.record = 'order' AND r.record_id = n.id
      LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object('created', c.created, 'transaction_id', t.transaction_id, 'title', t.title,
                                          'sku', t.sku, 'fields', c.fields) ORDER BY c.id) AS list
          FROM preview_item c JOIN order_items t ON t.shop_id = :shopId! AND t.id = c.id WHERE c.order_id = n.id) i ON true
      LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object('created', c.created, 'tracking_number', t.tracking_number, 'fields', c.fields)
                        ORDER BY c.id) AS list
          FROM preview_shipment c JOIN shipments t ON t.shop_id = :shopId! AND t.id = c.id
         WHERE c.order_id = n.id) p ON true
     WHERE NOT n.created AND (r.record_id IS NOT NULL OR i.list IS NOT NULL OR p.list IS NOT NULL)) numbered_entry
 GROUP BY position / :chunkSize!::int ORDER BY position / :chunkSize!::int;

/* @name listUnchangedOrders */
SELECT json_agg(entry ORDER BY position)::text AS "chunk!", count(*)::int AS "count!"
  FROM (
    SELECT row_number() OVER (ORDER BY n."row") - 1 AS position,
           json_build_object('row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id) AS entry
      FROM preview_order n
     WHERE NOT n.created
       AND NOT EXISTS (SELECT FROM preview_record r WHERE r.record = 'order' AND r.record_id = n.id)
       AND NOT EXISTS (SELECT FROM preview_item i WHERE i.order_id = n.id)
       AND NOT EXISTS (SELECT FROM preview_shipment p WHERE p.order_id = n.id)) numbered_entry
 GROUP BY position / :chunkSize!::int ORDER BY position / :chunkSize!::int;

/* @name readState */
-- A hash of what the import's result depends on: the stored orders with their items and shipments, the statuses of the tracking
-- numbers in the file, and the aliases of countries.
WITH affected_order AS MATERIALIZED (
  SELECT o.id, o.updated_at FROM orders o WHERE o.shop_id = :shopId! AND o.receipt_id = ANY(:receiptIds!::text[])
), state_line AS (
  SELECT concat_ws(' ', 'order', id, extract(epoch FROM updated_at)) AS line FROM affected_order
   UNION ALL SELECT concat_ws(' ', 'item', i.id, extract(epoch FROM i.updated_at))
               FROM order_items i WHERE i.shop_id = :shopId! AND i.order_id IN (SELECT id FROM affected_order)
   UNION ALL SELECT concat_ws(' ', 'shipment', s.id, extract(epoch FROM s.updated_at))
               FROM shipments s WHERE s.shop_id = :shopId! AND s.order_id IN (SELECT id FROM affected_order)
   UNION ALL SELECT concat_ws(' ', 'number', n.tracking_number, n.status) FROM tracking_numbers n
              WHERE n.tracking_number IN (
                SELECT tracking_number FROM json_to_recordset(:shipments::json) AS j(tracking_number text))
   UNION ALL SELECT concat_ws(' ', 'alias', a.folded_alias, a.country_code) FROM country_aliases a
)
SELECT encode(sha256(convert_to(coalesce(string_agg(line, E'\n' ORDER BY line), ''), 'UTF8')), 'hex') AS "state_hash!" FROM state_line;
