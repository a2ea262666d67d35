import { PAGE_SIZE } from '../drafts/checked-sheet';
import { CHANGED_FIELDS } from '../drafts/preview-sql';
import { MERGED_ITEM_COLUMNS, MERGED_ORDER_COLUMNS } from '../import/store-sql';

/**
 * The undo of an import: first a plan, made under the locks of all that it concerns, then what the plan says. The page is
 * shown the same plan, made and thrown away. $1 is the import in all of them.
 */

/** Every order that the import created or changed, with what hangs on it. */
const CONCERNED = `
SELECT id FROM orders WHERE import_id = $1
 UNION SELECT order_id FROM import_changes WHERE import_id = $1
 UNION SELECT order_id FROM order_items WHERE import_id = $1
 UNION SELECT order_id FROM shipments WHERE import_id = $1`;

/** Waybills before orders, and both in their order, as everything locks them that changes orders. */
export const LOCK_CONCERNED_WAYBILLS = `
SELECT 1 FROM waybills WHERE tracking_number IN (SELECT tracking_number FROM shipments WHERE order_id IN (${CONCERNED}))
 ORDER BY tracking_number FOR SHARE`;
export const LOCK_CONCERNED_ORDERS = `
SELECT id FROM orders WHERE id IN (${CONCERNED}) ORDER BY id FOR UPDATE`;

/**
 * `list` is undone, kept or missing; `work` what is done: remove or restore. `fields` are shown, `back` holds the values to put
 * back.
 */
export const MAKE_PLAN = `
CREATE TEMPORARY TABLE undo_plan (
  list text, work text, record text, record_id bigint, order_id bigint, receipt_id text,
  fields jsonb, back jsonb, reason text, by_import bigint, missing integer
) ON COMMIT DROP`;

/** Imports that are undone have not touched what they put back; what an undo wrote last carries its instant. */
const UNDONE = `undone AS MATERIALIZED (
  SELECT id, undone_at FROM imports
   WHERE outcome = 'undone' AND undone_at IS NOT NULL AND account_id = (SELECT account_id FROM imports WHERE id = $1)
)`;
const changed = (alias: string) =>
  `${alias}.updated_at > ${alias}.created_at AND ${alias}.updated_at NOT IN (SELECT undone_at FROM undone)`;
const another = (alias: string) =>
  `${alias}.import_id <> $1 AND ${alias}.import_id NOT IN (SELECT id FROM undone)`;

/**
 * Orders that the import created: nobody must have touched them, since there is no value before to put back. An import counts by
 * what it changed or added, a person by the audit log, a note or a parcel, a carrier by a status that it moved.
 */
export const PLAN_CREATED_ORDERS = `
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH ${UNDONE}, made AS MATERIALIZED (
  SELECT id, receipt_id, created_at, updated_at FROM orders WHERE import_id = $1
), touch AS (
  SELECT c.order_id, 1 AS rank, 'import' AS reason, c.import_id AS by_import
    FROM import_changes c WHERE c.order_id IN (SELECT id FROM made) AND ${another('c')}
  UNION ALL SELECT i.order_id, 1, 'import', i.import_id
    FROM order_items i WHERE i.order_id IN (SELECT id FROM made) AND i.import_id <> $1
  UNION ALL SELECT s.order_id, CASE WHEN s.import_id IS NULL THEN 2 ELSE 1 END,
                   CASE WHEN s.import_id IS NULL THEN 'person' ELSE 'import' END, s.import_id
    FROM shipments s WHERE s.order_id IN (SELECT id FROM made) AND s.import_id IS DISTINCT FROM $1
  UNION ALL SELECT n.order_id, 2, 'person', NULL FROM order_notes n WHERE n.order_id IN (SELECT id FROM made)
  UNION ALL SELECT m.id, 2, 'person', NULL FROM made m
              JOIN audit_log a ON a.record_type = 'order' AND a.record_id = m.id::text
  UNION ALL SELECT m.id, 3, 'tracking', NULL FROM made m
              JOIN shipments s ON s.order_id = m.id JOIN waybills w ON w.tracking_number = s.tracking_number
             WHERE m.updated_at > m.created_at AND w.updated_at > m.created_at
  UNION ALL SELECT m.id, 4, 'changed', NULL FROM made m WHERE ${changed('m')}
  UNION ALL SELECT i.order_id, 4, 'changed', NULL FROM order_items i
             WHERE i.import_id = $1 AND ${changed('i')} AND i.order_id IN (SELECT id FROM made)
  UNION ALL SELECT id, 9, NULL, NULL FROM made
), first_touch AS (
  SELECT DISTINCT ON (order_id) order_id, reason, by_import FROM touch ORDER BY order_id, rank, by_import DESC NULLS LAST
)
SELECT CASE WHEN t.reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN t.reason IS NULL THEN 'remove' END,
       'order', o.id, o.id, o.receipt_id, t.reason, t.by_import
  FROM first_touch t JOIN orders o ON o.id = t.order_id`;

