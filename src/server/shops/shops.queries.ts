// Written by `npm run sql` from shops.sql: change that file instead.
import { Statement } from '../db/statement';

export type import_outcome = 'failed' | 'rejected' | 'running' | 'succeeded' | 'undone';
export type stringArray = (string)[];

export interface FindShopParams {
  shopId: number;
}

export interface FindShopRow {
  id: number;
}

export const findShop = new Statement<FindShopParams, FindShopRow>('shops.findShop', `
SELECT id FROM shops WHERE id = $1 AND deleting_at IS NULL`, ["shopId"]);

export interface ListShopsParams {
  id: number | null;
}

export interface ListShopsRow {
  archived_at: Date | null;
  created_at: Date;
  currency: string | null;
  deleting_at: Date | null;
  former_names: stringArray;
  has_prompt: boolean;
  id: number;
  import_at: Date | null;
  import_id: string | null;
  import_new_orders: number | null;
  import_outcome: import_outcome | null;
  import_rows: number | null;
  name: string;
  orders: number;
  shop_id: string | null;
  statistic_days: number;
  time_zone: string;
}

export const listShops = new Statement<ListShopsParams, ListShopsRow>('shops.listShops', `
-- All shops by name, archived ones last, or one of them.
SELECT s.id, s.name, s.shop_id, s.currency, s.time_zone,
       ARRAY(SELECT f.name FROM shop_former_names f WHERE f.shop_id = s.id ORDER BY f.created_at DESC, f.name) AS "former_names",
       s.created_at, s.archived_at, s.deleting_at,
       (SELECT count(*)::int FROM orders o WHERE o.shop_id = s.id) AS "orders",
       i.id::text AS "import_id", i.created_at AS "import_at", i.outcome AS "import_outcome",
       i.new_orders AS "import_new_orders", i.rows AS "import_rows",
       (SELECT count(*)::int FROM shop_daily_statistics d WHERE d.shop_id = s.shop_id) AS "statistic_days",
       EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) AS "has_prompt"
  FROM shops s
  LEFT JOIN LATERAL (
    SELECT * FROM imports m WHERE m.shop_id = s.id ORDER BY m.created_at DESC LIMIT 1) i ON true
 WHERE $1::int IS NULL OR s.id = $1
 ORDER BY s.archived_at IS NOT NULL, s.name, s.id`, ["id"]);

export interface FindShopByNameParams {
  name: string;
}

export interface FindShopByNameRow {
  id: number;
  name: string;
}

export const findShopByName = new Statement<FindShopByNameParams, FindShopByNameRow>('shops.findShopByName', `
-- By its present name or a former one. No two shops share one (account-service.ts).
SELECT id, name FROM shops
 WHERE id = (SELECT id FROM shops WHERE name = $1
              UNION ALL SELECT shop_id FROM shop_former_names WHERE name = $1)`, ["name"]);

export interface ListNamesOfShopParams {
  name: string;
}

export interface ListNamesOfShopRow {
  name: string;
}

export const listNamesOfShop = new Statement<ListNamesOfShopParams, ListNamesOfShopRow>('shops.listNamesOfShop', `
WITH shop AS (
  SELECT id FROM shops WHERE name = $1
   UNION ALL SELECT shop_id FROM shop_former_names WHERE name = $1
)
SELECT name AS "name" FROM shops WHERE id = (SELECT id FROM shop)
 UNION ALL SELECT name FROM shop_former_names WHERE shop_id = (SELECT id FROM shop)`, ["name"]);

export const lockShops = new Statement<undefined, never>('shops.lockShops', `
LOCK TABLE shops IN SHARE ROW EXCLUSIVE MODE`);
