/*
 * The undo of an import: it locks everything affected, makes a plan and carries it out. The preview makes the same plan and rolls
 * back. `at` is the time of everything that an undo writes, like that of an import (import.sql).
 */

/* @name lockImport */
SELECT outcome, row_history FROM imports WHERE shop_id = :shopId! AND id = :importId! FOR NO KEY UPDATE;

/* @name findAffectedTrackingNumbers */
SELECT DISTINCT tracking_number FROM shipments
 WHERE shop_id = :shopId! AND order_id IN (
         SELECT id FROM orders WHERE shop_id = :shopId! AND import_id = :importId!
          UNION SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!
          UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
          UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!);

/* @name readTrackingNumbers */
SELECT tracking_number, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "updated_at!"
  FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);

/* @name lockAffectedOrders */
SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "locked_at!",
       coalesce(array_agg(id), '{}') AS "order_ids!"
  FROM (SELECT id FROM orders
         WHERE shop_id = :shopId! AND id IN (
                 SELECT id FROM orders WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!)
         ORDER BY id FOR UPDATE) held;

/* @name findTouchedByUsers */
-- Which of the orders a user has changed. The audit log may be on another server of a cluster.
SELECT DISTINCT record_id FROM audit_log WHERE record_type = 'order' AND record_id = ANY(:orderIds!::text[]);

/* @name createPlan */
-- `list` is undone, kept or missing; `work` is remove or restore. `fields` are for display, `back` has the values to restore.
-- `missing` is the number of records that the entry represents.
CREATE TEMPORARY TABLE undo_plan (
  list text, work text, record text, record_id bigint, order_id bigint, receipt_id text,
  fields jsonb, back jsonb, reason text, by_import bigint, missing integer
) ON COMMIT DROP;

/* @name planCreatedOrders */
-- Orders that the import created are removed unless something has changed them since. Another import counts if it changed or
-- added something, a user if the audit log, a note or a shipment shows a change, a carrier if it moved the status. Undone imports
-- do not count: rows last written by an undo have its time. `numbers` are the affected tracking numbers with their last change,
-- whose rows may be on other servers of a cluster.
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH undone AS MATERIALIZED (
  SELECT id, undone_at FROM imports WHERE shop_id = :shopId! AND outcome = 'undone' AND undone_at IS NOT NULL
), number AS MATERIALIZED (
  SELECT tracking_number, updated_at
    FROM json_to_recordset(:numbers!::json) AS j(tracking_number text, updated_at timestamptz)
), made AS MATERIALIZED (
  SELECT id, receipt_id, created_at, updated_at FROM orders WHERE shop_id = :shopId! AND import_id = :importId!
), touch AS (
  SELECT c.order_id, 1 AS rank, 'import' AS reason, c.import_id AS by_import
    FROM import_changes c
   WHERE c.shop_id = :shopId! AND c.order_id IN (SELECT id FROM made) AND c.import_id <> :importId! AND c.import_id NOT IN (SELECT id FROM undone)
  UNION ALL SELECT i.order_id, 1, 'import', i.import_id
    FROM order_items i
   WHERE i.shop_id = :shopId! AND i.order_id IN (SELECT id FROM made) AND i.import_id <> :importId!
  UNION ALL SELECT s.order_id, CASE WHEN s.import_id IS NULL THEN 2 ELSE 1 END,
                   CASE WHEN s.import_id IS NULL THEN 'user' ELSE 'import' END, s.import_id
    FROM shipments s
   WHERE s.shop_id = :shopId! AND s.order_id IN (SELECT id FROM made) AND s.import_id IS DISTINCT FROM :importId!
  UNION ALL SELECT n.order_id, 2, 'user', NULL FROM order_notes n
             WHERE n.shop_id = :shopId! AND n.order_id IN (SELECT id FROM made)
  UNION ALL SELECT m.id, 2, 'user', NULL FROM made m
              JOIN audit_log a ON a.record_type = 'order' AND a.record_id = m.id::text
  UNION ALL SELECT m.id, 3, 'tracking', NULL FROM made m
              JOIN shipments s ON s.shop_id = :shopId! AND s.order_id = m.id
              JOIN number t ON t.tracking_number = s.tracking_number
             WHERE m.updated_at > m.created_at AND t.updated_at > m.created_at
  UNION ALL SELECT m.id, 4, 'changed', NULL FROM made m
             WHERE m.updated_at > m.created_at AND m.updated_at NOT IN (SELECT undone_at FROM undone)
  UNION ALL SELECT i.order_id, 4, 'changed', NULL FROM order_items i
             WHERE i.shop_id = :shopId! AND i.import_id = :importId! AND i.order_id IN (SELECT id FROM made)
               AND i.updated_at > i.created_at AND i.updated_at NOT IN (SELECT undone_at FROM undone)
  UNION ALL SELECT id, 9, NULL, NULL FROM made
), first_touch AS (
  SELECT DISTINCT ON (order_id) order_id, reason, by_import FROM touch ORDER BY order_id, rank, by_import DESC NULLS LAST
)
SELECT CASE WHEN t.reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN t.reason IS NULL THEN 'remove' END,
       'order', m.id, m.id, m.receipt_id, t.reason, t.by_import
  FROM first_touch t JOIN made m ON m.id = t.order_id;