const addedTo = (record: 'item' | 'shipment', table: string) => `
  SELECT '${record}' AS record, r.id, r.order_id, r.created_at, r.updated_at FROM ${table} r
    JOIN orders o ON o.id = r.order_id AND o.import_id IS DISTINCT FROM $1 WHERE r.import_id = $1`;

/** Items and parcels that the import added to orders which were there before. */
export const PLAN_ADDED_RECORDS = `
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH ${UNDONE}, added AS MATERIALIZED (${addedTo('item', 'order_items')} UNION ALL ${addedTo('shipment', 'shipments')}),
touched AS (
  SELECT a.*, (SELECT max(c.import_id) FROM import_changes c
                WHERE c.order_id = a.order_id AND c.record::text = a.record AND c.record_id = a.id AND ${another('c')}) AS by_import
    FROM added a
), judged AS (
  SELECT *, CASE WHEN by_import IS NOT NULL THEN 'import' WHEN ${changed('a')} THEN 'changed' END AS reason FROM touched a
)
SELECT CASE WHEN reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN reason IS NULL THEN 'remove' END,
       record, j.id, order_id, o.receipt_id, reason, by_import
  FROM judged j JOIN orders o ON o.id = j.order_id`;

/** The record as it is, as the import left it and as it was before, all written by this session, so that they compare. */
const states = (record: string, table: string) => `
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present,
         to_jsonb(jsonb_populate_record(t, w.after)) AS left_as, to_jsonb(jsonb_populate_record(t, w.before)) AS was
    FROM wrote w JOIN ${table} t ON t.id = w.record_id WHERE w.record = '${record}'`;

/** Whose the present value of a field is: an import's that wrote it too, a person's, a carrier's, or nobody knows. */
const LATER_IMPORT = `(
  SELECT max(c.import_id) FROM import_changes c
   WHERE c.order_id = f.order_id AND c.record = f.record AND c.record_id = f.record_id AND c.import_id <> $1 AND c.after ? f.name)`;
const BY_PERSON = `EXISTS (SELECT FROM audit_log a WHERE a.record_type = 'order' AND a.record_id = f.order_id::text)`;

/**
 * Fields that the import changed: put back where they still hold what it wrote. The tracking status follows from the parcels,
 * and a country's code from its name.
 */
export const PLAN_CHANGED_FIELDS = `
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, fields, back, reason, by_import)
WITH ${CHANGED_FIELDS}, wrote AS MATERIALIZED (
  SELECT record, record_id, order_id, jsonb_object_agg(name, before) AS before, jsonb_object_agg(name, after) AS after
    FROM field WHERE name <> 'tracking_status' GROUP BY 1, 2, 3
), state AS MATERIALIZED (
  ${states('order', 'orders')} UNION ALL ${states('item', 'order_items')} UNION ALL ${states('shipment', 'shipments')}
), found AS MATERIALIZED (
  SELECT s.record, s.record_id, s.order_id, k.name, s.present -> k.name AS present, s.was -> k.name AS was,
         s.left_as -> k.name AS left_as,
         s.present -> k.name IS NOT DISTINCT FROM s.left_as -> k.name
           AND (k.name <> 'country_code' OR s.present -> 'country_name' IS NOT DISTINCT FROM s.left_as -> 'country_name') AS same
    FROM state s CROSS JOIN LATERAL jsonb_object_keys(s.after) k(name)
), judged AS MATERIALIZED (
  SELECT f.*, CASE WHEN NOT same THEN ${LATER_IMPORT} END AS by_import, NOT same AND ${BY_PERSON} AS by_person
    FROM found f WHERE same OR present IS DISTINCT FROM was
)
SELECT CASE WHEN same THEN 'undone' ELSE 'kept' END, CASE WHEN same THEN 'restore' END,
       j.record::text, j.record_id, j.order_id, o.receipt_id,
       jsonb_agg(jsonb_build_object('name', j.name, 'before', j.was, 'after', j.left_as, 'present', j.present) ORDER BY j.name),
       jsonb_object_agg(j.name, j.was),
       CASE WHEN same THEN NULL WHEN max(j.by_import) IS NOT NULL THEN 'import' WHEN bool_or(j.by_person) THEN 'person'
            WHEN bool_and(j.name = 'status') THEN 'tracking' ELSE 'changed' END,
       max(j.by_import)
  FROM judged j JOIN orders o ON o.id = j.order_id
 GROUP BY j.record, j.record_id, j.order_id, o.receipt_id, same`;

