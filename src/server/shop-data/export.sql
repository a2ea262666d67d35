/*
 * The rows of the tables that belong to a shop, one statement per table. Each returns its rows as JSON. Derived data (daily sums,
 * search documents) and files whose import was not finished are left out. A test compares the list of tables with the schema.
 */

/* @name exportShop */
SELECT to_jsonb(s)::text AS "row!" FROM shops s WHERE id = :shopId!;

/* @name exportFormerNames */
SELECT to_jsonb(f)::text AS "row!" FROM shop_former_names f WHERE shop_id = :shopId! ORDER BY created_at, name;

/* @name exportPrompts */
SELECT to_jsonb(p)::text AS "row!" FROM prompts p WHERE shop_id = :shopId!;

/* @name exportPromptVersions */
SELECT to_jsonb(v)::text AS "row!" FROM prompt_versions v JOIN prompts p ON p.id = v.prompt_id WHERE p.shop_id = :shopId! ORDER BY v.id;

/* @name exportOrders */
SELECT to_jsonb(o)::text AS "row!" FROM orders o WHERE shop_id = :shopId! ORDER BY id;

/* @name exportItems */
SELECT to_jsonb(i)::text AS "row!" FROM order_items i WHERE shop_id = :shopId! ORDER BY id;

/* @name exportNotes */
SELECT to_jsonb(n)::text AS "row!" FROM order_notes n WHERE shop_id = :shopId! ORDER BY id;

/* @name exportQueueStates */
SELECT to_jsonb(q)::text AS "row!" FROM queue_states q WHERE shop_id = :shopId! ORDER BY order_id, queue;

/* @name exportShipments */
SELECT to_jsonb(s)::text AS "row!" FROM shipments s WHERE shop_id = :shopId! ORDER BY id;

/* @name exportTrackingNumbers */
SELECT to_jsonb(t)::text AS "row!" FROM tracking_numbers t
 WHERE tracking_number IN (SELECT n.tracking_number FROM tracking_number_shops n WHERE n.shop_id = :shopId!) ORDER BY tracking_number;

/* @name exportTrackingEvents */
SELECT to_jsonb(e)::text AS "row!" FROM tracking_events e
 WHERE tracking_number IN (SELECT n.tracking_number FROM tracking_number_shops n WHERE n.shop_id = :shopId!)
 ORDER BY tracking_number, id;

/* @name exportImports */
SELECT to_jsonb(m)::text AS "row!" FROM imports m WHERE shop_id = :shopId! ORDER BY id;

/* @name exportIssues */
SELECT to_jsonb(i)::text AS "row!" FROM import_issues i WHERE shop_id = :shopId! ORDER BY import_id, position;

/* @name exportChanges */
SELECT to_jsonb(c)::text AS "row!" FROM import_changes c WHERE shop_id = :shopId! ORDER BY id;

/* @name exportReplies */
-- Including replies to requests that named the shop but no stored order.
SELECT to_jsonb(r)::text AS "row!" FROM replies r
 WHERE shop_id = :shopId! OR shop_id IS NULL AND shop_name IN (
         SELECT name FROM shops WHERE id = :shopId! UNION ALL SELECT name FROM shop_former_names WHERE shop_id = :shopId!)
 ORDER BY id;

/* @name exportShopDays */
SELECT to_jsonb(d)::text AS "row!" FROM shop_daily_statistics d
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = :shopId!) ORDER BY date;

/* @name exportListingDays */
SELECT to_jsonb(d)::text AS "row!" FROM product_daily_statistics d
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = :shopId!) ORDER BY date, listing_id;

/* @name exportRestatements */
SELECT to_jsonb(h)::text AS "row!" FROM statistic_restatements h
 WHERE shop_id = (SELECT s.shop_id FROM shops s WHERE s.id = :shopId!) ORDER BY id;