/* @name planAddedRecords */
-- Items and shipments that the import added to orders that existed before.
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, reason, by_import)
WITH undone AS MATERIALIZED (
  SELECT id, undone_at FROM imports WHERE shop_id = :shopId! AND outcome = 'undone' AND undone_at IS NOT NULL
), added AS MATERIALIZED (
  SELECT 'item' AS record, r.id, r.order_id, r.created_at, r.updated_at FROM order_items r
    JOIN orders o ON o.shop_id = r.shop_id AND o.id = r.order_id AND o.import_id IS DISTINCT FROM :importId!
   WHERE r.shop_id = :shopId! AND r.import_id = :importId!
  UNION ALL
  SELECT 'shipment' AS record, r.id, r.order_id, r.created_at, r.updated_at FROM shipments r
    JOIN orders o ON o.shop_id = r.shop_id AND o.id = r.order_id AND o.import_id IS DISTINCT FROM :importId!
   WHERE r.shop_id = :shopId! AND r.import_id = :importId!
), touched AS (
  SELECT a.*, (SELECT max(c.import_id) FROM import_changes c
                WHERE c.shop_id = :shopId! AND c.order_id = a.order_id AND c.record::text = a.record AND c.record_id = a.id
                  AND c.import_id <> :importId! AND c.import_id NOT IN (SELECT id FROM undone)) AS by_import
    FROM added a
), judged AS (
  SELECT *, CASE WHEN by_import IS NOT NULL THEN 'import'
                 WHEN a.updated_at > a.created_at AND a.updated_at NOT IN (SELECT undone_at FROM undone)
                 THEN 'changed' END AS reason
    FROM touched a
)
SELECT CASE WHEN reason IS NULL THEN 'undone' ELSE 'kept' END, CASE WHEN reason IS NULL THEN 'remove' END,
       record, j.id, order_id, o.receipt_id, reason, by_import
  FROM judged j JOIN orders o ON o.shop_id = :shopId! AND o.id = j.order_id;