/** What the import changed or created and is not there any more; of what it created only the number is known. */
export const PLAN_MISSING = `
INSERT INTO undo_plan (list, record, record_id, order_id, receipt_id, missing)
SELECT 'missing', c.record::text, c.record_id, c.order_id, o.receipt_id, 1
  FROM (SELECT DISTINCT record, record_id, order_id FROM import_changes WHERE import_id = $1) c
  LEFT JOIN orders o ON o.id = c.order_id
 WHERE CASE c.record WHEN 'order' THEN o.id IS NULL
                     WHEN 'item' THEN c.record_id NOT IN (SELECT id FROM order_items WHERE order_id = c.order_id)
                     ELSE c.record_id NOT IN (SELECT id FROM shipments WHERE order_id = c.order_id) END
UNION ALL
SELECT 'missing', 'order', NULL, NULL, NULL, m.new_orders - made.count
  FROM imports m CROSS JOIN (SELECT count(*)::int AS count FROM orders WHERE import_id = $1) made
 WHERE m.id = $1 AND m.new_orders > made.count`;

const remove = (record: string, table: string) => `
DELETE FROM ${table} WHERE id IN (SELECT record_id FROM undo_plan WHERE work = 'remove' AND record = '${record}')`;

const restore = (record: string, table: string, columns: readonly string[]) => `
UPDATE ${table} t SET ${columns.map((column) => `${column} = n.${column}`).join(', ')}, updated_at = now()
  FROM undo_plan p JOIN ${table} s ON s.id = p.record_id CROSS JOIN LATERAL jsonb_populate_record(s, p.back) n
 WHERE p.work = 'restore' AND p.record = '${record}' AND t.id = s.id`;

/** What the plan says, in an order in which no record is needed that is gone. */
export const CARRY_OUT = [
  remove('shipment', 'shipments'),
  remove('item', 'order_items'),
  remove('order', 'orders'),
  restore('order', 'orders', MERGED_ORDER_COLUMNS),
  restore('item', 'order_items', MERGED_ITEM_COLUMNS),
  restore('shipment', 'shipments', ['carrier_code']),
];

/** One row: how much of what. */
export const COUNT_PLAN = `
SELECT count(*) FILTER (WHERE work = 'remove' AND record = 'order')::int AS removed_orders,
       count(*) FILTER (WHERE work = 'remove' AND record = 'item')::int AS removed_items,
       count(*) FILTER (WHERE work = 'remove' AND record = 'shipment')::int AS removed_shipments,
       count(*) FILTER (WHERE work = 'restore')::int AS restored_records,
       count(*) FILTER (WHERE list = 'kept')::int AS kept,
       coalesce(sum(missing) FILTER (WHERE list = 'missing'), 0)::int AS missing FROM undo_plan`;

const ENTRY = `list, work, record, record_id::text, order_id::text, receipt_id, fields, reason, by_import::text, missing`;
const ORDERED = `ORDER BY order_id, record, record_id, work NULLS LAST`;

/** $1 list, $2 entries to pass over. One page. */
export const READ_PLAN = `
SELECT ${ENTRY} FROM undo_plan WHERE list = $1 ${ORDERED} LIMIT ${PAGE_SIZE} OFFSET $2`;

/** $1 most entries of each list. */
export const READ_PLAN_HEADS = `
SELECT ${ENTRY} FROM (
  SELECT *, row_number() OVER (PARTITION BY list ${ORDERED}) AS nth FROM undo_plan) numbered
 WHERE nth <= $1 ${ORDERED}`;
