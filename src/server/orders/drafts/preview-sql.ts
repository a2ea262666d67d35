import { orderValue } from '../detail/order-value-sql';
import { PAGE_SIZE } from './checked-sheet';

/**
 * What an import did, read inside its transaction, before it is rolled back: the preview is the import's own work and no
 * second telling of its rules.
 *
 * It is gathered in temporary tables with keys: of what was written just now the planner knows nothing, and without a key it
 * may run through all of one list for each entry of another.
 */

/** The tables, which go with the transaction. */
export const MAKE_PREVIEW_TABLES = `
CREATE TEMPORARY TABLE preview_order (
  id bigint PRIMARY KEY, created boolean, "row" integer, receipt_id text) ON COMMIT DROP;
CREATE TEMPORARY TABLE preview_record (
  record changed_record, record_id bigint, order_id bigint, fields json, PRIMARY KEY (record, record_id)) ON COMMIT DROP;
CREATE TEMPORARY TABLE preview_item (
  id bigint PRIMARY KEY, order_id bigint, created boolean, fields json) ON COMMIT DROP;
CREATE INDEX ON preview_item (order_id);
CREATE TEMPORARY TABLE preview_parcel (
  id bigint PRIMARY KEY, order_id bigint, created boolean, fields json) ON COMMIT DROP;
CREATE INDEX ON preview_parcel (order_id)`;

/** $1 import, $2 account, $3 orders as JSON. */
export const GATHER_ORDERS = `
INSERT INTO preview_order (id, created, "row", receipt_id)
SELECT o.id, o.import_id IS NOT DISTINCT FROM $1, j."row", j.receipt_id
  FROM json_to_recordset($3::json) AS j(receipt_id text, "row" integer)
  JOIN orders o ON o.account_id = $2 AND o.receipt_id = j.receipt_id`;

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

const gatherAdded = (table: string, from: string, record: string) => `
INSERT INTO ${table} (id, order_id, created, fields)
SELECT t.id, t.order_id, true, '[]' FROM ${from} t JOIN preview_order n ON n.id = t.order_id AND NOT n.created
 WHERE t.import_id = $1
UNION ALL SELECT record_id, order_id, false, fields FROM preview_record WHERE record = '${record}'`;

/** $1 import. In this order. */
export const GATHER_CHANGES = [
  `WITH ${CHANGED_FIELDS}
INSERT INTO preview_record (record, record_id, order_id, fields)
SELECT record, record_id, order_id,
       json_agg(json_build_object('name', name, 'before', before, 'after', after) ORDER BY name)
  FROM field GROUP BY 1, 2, 3`,
  gatherAdded('preview_item', 'order_items', 'item'),
  gatherAdded('preview_parcel', 'shipments', 'shipment'),
];

/** The entries page by page, as JSON text: nobody reads all of them at once. */
const pages = (entries: string) => `
SELECT json_agg(entry ORDER BY position)::text AS page, count(*)::int AS count
  FROM (SELECT entry, row_number() OVER (ORDER BY "row") - 1 AS position FROM (${entries}) e) numbered
 GROUP BY position / ${PAGE_SIZE} ORDER BY position / ${PAGE_SIZE}`;

export const NEW_ORDERS = pages(`
  SELECT n."row", json_build_object(
           'row', n."row", 'receipt_id', n.receipt_id, 'status', o.status, 'sale_date', o.sale_date, 'buyer', o.buyer,
           'name', o.name, 'country_name', o.country_name, 'country_code', o.country_code, 'currency', o.currency,
           'items', s.items, 'value', trim_scale(s.value)::text) AS entry
    FROM preview_order n JOIN orders o ON o.id = n.id
    CROSS JOIN LATERAL (SELECT count(*) AS items, ${orderValue('o', 'i')} AS value FROM order_items i WHERE i.order_id = n.id) s
   WHERE n.created`);

export const UPDATED_ORDERS = pages(`
  SELECT n."row", json_build_object(
           'row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id, 'fields', coalesce(r.fields, '[]'),
           'items', coalesce(i.list, '[]'), 'shipments', coalesce(p.list, '[]')) AS entry
    FROM preview_order n
    LEFT JOIN preview_record r ON r.record = 'order' AND r.record_id = n.id
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('created', c.created, 'transaction_id', t.transaction_id, 'title', t.title,
                                        'sku', t.sku, 'fields', c.fields) ORDER BY c.id) AS list
        FROM preview_item c JOIN order_items t ON t.id = c.id WHERE c.order_id = n.id) i ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('created', c.created, 'tracking_number', t.tracking_number, 'fields', c.fields)
                      ORDER BY c.id) AS list
        FROM preview_parcel c JOIN shipments t ON t.id = c.id WHERE c.order_id = n.id) p ON true
   WHERE NOT n.created AND (r.record_id IS NOT NULL OR i.list IS NOT NULL OR p.list IS NOT NULL)`);

export const UNCHANGED_ORDERS = pages(`
  SELECT n."row", json_build_object('row', n."row", 'order_id', n.id::text, 'receipt_id', n.receipt_id) AS entry
    FROM preview_order n
   WHERE NOT n.created
     AND NOT EXISTS (SELECT FROM preview_record r WHERE r.record = 'order' AND r.record_id = n.id)
     AND NOT EXISTS (SELECT FROM preview_item i WHERE i.order_id = n.id)
     AND NOT EXISTS (SELECT FROM preview_parcel p WHERE p.order_id = n.id)`);

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
