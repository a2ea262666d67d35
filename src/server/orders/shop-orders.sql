/* @name findShopsOfOrders */
-- Across all shops: the caller knows only the orders' ids.
SELECT shop_id, id::text AS "order_id!" FROM orders WHERE id = ANY(:orderIds!::bigint[]) ORDER BY shop_id, orders.id;

/* @name lockOrders */
-- Locks the orders in the order of their ids. A separate statement, so that the next one sees what was committed while this one
-- waited. `locked_at` is when it held all locks, in ISO format with microseconds.
SELECT iso_instant(clock_timestamp()) AS "locked_at!",
       count(*)::int AS "locked_count!"
  FROM (SELECT FROM orders WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) ORDER BY id FOR UPDATE) locked_order;

/* @name readOrderStates */
SELECT id::text AS "id!", status, tracking_status FROM orders
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) ORDER BY orders.id;

/* @name findShopOfImport */
-- Across all shops: the shop of an import.
SELECT shop_id FROM imports WHERE id = :importId!;
