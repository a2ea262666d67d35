/* @name findShop */
SELECT id FROM shops WHERE id = :shopId! AND deleting_at IS NULL;

/* @name listShops */
-- One shop, or all shops by name, archived ones last.
SELECT s.id, s.name, s.shop_id, s.currency, s.time_zone,
       ARRAY(SELECT f.name FROM shop_former_names f WHERE f.shop_id = s.id ORDER BY f.created_at DESC, f.name) AS "former_names!",
       s.created_at, s.archived_at, s.deleting_at,
       EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) AS "has_prompt!"
  FROM shops s
 WHERE :id::int IS NULL OR s.id = :id
 ORDER BY s.archived_at IS NOT NULL, s.name, s.id;

/* @name countOrders */
SELECT shop_id, count(*)::int AS "count!" FROM orders WHERE shop_id = ANY(:shopIds!::int[]) GROUP BY shop_id;

/* @name listLastImports */
SELECT DISTINCT ON (shop_id) shop_id, id::text AS "id!", created_at, outcome, new_orders, rows FROM imports
 WHERE shop_id = ANY(:shopIds!::int[]) ORDER BY shop_id, created_at DESC;

/* @name countStatisticDays */
SELECT shop_id, count(*)::int AS "count!" FROM shop_daily_statistics WHERE shop_id = ANY(:marketplaceShopIds!::text[]) GROUP BY shop_id;

/* @name findShopByName */
-- Finds a shop by its current name or a former one. No two shops share a current or former name (account-service.ts).
SELECT id, name FROM shops
 WHERE id = (SELECT id FROM shops WHERE name = :name!
              UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :name!);

/* @name listNamesOfShop */
WITH shop_ids AS (
  SELECT id FROM shops WHERE name = :name!
   UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :name!
)
SELECT name AS "name!" FROM shops WHERE id = (SELECT id FROM shop_ids)
 UNION ALL SELECT name FROM shop_former_names WHERE shop_id = (SELECT id FROM shop_ids);

/* @name lockShop */
-- Waits for imports of the shop, whose foreign keys refer to its row.
SELECT id FROM shops WHERE id = :id! FOR UPDATE;

/* @name lockShopExceptNames */
-- Does not wait for imports of the shop. Its name and shop_id must not be changed, because foreign keys could refer to them.
SELECT id FROM shops WHERE id = :id! FOR NO KEY UPDATE;

/* @name lockShopByName */
-- Locks a shop against renaming. Finds it as findShopByName does.
SELECT id, name FROM shops
 WHERE id = (SELECT id FROM shops WHERE name = :name!
              UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :name!)
   FOR KEY SHARE;
