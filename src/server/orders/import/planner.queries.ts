// Written by `npm run sql` from planner.sql: change that file instead.
import { Statement } from '../../db/statement';

export interface SetNestedLoopsParams {
  state: string;
}

export interface SetNestedLoopsRow {
  set_config: string | null;
}

export const setNestedLoops = new Statement<SetNestedLoopsParams, SetNestedLoopsRow>('planner.setNestedLoops', `
-- For this transaction: \`on\` or \`off\`.
SELECT set_config('enable_nestloop', $1, true)`, ["state"]);

export interface IsOutgrownParams {
  rows: number;
  table: string;
}

export interface IsOutgrownRow {
  outgrown: boolean;
}

export const isOutgrown = new Statement<IsOutgrownParams, IsOutgrownRow>('planner.isOutgrown', `
-- Whether PostgreSQL's statistics know fewer rows of the table.
SELECT reltuples < $1::int AS "outgrown" FROM pg_class WHERE oid = ($2::text)::regclass`, ["rows","table"]);

export interface IsShardOfOrdersOutgrownParams {
  rows: number;
  shopId: number;
}

export interface IsShardOfOrdersOutgrownRow {
  outgrown: boolean;
}

export const isShardOfOrdersOutgrown = new Statement<IsShardOfOrdersOutgrownParams, IsShardOfOrdersOutgrownRow>('planner.isShardOfOrdersOutgrown', `
-- The same for the shop's shard. On a cluster the coordinator's table is empty, so the statement above always says yes.
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < $1::int AS "outgrown"
  FROM orders WHERE shop_id = $2 LIMIT 1`, ["rows","shopId"]);

export interface IsShardOfItemsOutgrownParams {
  rows: number;
  shopId: number;
}

export interface IsShardOfItemsOutgrownRow {
  outgrown: boolean;
}

export const isShardOfItemsOutgrown = new Statement<IsShardOfItemsOutgrownParams, IsShardOfItemsOutgrownRow>('planner.isShardOfItemsOutgrown', `
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < $1::int AS "outgrown"
  FROM order_items WHERE shop_id = $2 LIMIT 1`, ["rows","shopId"]);

export interface IsShardOfShipmentsOutgrownParams {
  rows: number;
  shopId: number;
}

export interface IsShardOfShipmentsOutgrownRow {
  outgrown: boolean;
}

export const isShardOfShipmentsOutgrown = new Statement<IsShardOfShipmentsOutgrownParams, IsShardOfShipmentsOutgrownRow>('planner.isShardOfShipmentsOutgrown', `
SELECT pg_stat_get_live_tuples(tableoid) - pg_stat_get_mod_since_analyze(tableoid) < $1::int AS "outgrown"
  FROM shipments WHERE shop_id = $2 LIMIT 1`, ["rows","shopId"]);

export const analyzeOrders = new Statement<undefined, never>('planner.analyzeOrders', `
ANALYZE (SKIP_LOCKED) orders`);

export const analyzeItems = new Statement<undefined, never>('planner.analyzeItems', `
ANALYZE (SKIP_LOCKED) order_items`);

export const analyzeShipments = new Statement<undefined, never>('planner.analyzeShipments', `
ANALYZE (SKIP_LOCKED) shipments`);