/* @name planChangedFields */
-- Fields that the import changed are restored if they still have the value that it wrote, and no later import that is not undone
-- has written them: it may have written that value again. An item's transaction_id stays if such an import has changed or added
-- anything of the order, because it may have found the item by it, and would not find it again. The tracking status follows from the shipments, and a country's code from
-- its name: planCountries lists it. The order's status is restored but not listed, because it may move on from there: planStatuses lists it. The record as
-- it is now, as the import left it and as it was before are all formatted by this session, so that they can be compared. A field
-- with another value was written by a later import, a user, or something unknown.
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, fields, back, reason, by_import)
WITH undone AS MATERIALIZED (
  SELECT id FROM imports WHERE shop_id = :shopId! AND outcome = 'undone'
), field AS MATERIALIZED (
  SELECT c.record, c.record_id, c.order_id, k.name,
         (array_agg(c.before -> k.name ORDER BY c.id))[1] AS before,
         (array_agg(c.after -> k.name ORDER BY c.id DESC))[1] AS after
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.import_id = :importId! GROUP BY 1, 2, 3, 4
), wrote AS MATERIALIZED (
  SELECT record, record_id, order_id, jsonb_object_agg(name, before) AS before, jsonb_object_agg(name, after) AS after
    FROM field WHERE name NOT IN ('tracking_status', 'country_code') GROUP BY 1, 2, 3
), later AS MATERIALIZED (
  SELECT c.record, c.record_id, k.name, max(c.import_id) AS by_import
    FROM import_changes c CROSS JOIN LATERAL jsonb_object_keys(c.after) k(name)
   WHERE c.shop_id = :shopId! AND c.order_id = ANY(ARRAY(SELECT order_id FROM wrote))
     AND c.import_id > :importId! AND c.import_id NOT IN (SELECT id FROM undone)
   GROUP BY 1, 2, 3
), identified AS MATERIALIZED (
  SELECT DISTINCT order_id FROM field WHERE record = 'item' AND name = 'transaction_id'
), later_on_order AS MATERIALIZED (
  SELECT order_id, max(import_id) AS by_import
    FROM (SELECT order_id, import_id FROM import_changes
           WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identified))
           UNION ALL SELECT order_id, import_id FROM order_items
                      WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identified))
           UNION ALL SELECT order_id, import_id FROM shipments
                      WHERE shop_id = :shopId! AND order_id = ANY(ARRAY(SELECT order_id FROM identified))) written
   WHERE import_id > :importId! AND import_id NOT IN (SELECT id FROM undone)
   GROUP BY 1
), state AS MATERIALIZED (
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present,
         to_jsonb(jsonb_populate_record(t, w.after)) AS left_as, to_jsonb(jsonb_populate_record(t, w.before)) AS was
    FROM wrote w JOIN orders t ON t.shop_id = :shopId! AND t.id = w.record_id WHERE w.record = 'order'
  UNION ALL
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present,
         to_jsonb(jsonb_populate_record(t, w.after)) AS left_as, to_jsonb(jsonb_populate_record(t, w.before)) AS was
    FROM wrote w JOIN order_items t ON t.shop_id = :shopId! AND t.id = w.record_id WHERE w.record = 'item'
  UNION ALL
  SELECT w.record, w.record_id, w.order_id, w.after, to_jsonb(t) AS present,
         to_jsonb(jsonb_populate_record(t, w.after)) AS left_as, to_jsonb(jsonb_populate_record(t, w.before)) AS was
    FROM wrote w JOIN shipments t ON t.shop_id = :shopId! AND t.id = w.record_id WHERE w.record = 'shipment'
), found AS MATERIALIZED (
  SELECT s.record, s.record_id, s.order_id, k.name, s.present -> k.name AS present, s.was -> k.name AS was,
         s.left_as -> k.name AS left_as,
         s.present -> k.name IS NOT DISTINCT FROM s.left_as -> k.name AS same, s.present -> 'country_code' AS country_code
    FROM state s CROSS JOIN LATERAL jsonb_object_keys(s.after) k(name)
), judged AS MATERIALIZED (
  SELECT f.*, f.same AND f.by_import IS NULL AS restored, f.order_id = ANY(:touchedByUsers!::bigint[]) AS by_user
    FROM (SELECT f.*, coalesce(l.by_import, o.by_import) AS by_import
            FROM found f
            LEFT JOIN later l ON l.record = f.record AND l.record_id = f.record_id AND l.name = f.name
            LEFT JOIN later_on_order o ON f.record = 'item' AND f.name = 'transaction_id' AND o.order_id = f.order_id) f
   WHERE f.same AND f.by_import IS NULL OR f.present IS DISTINCT FROM f.was AND f.name <> 'status'
)
SELECT CASE WHEN restored THEN 'undone' ELSE 'kept' END, CASE WHEN restored THEN 'restore' END,
       j.record::text, j.record_id, j.order_id, o.receipt_id,
       jsonb_agg(jsonb_build_object('name', j.name, 'before', j.was, 'after', j.left_as, 'present', j.present) ORDER BY j.name)
         FILTER (WHERE j.name <> 'status'),
       jsonb_object_agg(j.name, j.was)
         || CASE WHEN bool_or(j.name = 'country_name') THEN jsonb_build_object('country_code', min(j.country_code #>> '{}'))
                 ELSE '{}' END,
       CASE WHEN restored THEN NULL WHEN max(j.by_import) IS NOT NULL THEN 'import' WHEN bool_or(j.by_user) THEN 'user'
            ELSE 'changed' END,
       max(j.by_import)
  FROM judged j JOIN orders o ON o.shop_id = :shopId! AND o.id = j.order_id
 GROUP BY j.record, j.record_id, j.order_id, o.receipt_id, restored;

/* @name planMissing */
-- Records that the import changed or created and that no longer exist. For created orders, only their number is known.
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
SELECT 'missing', 'order', NULL, NULL, NULL, m.new_orders - made.count
  FROM imports m
 CROSS JOIN (SELECT count(*)::int AS count FROM orders WHERE shop_id = :shopId! AND import_id = :importId!) made
 WHERE m.shop_id = :shopId! AND m.id = :importId! AND m.new_orders > made.count;

/* @name analyzePlan */
-- Without statistics, PostgreSQL expects a few entries and joins tens of thousands by nested loops.
ANALYZE undo_plan;

/* @name listRestoredCountries */
-- The country names that orders get back.
SELECT DISTINCT back->>'country_name' AS country_name FROM undo_plan
 WHERE work = 'restore' AND record = 'order' AND jsonb_exists(back, 'country_name');

/* @name planCountries */
-- Lists the codes that follow from the restored country names. The present ones are in `back`.
WITH found AS MATERIALIZED (
  SELECT country_name, country_code FROM json_to_recordset(:countries!::json) AS j(country_name text, country_code text)
)
UPDATE undo_plan p
   SET back = p.back || jsonb_build_object('country_code', f.country_code),
       fields = (SELECT jsonb_agg(field ORDER BY field->>'name')
                   FROM jsonb_array_elements(p.fields || jsonb_build_object(
                          'name', 'country_code', 'before', f.country_code,
                          'after', p.back -> 'country_code', 'present', p.back -> 'country_code')) AS field)
  FROM found f
 WHERE p.work = 'restore' AND p.record = 'order' AND jsonb_exists(p.back, 'country_name')
   AND coalesce(f.country_name, '') = coalesce(p.back->>'country_name', '')
   AND f.country_code IS DISTINCT FROM p.back->>'country_code';

/* @name listMovingOrders */
-- The orders that lose something that their status follows from, with their present status.
SELECT id::text AS "order_id!", status::text AS "status!" FROM orders
 WHERE shop_id = :shopId! AND id IN (
         SELECT order_id FROM undo_plan
          WHERE work = 'remove' AND record = 'shipment'
             OR work = 'restore' AND record = 'order'
                AND jsonb_exists_any(back, '{status,sale_date,shipped_indicator}'));

/* @name planStatuses */
-- Lists the statuses that the undo changes. `moved` has each with the present status and the one that replaces it.
WITH moved AS MATERIALIZED (
  SELECT order_id,
         jsonb_build_array(jsonb_build_object('name', 'status', 'before', "to", 'after', "from", 'present', "from")) AS fields
    FROM json_to_recordset(:moved!::json) AS j(order_id bigint, "from" text, "to" text)
), listed AS (
  UPDATE undo_plan p SET fields = coalesce(p.fields, '[]') || m.fields FROM moved m
   WHERE p.work = 'restore' AND p.record = 'order' AND p.order_id = m.order_id
  RETURNING p.order_id
)
INSERT INTO undo_plan (list, work, record, record_id, order_id, receipt_id, fields)
SELECT DISTINCT 'undone', 'restore', 'order', m.order_id, m.order_id, p.receipt_id, m.fields
  FROM moved m JOIN undo_plan p ON p.order_id = m.order_id
 WHERE m.order_id NOT IN (SELECT order_id FROM listed);

/* @name dropUnchanged */
-- Removes the entry of an order if nothing but its status would change and the status stays the same.
DELETE FROM undo_plan WHERE work = 'restore' AND fields IS NULL;

/* @name countPlan */
SELECT count(*) FILTER (WHERE work = 'remove' AND record = 'order')::int AS "removed_orders!",
       count(*) FILTER (WHERE work = 'remove' AND record = 'item')::int AS "removed_items!",
       count(*) FILTER (WHERE work = 'remove' AND record = 'shipment')::int AS "removed_shipments!",
       count(*) FILTER (WHERE work = 'restore')::int AS "restored_records!",
       count(*) FILTER (WHERE list = 'kept')::int AS "kept!",
       coalesce(sum(missing) FILTER (WHERE list = 'missing'), 0)::int AS "missing!"
  FROM undo_plan;

/* @name readPlan */
-- A page of one list.
SELECT list AS "list!", work, record AS "record!", record_id::text, order_id::text, receipt_id, fields, reason,
       by_import::text, missing
  FROM undo_plan WHERE list = :list!
 ORDER BY undo_plan.order_id, record, undo_plan.record_id, work NULLS LAST LIMIT :limit! OFFSET :offset!;

/* @name readPlanStarts */
-- The first entries of each list.
SELECT list AS "list!", work, record AS "record!", record_id::text, order_id::text, receipt_id, fields, reason,
       by_import::text, missing
  FROM (SELECT *, row_number() OVER (PARTITION BY list ORDER BY order_id, record, record_id, work NULLS LAST) AS nth
          FROM undo_plan) numbered
 WHERE nth <= :most!
 ORDER BY numbered.order_id, record, numbered.record_id, work NULLS LAST;

/* @name markUndone */
UPDATE imports SET outcome = 'undone', undone_at = :at!, undone_by_user_id = :userId!
 WHERE shop_id = :shopId! AND id = :importId!;

/* @name findRemaining */
SELECT id FROM orders WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]);

