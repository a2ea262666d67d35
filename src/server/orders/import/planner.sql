/*
 * Settings and statistics for PostgreSQL's planner during an import. It expects every JSON list to have a hundred rows, and the
 * more shops there are, the fewer rows it expects for one shop. With a few rows it would join two lists by a nested loop, which takes minutes for ten
 * thousand.
 */

/* @name setNestedLoops */
-- For this transaction: `on` or `off`.
SELECT set_config('enable_nestloop', :state!, true);

/* @name isOutgrown */
-- Whether PostgreSQL's statistics know fewer rows of the table.
SELECT reltuples < :rows!::int AS "outgrown!" FROM pg_class WHERE oid = (:table!::text)::regclass;

/* @name isShardOfOrdersOutgrown */
-- The same for the shop's shard. On a cluster the coordinator's table is empty, so the statement above always says yes.
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "outgrown!"
  FROM orders WHERE shop_id = :shopId! LIMIT 1;

/* @name isShardOfItemsOutgrown */
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "outgrown!"
  FROM order_items WHERE shop_id = :shopId! LIMIT 1;

/* @name isShardOfShipmentsOutgrown */
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "outgrown!"
  FROM shipments WHERE shop_id = :shopId! LIMIT 1;

/* @name analyzeOrders */
ANALYZE (SKIP_LOCKED) orders;

/* @name analyzeItems */
ANALYZE (SKIP_LOCKED) order_items;

/* @name analyzeShipments */
ANALYZE (SKIP_LOCKED) shipments;
