/*
 * The undo of an import: it locks everything affected, makes a plan and carries it out. The preview makes the same plan and rolls
 * back. `at` is the timestamp of the records that an undo changes, as in an import (import.sql).
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
SELECT tracking_number, iso_instant(updated_at) AS "updated_at!",
       status_at IS NOT NULL AS "is_reported!"
  FROM tracking_numbers WHERE tracking_number = ANY(:trackingNumbers!::text[]);

/* @name lockAffectedOrders */
SELECT iso_instant(clock_timestamp()) AS "locked_at!",
       coalesce(array_agg(id), '{}') AS "order_ids!"
  FROM (SELECT id FROM orders
         WHERE shop_id = :shopId! AND id IN (
                 SELECT id FROM orders WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
                  UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!)
         ORDER BY id FOR UPDATE) locked_order;

/* @name findOrdersChangedByUsers */
-- The orders that a user has changed. The audit log may be on another server of a cluster.
SELECT DISTINCT record_id FROM audit_log WHERE record_type = 'order' AND record_id = ANY(:orderIds!::text[]);

/* @name findShipmentsRemovedByUsers */
-- The shipments that the import added and a user has removed since. The audit log may be on another server of a cluster.
SELECT DISTINCT record_id AS order_id, before->>'tracking_number' AS "tracking_number!" FROM audit_log
 WHERE action = 'order.remove_tracking_number' AND before->>'import_id' = :importId!::text;

/* @name countPlan */
SELECT count(*) FILTER (WHERE work = 'remove' AND record = 'order')::int AS "removed_orders!",
       count(*) FILTER (WHERE work = 'remove' AND record = 'item')::int AS "removed_items!",
       count(*) FILTER (WHERE work = 'remove' AND record = 'shipment')::int AS "removed_shipments!",
       count(*) FILTER (WHERE work = 'restore')::int AS "restored_records!",
       count(*) FILTER (WHERE list = 'kept')::int AS "kept!",
       coalesce(sum(missing) FILTER (WHERE list = 'missing'), 0)::int AS "missing!"
  FROM undo_plan;

/* @name fingerprintPlan */
-- Differs if anything in the lists differs. Hashes each entry first, because the values of all entries together may be too large.
SELECT encode(sha256(coalesce(string_agg(entry_hash, '' ORDER BY list, sort_key), '')), 'hex') AS "fingerprint!"
  FROM (SELECT list, sort_key, sha256(convert_to(
                 (list, work, record, record_id, order_id, receipt_id, fields, reason, by_import, missing)::text, 'UTF8')) AS entry_hash
          FROM undo_plan) hashed_entry;

/* @name readPlan */
-- A page of one of the plan's lists.
SELECT list AS "list!", work, record AS "record!", record_id::text, order_id::text, receipt_id, fields, reason,
       by_import::text, missing, sort_key AS "sort_key!"
  FROM undo_plan WHERE list = :list! AND (:after::text IS NULL OR sort_key > :after)
 ORDER BY sort_key LIMIT :limit!;

/* @name readFirstEntries */
-- The first entries of each list.
SELECT list AS "list!", work, record AS "record!", record_id::text, order_id::text, receipt_id, fields, reason,
       by_import::text, missing
  FROM (SELECT *, row_number() OVER (PARTITION BY list ORDER BY sort_key) AS nth
          FROM undo_plan) numbered_entry
 WHERE nth <= :limit!
 ORDER BY sort_key;

/* @name markUndone */
UPDATE imports SET outcome = 'undone', undone_at = :at!, undone_by_user_id = :userId!
 WHERE shop_id = :shopId! AND id = :importId!;

/* @name findRemainingOrders */
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
 CROSS JOIN LATERAL jsonb_populate_record(s, p.old_values) n
 WHERE p.work = 'restore' AND p.record = 'order' AND t.shop_id = :shopId! AND t.id = s.id;

/* @name restoreItems */
UPDATE order_items t
   SET title = n.title, quantity = n.quantity, price = n.price, coupon_code = n.coupon_code,
       coupon_details = n.coupon_details, discount_amount = n.discount_amount, item_total = n.item_total,
       transaction_id = n.transaction_id, listing_id = n.listing_id, variations = n.variations,
       listing_type = n.listing_type, sku = n.sku, extra = n.extra, updated_at = :at!
  FROM undo_plan p JOIN order_items s ON s.shop_id = :shopId! AND s.id = p.record_id
 CROSS JOIN LATERAL jsonb_populate_record(s, p.old_values) n
 WHERE p.work = 'restore' AND p.record = 'item' AND t.shop_id = :shopId! AND t.id = s.id;

/* @name restoreShipments */
UPDATE shipments t
   SET carrier_code = n.carrier_code, updated_at = :at!
  FROM undo_plan p JOIN shipments s ON s.shop_id = :shopId! AND s.id = p.record_id
 CROSS JOIN LATERAL jsonb_populate_record(s, p.old_values) n
 WHERE p.work = 'restore' AND p.record = 'shipment' AND t.shop_id = :shopId! AND t.id = s.id;
