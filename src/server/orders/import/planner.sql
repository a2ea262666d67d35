/*
 * Settings and statistics for PostgreSQL's planner during an import. The planner expects every JSON list to have a hundred rows,
 * and the more shops there are, the fewer rows it expects for one shop. It uses a nested loop to join two lists that it expects
 * to be short, which takes minutes if they have ten thousand rows.
 */

/* @name setNestedLoops */
-- Turns nested loops `on` or `off` for this transaction.
SELECT set_config('enable_nestloop', :state!, true);

/* @name areStatisticsStale */
-- Whether PostgreSQL's statistics assume fewer rows for the whole table than an import has stored (`rows`).
SELECT reltuples < :rows!::int AS "is_stale!" FROM pg_class WHERE oid = (:table!::text)::regclass;

/* @name areStatisticsOfOrdersShardStale */
-- Whether the statistics of the shop's shard of the orders assume fewer rows than an import has stored (`rows`). On a cluster the
-- coordinator's table is empty, so areStatisticsStale always returns true.
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "is_stale!"
  FROM orders WHERE shop_id = :shopId! LIMIT 1;

/* @name areStatisticsOfItemsShardStale */
-- Whether the statistics of the shop's shard of the items assume fewer rows than an import has stored (`rows`).
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "is_stale!"
  FROM order_items WHERE shop_id = :shopId! LIMIT 1;

/* @name areStatisticsOfShipmentsShardStale */
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < :rows!::int AS "is_stale!"
  FROM shipments WHERE shop_id = :shopId! LIMIT 1;

/* @name analyzeOrders */
ANALYZE (SKIP_LOCKED) orders;

/* @name analyzeItems */
ANALYZE (SKIP_LOCKED) order_items;

/* @name analyzeShipments */
ANALYZE (SKIP_LOCKED) shipments;
