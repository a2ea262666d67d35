/* @name findShop */
SELECT id FROM shops WHERE id = :shopId! AND deleting_at IS NULL;

/* @name listShops */
-- All shops by name, archived ones last, or one of them.
WITH counted AS MATERIALIZED (
  SELECT shop_id, count(*)::int AS orders FROM orders WHERE :id::int IS NULL OR shop_id = :id GROUP BY shop_id
), imported AS MATERIALIZED (
  SELECT DISTINCT ON (shop_id) shop_id, id, created_at, outcome, new_orders, rows FROM imports
   WHERE :id::int IS NULL OR shop_id = :id ORDER BY shop_id, created_at DESC
), reported AS MATERIALIZED (
  SELECT shop_id, count(*)::int AS days FROM shop_daily_statistics
   WHERE :id::int IS NULL OR shop_id = (SELECT shop_id FROM shops WHERE id = :id) GROUP BY shop_id
)
SELECT s.id, s.name, s.shop_id, s.currency, s.time_zone,
       ARRAY(SELECT f.name FROM shop_former_names f WHERE f.shop_id = s.id ORDER BY f.created_at DESC, f.name) AS "former_names!",
       s.created_at, s.archived_at, s.deleting_at, coalesce(c.orders, 0) AS "orders!",
       i.id::text AS "import_id?", i.created_at AS "import_at?", i.outcome AS "import_outcome?",
       i.new_orders AS "import_new_orders?", i.rows AS "import_rows?", coalesce(r.days, 0) AS "statistic_days!",
       EXISTS (SELECT p.id FROM prompts p WHERE p.shop_id = s.id) AS "has_prompt!"
  FROM shops s
  LEFT JOIN counted c ON c.shop_id = s.id
  LEFT JOIN imported i ON i.shop_id = s.id
  LEFT JOIN reported r ON r.shop_id = s.shop_id
 WHERE :id::int IS NULL OR s.id = :id
 ORDER BY s.archived_at IS NOT NULL, s.name, s.id;

/* @name findShopByName */
-- By its present name or a former one. No two shops share one (account-service.ts).
SELECT id, name FROM shops
 WHERE id = (SELECT id FROM shops WHERE name = :name!
              UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :name!);

/* @name listNamesOfShop */
WITH shop AS (
  SELECT id FROM shops WHERE name = :name!
   UNION ALL SELECT shop_id FROM shop_former_names WHERE name = :name!
)
SELECT name AS "name!" FROM shops WHERE id = (SELECT id FROM shop)
 UNION ALL SELECT name FROM shop_former_names WHERE shop_id = (SELECT id FROM shop);

/* @name lockShops */
LOCK TABLE shops IN SHARE ROW EXCLUSIVE MODE;
