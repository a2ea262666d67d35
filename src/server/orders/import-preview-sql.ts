import { PAGE_SIZE } from './checked-sheet';

/**
 * What an import did, read inside its transaction, before it is rolled back: the preview is the import's own work and no
 * second telling of its rules.
 */

const NAMED = `named AS MATERIALIZED (
  SELECT o.id, o.import_id IS NOT DISTINCT FROM $1 AS created, j."row", j.receipt_id
    FROM json_to_recordset($3::json) AS j(receipt_id text, "row" integer)
    JOIN orders o ON o.account_id = $2 AND o.receipt_id = j.receipt_id
)`;

/** The entries page by page, as JSON text: nobody reads all of them at once. */
const pages = (entries: string) => `
SELECT json_agg(entry ORDER BY position)::text AS page, count(*)::int AS count
  FROM (SELECT entry, row_number() OVER (ORDER BY "row") - 1 AS position FROM (${entries}) e) numbered
 GROUP BY position / ${PAGE_SIZE} ORDER BY position / ${PAGE_SIZE}`;

/** $1 import, $2 account, $3 orders as JSON. */
export const NEW_ORDERS = `
WITH ${NAMED}, sold AS MATERIALIZED (
  SELECT i.order_id, count(*) AS items, sum(i.item_total) AS total FROM order_items i WHERE i.import_id = $1 GROUP BY 1
)
${pages(`
  SELECT n."row", json_build_object(
           'row', n."row", 'receipt_id', n.receipt_id, 'status', o.status, 'sale_date', o.sale_date, 'buyer', o.buyer,
           'name', o.name, 'country_name', o.country_name, 'country_code', o.country_code, 'currency', o.currency,
           'items', coalesce(s.items, 0), 'total', trim_scale(s.total)::text) AS entry
    FROM named n JOIN orders o ON o.id = n.id LEFT JOIN sold s ON s.order_id = n.id
   WHERE n.created`)}`;

/**
 * The fields that an import changed, one row a record: an import can change a record twice, by its rows and by what is known
 * of their waybills.
 */
export const CHANGED_FIELDS = `field AS MATERIALIZED (
  SELECT c.record, c.record_id, c.order_id, k.name,
         (array_agg(c.before -> k.name ORDER BY c.id))[1] AS before,
         (array_agg(c.after -> k.name ORDER BY c.id DESC))[1] AS after
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.import_id = $1 GROUP BY 1, 2, 3, 4
)`;

const TOUCHED = `${CHANGED_FIELDS}, record AS MATERIALIZED (
  SELECT record, record_id, order_id,
         json_agg(json_build_object('name', name, 'before', before, 'after', after) ORDER BY name) AS fields
    FROM field GROUP BY 1, 2, 3
), item AS MATERIALIZED (
  SELECT i.id, i.order_id, r.record_id IS NULL AS created, coalesce(r.fields, '[]') AS fields, i.transaction_id, i.title, i.sku
    FROM order_items i LEFT JOIN record r ON r.record = 'item' AND r.record_id = i.id
   WHERE i.import_id = $1 OR i.id IN (SELECT record_id FROM record WHERE record = 'item')
), parcel AS MATERIALIZED (
  SELECT s.id, s.order_id, r.record_id IS NULL AS created, coalesce(r.fields, '[]') AS fields, s.tracking_number
    FROM shipments s LEFT JOIN record r ON r.record = 'shipment' AND r.record_id = s.id
   WHERE s.import_id = $1 OR s.id IN (SELECT record_id FROM record WHERE record = 'shipment')
), touched AS MATERIALIZED (
  SELECT order_id FROM record UNION SELECT order_id FROM item UNION SELECT order_id FROM parcel
)`;

/** $1 import, $2 account, $3 orders as JSON. */
export const UPDATED_ORDERS = `
WITH ${NAMED}, ${TOUCHED}, items AS MATERIALIZED (
  SELECT order_id, json_agg(json_build_object('created', created, 'transaction_id', transaction_id, 'title', title,
                                              'sku', sku, 'fields', fields) ORDER BY id) AS list
    FROM item GROUP BY 1
), parcels AS MATERIALIZED (
  SELECT order_id, json_agg(json_build_object('created', created, 'tracking_number', tracking_number, 'fields', fields)
                            ORDER BY id) AS list
    FROM parcel GROUP BY 1
)
${pages(`
  SELECT n."row", json_build_object(
           'row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id, 'fields', coalesce(r.fields, '[]'),
           'items', coalesce(i.list, '[]'), 'shipments', coalesce(p.list, '[]')) AS entry
    FROM named n
    LEFT JOIN record r ON r.record = 'order' AND r.record_id = n.id
    LEFT JOIN items i ON i.order_id = n.id
    LEFT JOIN parcels p ON p.order_id = n.id
   WHERE NOT n.created AND n.id IN (SELECT order_id FROM touched)`)}`;

/** $1 import, $2 account, $3 orders as JSON. */
export const UNCHANGED_ORDERS = `
WITH ${NAMED}, ${TOUCHED}
${pages(`
  SELECT n."row", json_build_object('row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id) AS entry
    FROM named n WHERE NOT n.created AND n.id NOT IN (SELECT order_id FROM touched)`)}`;

/**
 * $1 account, $2 orders, $3 shipments as JSON. The state of everything that an import of these could meet: the orders with
 * their items and shipments, and what is known of the waybills that it brings.
 */
export const STATE_OF_ORDERS = `
WITH concerned AS MATERIALIZED (
  SELECT o.id, o.updated_at FROM orders o
   WHERE o.account_id = $1 AND o.receipt_id IN (SELECT receipt_id FROM json_to_recordset($2::json) AS j(receipt_id text))
), fact AS (
  SELECT concat_ws(' ', 'order', id, extract(epoch FROM updated_at)) AS line FROM concerned
   UNION ALL SELECT concat_ws(' ', 'item', i.id, extract(epoch FROM i.updated_at))
               FROM order_items i WHERE i.order_id IN (SELECT id FROM concerned)
   UNION ALL SELECT concat_ws(' ', 'shipment', s.id, extract(epoch FROM s.updated_at))
               FROM shipments s WHERE s.order_id IN (SELECT id FROM concerned)
   UNION ALL SELECT concat_ws(' ', 'waybill', w.tracking_number, w.status) FROM waybills w
              WHERE w.tracking_number IN (SELECT tracking_number FROM json_to_recordset($3::json) AS j(tracking_number text))
)
SELECT encode(sha256(convert_to(coalesce(string_agg(line, E'\\n' ORDER BY line), ''), 'UTF8')), 'hex') AS state FROM fact`;

/** $1 account, $2 SKUs (text[]). Those that the shop has sold with leading zeros. */
export const SKUS_WITH_ZEROS = `
SELECT DISTINCT ON (ltrim(i.sku, '0')) ltrim(i.sku, '0') AS sku, i.sku AS stored
  FROM order_items i JOIN orders o ON o.id = i.order_id AND o.account_id = $1
 WHERE i.sku LIKE '0%' AND ltrim(i.sku, '0') = ANY($2::text[]) ORDER BY 1, 2`;
