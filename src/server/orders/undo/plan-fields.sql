/*
 * The fields that an undo restores, and what follows from them: the country's code and the order's status.
 */

/* @name planChangedFields */
-- An import stands if it is not undone. A field that this import changed is restored if it still has the value that this import
-- wrote, unless a later standing import has written it, perhaps with the same value. A restored field gets the value that the last
-- standing import before this one left: the value before the first undone import since then (`origin`). Undone imports are not
-- considered if their row history has been deleted, nor for shipments that a user may have changed in between.
--
-- An item's transaction_id stays if a later standing import has changed or added anything in the order: that import may have found
-- the item by this id, and would not find it again. If the undo of an earlier import left an id because of this import, the id is
-- restored now.
--
-- The tracking status follows from the shipments, and a country's code from its name: planCountries lists the code. The order's
-- status is restored but not listed, because it may move on from there: planStatuses lists it. All three forms of a record, as it
-- is now, as the import left it and as it was before, are formatted by the same session, so that they can be compared. A field that
-- no longer has the value that the import left was written by a later import, a user, or something unknown.
--
-- Runs without nested loops, because PostgreSQL expects one row where there are tens of thousands. Stored rows are reached by
-- arrays of their keys, so that an index finds them (import/planner.sql, import/import.sql).
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, fields, old_values, reason, by_import)
WITH undone_import AS MATERIALIZED (
  SELECT id, row_history FROM imports WHERE shop_id = :shopId! AND outcome = 'undone'
), own_change AS MATERIALIZED (
  SELECT c.record, c.record_id, c.order_id, k.name,
         (array_agg(c.before -> k.name ORDER BY c.id))[1] AS before,
         (array_agg(c.after -> k.name ORDER BY c.id DESC))[1] AS after
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.import_id = :importId! AND k.name NOT IN ('tracking_status', 'country_code')
   GROUP BY 1, 2, 3, 4
), undone_change AS MATERIALIZED (
  SELECT c.id, c.import_id, c.record, c.record_id, c.order_id, k.name, c.before -> k.name AS before, c.after -> k.name AS after
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.import_id IN (SELECT id FROM undone_import WHERE id < :importId! AND row_history = 'kept')
     AND c.order_id = ANY(ARRAY(
           SELECT order_id
             FROM (SELECT order_id FROM own_change
                    UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
                    UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!) affected_order
            WHERE EXISTS (SELECT FROM undone_import WHERE id < :importId! AND row_history = 'kept')))
     AND k.name NOT IN ('status', 'tracking_status', 'country_code')
     AND (c.record <> 'shipment' OR c.order_id <> ALL(:orderIdsChangedByUsers!::bigint[]))
), last_standing_change AS MATERIALIZED (
  SELECT c.record, c.record_id, k.name, max(c.import_id) AS import_id
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.order_id = ANY(ARRAY(SELECT order_id FROM undone_change))
     AND c.import_id < :importId! AND c.import_id NOT IN (SELECT id FROM undone_import)
   GROUP BY 1, 2, 3
), origin AS MATERIALIZED (
  SELECT e.record, e.record_id, e.order_id, e.name, max(e.import_id) AS import_id,
         (array_agg(e.before ORDER BY e.id))[1] AS before, (array_agg(e.after ORDER BY e.id DESC))[1] AS after
    FROM undone_change e LEFT JOIN last_standing_change s ON s.record = e.record AND s.record_id = e.record_id AND s.name = e.name
   WHERE e.import_id > coalesce(s.import_id, 0)
   GROUP BY 1, 2, 3, 4
), field AS MATERIALIZED (
  SELECT w.record, w.record_id, w.order_id, w.name, coalesce(o.before, w.before) AS before, w.after, true AS is_own,
         :importId!::bigint AS import_id
    FROM own_change w LEFT JOIN origin o ON o.record = w.record AND o.record_id = w.record_id AND o.name = w.name
  UNION ALL
  SELECT record, record_id, order_id, name, before, after, false, import_id
    FROM origin
   WHERE record = 'item' AND name = 'transaction_id'
     AND record_id NOT IN (SELECT record_id FROM own_change WHERE record = 'item' AND name = 'transaction_id')
), identifier AS MATERIALIZED (
  SELECT record_id, order_id, import_id, is_own FROM field WHERE record = 'item' AND name = 'transaction_id'
), record_change AS MATERIALIZED (
  SELECT record, record_id, order_id, jsonb_object_agg(name, before) AS before, jsonb_object_agg(name, after) AS after
    FROM field
   WHERE order_id NOT IN (SELECT p.record_id FROM undo_plan p WHERE p.work = 'remove' AND p.record = 'order')
     AND (record::text, record_id) NOT IN (SELECT p.record, p.record_id FROM undo_plan p WHERE p.work = 'remove')
   GROUP BY 1, 2, 3
), later_change AS MATERIALIZED (
  SELECT c.record, c.record_id, k.name, max(c.import_id) AS by_import
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.order_id = ANY(ARRAY(SELECT order_id FROM record_change))
     AND c.import_id > :importId! AND c.import_id NOT IN (SELECT id FROM undone_import)
   GROUP BY 1, 2, 3
), later_order_change AS MATERIALIZED (
  SELECT order_id, max(import_id) AS by_import
    FROM (SELECT order_id, import_id FROM import_changes
           WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identifier))
           UNION ALL SELECT order_id, import_id FROM order_items
                      WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identifier))
           UNION ALL SELECT order_id, import_id FROM shipments
                      WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identifier))) written_record
   WHERE import_id <> :importId! AND import_id NOT IN (SELECT id FROM undone_import)
   GROUP BY 1
), checked_identifier AS MATERIALIZED (
  SELECT i.record_id, i.is_own, CASE WHEN l.by_import > i.import_id THEN l.by_import END AS by_import
    FROM identifier i LEFT JOIN later_order_change l ON l.order_id = i.order_id
), record_state AS MATERIALIZED (
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present_record,
         to_jsonb(jsonb_populate_record(t, w.after)) AS imported_record, to_jsonb(jsonb_populate_record(t, w.before)) AS old_record
    FROM record_change w JOIN orders t ON t.shop_id = :shopId! AND t.id = w.record_id
     AND t.id = ANY(ARRAY(SELECT record_id FROM record_change WHERE record = 'order'))
   WHERE w.record = 'order'
  UNION ALL
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present_record,
         to_jsonb(jsonb_populate_record(t, w.after)) AS imported_record, to_jsonb(jsonb_populate_record(t, w.before)) AS old_record
    FROM record_change w JOIN order_items t ON t.shop_id = :shopId! AND t.id = w.record_id
     AND t.id = ANY(ARRAY(SELECT record_id FROM record_change WHERE record = 'item'))
   WHERE w.record = 'item'
  UNION ALL
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present_record,
         to_jsonb(jsonb_populate_record(t, w.after)) AS imported_record, to_jsonb(jsonb_populate_record(t, w.before)) AS old_record
    FROM record_change w JOIN shipments t ON t.shop_id = :shopId! AND t.id = w.record_id
     AND t.id = ANY(ARRAY(SELECT record_id FROM record_change WHERE record = 'shipment'))
   WHERE w.record = 'shipment'
), compared_field AS MATERIALIZED (
  SELECT s.record, s.record_id, s.order_id, k.name, s.present_record -> k.name AS present_value,
         s.old_record -> k.name AS old_value, s.imported_record -> k.name AS imported_value,
         s.present_record -> k.name IS NOT DISTINCT FROM s.imported_record -> k.name AS is_unchanged,
         s.present_record -> 'country_code' AS country_code
    FROM record_state s CROSS JOIN LATERAL jsonb_object_keys(s.after) k(name)
), classified_field AS MATERIALIZED (
  SELECT f.*, f.is_unchanged AND f.by_import IS NULL AS is_restored, f.order_id = ANY(:orderIdsChangedByUsers!::bigint[]) AS is_order_changed_by_user
    FROM (SELECT f.*, coalesce(l.by_import, i.by_import) AS by_import, coalesce(i.is_own, true) AS is_own
            FROM compared_field f
            LEFT JOIN later_change l ON l.record = f.record AND l.record_id = f.record_id AND l.name = f.name
            LEFT JOIN checked_identifier i ON f.record = 'item' AND f.name = 'transaction_id' AND i.record_id = f.record_id) f
   WHERE f.is_unchanged AND f.by_import IS NULL OR f.is_own AND f.present_value IS DISTINCT FROM f.old_value AND f.name <> 'status'
)
SELECT CASE WHEN is_restored THEN 'undone' ELSE 'kept' END, CASE WHEN is_restored THEN 'restore' END,
       c.record::text, c.record_id, c.order_id, o.receipt_id,
       jsonb_agg(jsonb_build_object('name', c.name, 'before', c.old_value, 'after', c.imported_value, 'present', c.present_value)
                 ORDER BY c.name)
         FILTER (WHERE c.name <> 'status'),
       jsonb_object_agg(c.name, c.old_value)
         || CASE WHEN bool_or(c.name = 'country_name') THEN jsonb_build_object('country_code', min(c.country_code #>> '{}'))
                 ELSE '{}' END,
       CASE WHEN is_restored THEN NULL WHEN max(c.by_import) IS NOT NULL THEN 'import' WHEN bool_or(c.is_order_changed_by_user) THEN 'user'
            ELSE 'changed' END,
       max(c.by_import)
  FROM classified_field c
  JOIN orders o ON o.shop_id = :shopId! AND o.id = c.order_id AND o.id = ANY(ARRAY(SELECT order_id FROM classified_field))
 GROUP BY c.record, c.record_id, c.order_id, o.receipt_id, is_restored;

/* @name listRestoredCountries */
-- The country names that orders get back.
SELECT DISTINCT old_values->>'country_name' AS country_name FROM undo_plan
 WHERE work = 'restore' AND record = 'order' AND jsonb_exists(old_values, 'country_name');

/* @name planCountries */
-- Adds to the plan the country codes that follow from the restored country names. Until then, `old_values` has the current codes.
WITH country AS MATERIALIZED (
  SELECT country_name, country_code FROM json_to_recordset(:countries!::json) AS j(country_name text, country_code text)
)
UPDATE undo_plan p
   SET old_values = p.old_values || jsonb_build_object('country_code', c.country_code),
       fields = (SELECT jsonb_agg(field ORDER BY field->>'name')
                   FROM jsonb_array_elements(p.fields || jsonb_build_object(
                          'name', 'country_code', 'before', c.country_code,
                          'after', p.old_values -> 'country_code', 'present', p.old_values -> 'country_code')) AS field)
  FROM country c
 WHERE p.work = 'restore' AND p.record = 'order' AND jsonb_exists(p.old_values, 'country_name')
   AND coalesce(c.country_name, '') = coalesce(p.old_values->>'country_name', '')
   AND c.country_code IS DISTINCT FROM p.old_values->>'country_code';

/* @name listOrdersToRecompute */
-- The orders whose status must be recomputed, with their current statuses: the undo removes a shipment of theirs or restores a
-- field that the status depends on.
SELECT id::text AS "order_id!", status::text AS "status!" FROM orders
 WHERE shop_id = :shopId! AND id IN (
         SELECT order_id FROM undo_plan
          WHERE work = 'remove' AND record = 'shipment'
             OR work = 'restore' AND record = 'order'
                AND jsonb_exists_any(old_values, '{status,sale_date,shipped_indicator}'));

/* @name planStatuses */
-- Adds the status changes of the undo to the plan. `statusChanges` has the orders with their current and new statuses.
WITH status_change AS MATERIALIZED (
  SELECT order_id,
         jsonb_build_array(jsonb_build_object('name', 'status', 'before', "to", 'after', "from", 'present', "from")) AS fields
    FROM json_to_recordset(:statusChanges!::json) AS j(order_id bigint, "from" text, "to" text)
), extended_entry AS (
  UPDATE undo_plan p SET fields = coalesce(p.fields, '[]') || m.fields FROM status_change m
   WHERE p.work = 'restore' AND p.record = 'order' AND p.order_id = m.order_id
  RETURNING p.order_id
)
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, fields)
SELECT DISTINCT 'undone', 'restore', 'order', m.order_id, m.order_id, p.receipt_id, m.fields
  FROM status_change m JOIN undo_plan p ON p.order_id = m.order_id
 WHERE m.order_id NOT IN (SELECT order_id FROM extended_entry);

/* @name removeUnchangedOrders */
-- Removes the entry of an order if nothing but its status would change and the status stays the same.
DELETE FROM undo_plan WHERE work = 'restore' AND fields IS NULL;
