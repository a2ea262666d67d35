/*
 * The plan of an undo: which records it removes, restores or keeps, and which no longer exist. The preview makes the same plan as
 * the undo and rolls back.
 */

/* @name createPlan */
-- `list` is undone, kept or missing; `work` is remove or restore, or null for a record that stays as it is or no longer exists.
-- `fields` are for display, `old_values` are restored. `missing` is the number of missing records that the entry stands for. The
-- lists are sorted by `sort_key`, which differs for all entries of a list: an order that is kept can have two entries, one for the
-- order and one for its fields.
CREATE TEMPORARY TABLE undo_plan (
  list text, work text, record text, record_id bigint, order_id bigint, receipt_id text,
  fields jsonb, old_values jsonb, reason text, by_import bigint, missing integer,
  sort_key text COLLATE "C" GENERATED ALWAYS AS (
    coalesce(lpad(order_id::text, 19, '0'), 'none') || ' ' || record || ' ' || coalesce(lpad(record_id::text, 19, '0'), 'none')
      || ' ' || coalesce(work, 'none') || ' ' || CASE WHEN fields IS NULL THEN 'record' ELSE 'fields' END) STORED
) ON COMMIT DROP;

/* @name planCreatedOrders */
-- Orders that the import created are removed unless something has changed them since: another import that changed or added
-- something; a user, if the audit log, a note or a shipment shows a change; a carrier, if both the order and one of its tracking
-- numbers were updated; or anything else that updated the order or its items. Undone imports do not count, nor do updates at the
-- time of their undos or of this import (`ignored_time`).
--
-- An order that an undone import created, and that its undo had to keep because of this import, is now removed as well; it is not
-- listed if something else still keeps it. If the row history of that import has been deleted, what has changed the order since may
-- be unknown, so the order stays. `numbers` has the affected tracking numbers, the times of their last changes and whether anything
-- has been reported for them; the rows of tracking_numbers may be on other servers of a cluster.
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH undone_import AS MATERIALIZED (
  SELECT id, undone_at, row_history FROM imports
   WHERE shop_id = :shopId! AND outcome = 'undone' AND undone_at IS NOT NULL
), ignored_time AS MATERIALIZED (
  SELECT undone_at AS at FROM undone_import
  UNION ALL SELECT created_at FROM imports WHERE shop_id = :shopId! AND id = :importId!
), number AS MATERIALIZED (
  SELECT tracking_number, updated_at, is_reported
    FROM json_to_recordset(:numbers!::json) AS j(tracking_number text, updated_at timestamptz, is_reported boolean)
), created_order AS MATERIALIZED (
  SELECT id, receipt_id, created_at, updated_at, true AS is_own FROM orders WHERE shop_id = :shopId! AND import_id = :importId!
  UNION ALL
  SELECT id, receipt_id, created_at, updated_at, false FROM orders
   WHERE shop_id = :shopId! AND id IN (
           SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!
            UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
            UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!)
     AND import_id IN (SELECT id FROM undone_import WHERE row_history = 'kept')
), keep_reason AS (
  SELECT c.order_id, 1 AS rank, 'import' AS reason, c.import_id AS by_import
    FROM import_changes c
   WHERE c.shop_id = :shopId! AND c.order_id IN (SELECT id FROM created_order)
     AND c.import_id <> :importId! AND c.import_id NOT IN (SELECT id FROM undone_import)
  UNION ALL SELECT i.order_id, 1, 'import', i.import_id
    FROM order_items i
   WHERE i.shop_id = :shopId! AND i.order_id IN (SELECT id FROM created_order)
     AND i.import_id <> :importId! AND i.import_id NOT IN (SELECT id FROM undone_import)
  UNION ALL SELECT s.order_id, CASE WHEN s.import_id IS NULL THEN 2 ELSE 1 END,
                   CASE WHEN s.import_id IS NULL THEN 'user' ELSE 'import' END, s.import_id
    FROM shipments s
   WHERE s.shop_id = :shopId! AND s.order_id IN (SELECT id FROM created_order) AND s.import_id IS DISTINCT FROM :importId!
     AND (s.import_id IS NULL OR s.import_id NOT IN (SELECT id FROM undone_import))
  UNION ALL SELECT n.order_id, 2, 'user', NULL FROM order_notes n
             WHERE n.shop_id = :shopId! AND n.order_id IN (SELECT id FROM created_order)
  UNION ALL SELECT m.id, 2, 'user', NULL FROM created_order m
              JOIN audit_log a ON a.record_type = 'order' AND a.record_id = m.id::text
  UNION ALL SELECT m.id, 3, 'tracking', NULL FROM created_order m
              JOIN shipments s ON s.shop_id = :shopId! AND s.order_id = m.id
              JOIN number t ON t.tracking_number = s.tracking_number
             WHERE m.updated_at > m.created_at AND t.updated_at > m.created_at AND (m.is_own OR t.is_reported)
  UNION ALL SELECT m.id, 4, 'changed', NULL FROM created_order m
             WHERE m.updated_at > m.created_at AND m.updated_at NOT IN (SELECT at FROM ignored_time)
  UNION ALL SELECT i.order_id, 4, 'changed', NULL FROM order_items i
             WHERE i.shop_id = :shopId! AND i.order_id IN (SELECT id FROM created_order)
               AND i.updated_at > i.created_at AND i.updated_at NOT IN (SELECT at FROM ignored_time)
  UNION ALL SELECT id, 9, NULL, NULL FROM created_order
), strongest_keep_reason AS (
  SELECT DISTINCT ON (order_id) order_id, reason, by_import FROM keep_reason ORDER BY order_id, rank, by_import DESC NULLS LAST
)
SELECT CASE WHEN k.reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN k.reason IS NULL THEN 'remove' END,
       'order', m.id, m.id, m.receipt_id, k.reason, k.by_import
  FROM strongest_keep_reason k JOIN created_order m ON m.id = k.order_id
 WHERE k.reason IS NULL OR m.is_own;