/* @name removeShipments */
DELETE FROM shipments
 WHERE shop_id = :shopId! AND id IN (SELECT record_id FROM undo_plan WHERE work = 'remove' AND record = 'shipment');

/* @name removeItems */
DELETE FROM order_items
 WHERE shop_id = :shopId! AND id IN (SELECT record_id FROM undo_plan WHERE work = 'remove' AND record = 'item');

/* @name removeDocuments */
-- The search documents of the removed orders.
DELETE FROM order_search
 WHERE shop_id = :shopId! AND order_id IN (SELECT record_id FROM undo_plan WHERE work = 'remove' AND record = 'order');

/* @name removeOrders */
DELETE FROM orders
 WHERE shop_id = :shopId! AND id IN (SELECT record_id FROM undo_plan WHERE work = 'remove' AND record = 'order');

/* @name restoreOrders */
UPDATE orders t
   SET status = n.status, country_code = n.country_code, sold_on = n.sold_on, buyer = n.buyer, currency = n.currency,
       sale_date = n.sale_date, shipped_indicator = n.shipped_indicator, name = n.name, first_line = n.first_line,
       second_line = n.second_line, city = n.city, state = n.state, zip = n.zip, country_name = n.country_name,
       order_type = n.order_type, payment_method = n.payment_method, inperson_location = n.inperson_location,
       carrier_code = n.carrier_code, note = n.note, shipping_discount = n.shipping_discount,
       order_shipping = n.order_shipping, order_sales_tax = n.order_sales_tax,
       inperson_discount = n.inperson_discount, vat_paid_by_buyer = n.vat_paid_by_buyer, updated_at = :at!
  FROM undo_plan p JOIN orders s ON s.shop_id = :shopId! AND s.id = p.record_id
 CROSS JOIN LATERAL jsonb_populate_record(s, p.back) n
 WHERE p.work = 'restore' AND p.record = 'order' AND t.shop_id = :shopId! AND t.id = s.id;

/* @name restoreItems */
UPDATE order_items t
   SET title = n.title, quantity = n.quantity, price = n.price, coupon_code = n.coupon_code,
       coupon_details = n.coupon_details, discount_amount = n.discount_amount, item_total = n.item_total,
       transaction_id = n.transaction_id, listing_id = n.listing_id, variations = n.variations,
       listing_type = n.listing_type, sku = n.sku, extra = n.extra, updated_at = :at!
  FROM undo_plan p JOIN order_items s ON s.shop_id = :shopId! AND s.id = p.record_id
 CROSS JOIN LATERAL jsonb_populate_record(s, p.back) n
 WHERE p.work = 'restore' AND p.record = 'item' AND t.shop_id = :shopId! AND t.id = s.id;

/* @name restoreShipments */
UPDATE shipments t
   SET carrier_code = n.carrier_code, updated_at = :at!
  FROM undo_plan p JOIN shipments s ON s.shop_id = :shopId! AND s.id = p.record_id
 CROSS JOIN LATERAL jsonb_populate_record(s, p.back) n
 WHERE p.work = 'restore' AND p.record = 'shipment' AND t.shop_id = :shopId! AND t.id = s.id;
