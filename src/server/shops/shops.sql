/* @name findShop */
SELECT id FROM shops WHERE id = :shopId! AND deleting_at IS NULL;

/* @name listShops */
-- All shops by name, archived ones last, or one of them.
SELECT s.id, s.name, s.shop_id, s.currency, s.time_zone,
       ARRAY(SELECT f.name FROM shop_former_names f WHERE f.shop_id = s.id ORDER BY f.created_at DESC, f.name) AS "former_names!",
       s.created_at, s.archived_at, s.deleting_at,
       (SELECT count(*)::int FROM orders o WHERE o.shop_id = s.id) AS "orders!",
       i.id::text AS "import_id?", i.created_at AS "import_at?", i.outcome AS "import_outcome?",
       i.new_orders AS "import_new_orders?", i.rows AS "import_rows?",
       (SELECT count(*)::int FROM shop_daily_statistics d WHERE d.shop_id = s.shop_id) AS "statistic_days!",
       EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) AS "has_prompt!"
  FROM shops s
  LEFT JOIN LATERAL (
    SELECT * FROM imports m WHERE m.shop_id = s.id ORDER BY m.created_at DESC LIMIT 1) i ON true
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