/* @name planAddedRecords */
-- Items and shipments that the import added to orders that existed before, and those that an undone import had added and that its
-- undo had to keep because of this import. Each is removed unless it has been changed since: by another import that is not undone,
-- or by anything else that updated it (`ignored_time` as for orders).
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH undone_import AS MATERIALIZED (
  SELECT id, undone_at, row_history FROM imports
   WHERE shop_id = :shopId! AND outcome = 'undone' AND undone_at IS NOT NULL
), ignored_time AS MATERIALIZED (
  SELECT undone_at AS at FROM undone_import
  UNION ALL SELECT created_at FROM imports WHERE shop_id = :shopId! AND id = :importId!
), record AS (
  SELECT 'item' AS record, r.id, r.order_id, r.import_id, r.created_at, r.updated_at FROM order_items r
   WHERE r.shop_id = :shopId! AND r.import_id = :importId!
  UNION ALL
  SELECT 'item', r.id, r.order_id, r.import_id, r.created_at, r.updated_at FROM order_items r
   WHERE r.shop_id = :shopId! AND r.id IN (
           SELECT record_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId! AND record = 'item')
     AND r.import_id IN (SELECT id FROM undone_import WHERE row_history = 'kept')
  UNION ALL
  SELECT 'shipment', r.id, r.order_id, r.import_id, r.created_at, r.updated_at FROM shipments r
   WHERE r.shop_id = :shopId! AND r.import_id = :importId!
  UNION ALL
  SELECT 'shipment', r.id, r.order_id, r.import_id, r.created_at, r.updated_at FROM shipments r
   WHERE r.shop_id = :shopId! AND r.id IN (
           SELECT record_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId! AND record = 'shipment')
     AND r.import_id IN (SELECT id FROM undone_import WHERE row_history = 'kept')
), added_record AS MATERIALIZED (
  SELECT r.*, o.receipt_id, r.import_id = :importId! AS is_own FROM record r
    JOIN orders o ON o.shop_id = :shopId! AND o.id = r.order_id AND o.import_id IS DISTINCT FROM r.import_id
   WHERE r.order_id NOT IN (SELECT p.record_id FROM undo_plan p WHERE p.work = 'remove')
), checked_record AS (
  SELECT a.*, (SELECT max(c.import_id) FROM import_changes c
                WHERE c.shop_id = :shopId! AND c.order_id = a.order_id AND c.record::text = a.record AND c.record_id = a.id
                  AND c.import_id <> :importId! AND c.import_id NOT IN (SELECT id FROM undone_import)) AS by_import
    FROM added_record a
), classified_record AS (
  SELECT *, CASE WHEN by_import IS NOT NULL THEN 'import'
                 WHEN updated_at > created_at AND updated_at NOT IN (SELECT at FROM ignored_time) THEN 'changed' END AS reason
    FROM checked_record
)
SELECT CASE WHEN reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN reason IS NULL THEN 'remove' END,
       record, id, order_id, receipt_id, reason, by_import
  FROM classified_record WHERE reason IS NULL OR is_own;

/* @name planMissing */
-- Records that the import added or changed, if they no longer exist. Of missing orders that it created, only the count is known. Of
-- the shipments that it added, `removedShipments` has those that users have removed; the order may have such a tracking number
-- again. The items that it added exist as long as their orders.
INSERT INTO undo_plan (list, record, record_id, order_id, receipt_id, missing)
SELECT 'missing', c.record::text, c.record_id, c.order_id, o.receipt_id, 1
  FROM (SELECT DISTINCT record, record_id, order_id FROM import_changes
         WHERE shop_id = :shopId! AND import_id = :importId!) c
  LEFT JOIN orders o ON o.shop_id = :shopId! AND o.id = c.order_id
 WHERE CASE c.record
         WHEN 'order' THEN o.id IS NULL
         WHEN 'item' THEN c.record_id NOT IN (
           SELECT id FROM order_items WHERE shop_id = :shopId! AND order_id = c.order_id)
         ELSE c.record_id NOT IN (SELECT id FROM shipments WHERE shop_id = :shopId! AND order_id = c.order_id) END
UNION ALL
SELECT 'missing', 'order', NULL, NULL, NULL, m.new_orders - remaining_orders.count
  FROM imports m
 CROSS JOIN (SELECT count(*)::int AS count FROM orders WHERE shop_id = :shopId! AND import_id = :importId!) remaining_orders
 WHERE m.shop_id = :shopId! AND m.id = :importId! AND m.new_orders > remaining_orders.count
UNION ALL
SELECT 'missing', 'shipment', NULL, o.id, o.receipt_id, count(*)
  FROM json_to_recordset(:removedShipments!::json) AS r(order_id bigint, tracking_number text)
  JOIN orders o ON o.shop_id = :shopId! AND o.id = r.order_id
 WHERE r.tracking_number NOT IN (SELECT tracking_number FROM shipments WHERE shop_id = :shopId! AND order_id = o.id)
 GROUP BY o.id, o.receipt_id;

/* @name analyzePlan */
-- Without statistics, PostgreSQL expects a few entries and joins tens of thousands by nested loops.
ANALYZE undo_plan;
