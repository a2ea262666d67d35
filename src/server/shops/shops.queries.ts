// Written by `npm run sql` from shops.sql: change that file instead.
import { Statement } from '../db/statement';

export type import_outcome = 'failed' | 'rejected' | 'running' | 'succeeded' | 'undone';
export type numberArray = (number)[];
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
  name: string;
  shop_id: string | null;
  time_zone: string;
}

export const listShops = new Statement<ListShopsParams, ListShopsRow>('shops.listShops', `
-- All shops by name, archived ones last, or one of them.
SELECT s.id, s.name, s.shop_id, s.currency, s.time_zone,
       ARRAY(SELECT f.name FROM shop_former_names f WHERE f.shop_id = s.id ORDER BY f.created_at DESC, f.name) AS "former_names",
       s.created_at, s.archived_at, s.deleting_at,
       EXISTS (SELECT FROM prompts p WHERE p.shop_id = s.id) AS "has_prompt"
  FROM shops s
 WHERE $1::int IS NULL OR s.id = $1
 ORDER BY s.archived_at IS NOT NULL, s.name, s.id`, ["id"]);

export interface CountOrdersParams {
  shopIds: Readonly<numberArray>;
}

export interface CountOrdersRow {
  count: number;
  shop_id: number;
}

export const countOrders = new Statement<CountOrdersParams, CountOrdersRow>('shops.countOrders', `
SELECT shop_id, count(*)::int AS "count" FROM orders WHERE shop_id = ANY($1::int[]) GROUP BY shop_id`, ["shopIds"]);

export interface ListLastImportsParams {
  shopIds: Readonly<numberArray>;
}

export interface ListLastImportsRow {
  created_at: Date;
  id: string;
  new_orders: number;
  outcome: import_outcome;
  rows: number;
  shop_id: number;
}

export const listLastImports = new Statement<ListLastImportsParams, ListLastImportsRow>('shops.listLastImports', `
SELECT DISTINCT ON (shop_id) shop_id, id::text AS "id", created_at, outcome, new_orders, rows FROM imports
 WHERE shop_id = ANY($1::int[]) ORDER BY shop_id, created_at DESC`, ["shopIds"]);

export interface CountStatisticDaysParams {
  marketIds: Readonly<stringArray>;
}

export interface CountStatisticDaysRow {
  count: number;
  shop_id: string;
}

export const countStatisticDays = new Statement<CountStatisticDaysParams, CountStatisticDaysRow>('shops.countStatisticDays', `
SELECT shop_id, count(*)::int AS "count" FROM shop_daily_statistics WHERE shop_id = ANY($1::text[]) GROUP BY shop_id`, ["marketIds"]);

export interface FindShopByNameParams {
  name: string;
}

export interface FindShopByNameRow {
  id: number;
  name: string;
}

export const findShopByName = new Statement<FindShopByNameParams, FindShopByNameRow>('shops.findShopByName', `
-- By its current name or a former one. No two shops share a name (account-service.ts).
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
