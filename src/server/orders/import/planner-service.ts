import type pg from 'pg';
import * as sql from './planner.queries';

/** Allows or forbids nested-loop joins until the transaction ends (planner.sql). */
export async function setNestedLoops(client: pg.PoolClient, areAllowed: boolean): Promise<void> {
  await sql.setNestedLoops.runPrepared(client, { state: areAllowed ? 'on' : 'off' });
}

const TABLE_STATEMENTS = {
  orders: { isShardStale: sql.areStatisticsOfOrdersShardStale, analyze: sql.analyzeOrders },
  order_items: { isShardStale: sql.areStatisticsOfItemsShardStale, analyze: sql.analyzeItems },
  shipments: { isShardStale: sql.areStatisticsOfShipmentsShardStale, analyze: sql.analyzeShipments },
};

/**
 * Analyzes a table if an import has stored so many rows in it that its statistics are out of date. PostgreSQL does so by itself
 * within a few minutes; until then it would keep using plans made for a nearly empty table, and check each item's foreign key by
 * reading all orders of the shop.
 */
export async function analyzeIfStale(
  client: pg.PoolClient,
  shopId: number,
  table: keyof typeof TABLE_STATEMENTS,
  rowCount: number,
): Promise<void> {
  if (rowCount < 100) return;
  const [tableRow] = await sql.areStatisticsStale.runPrepared(client, { table, rows: rowCount });
  if (!tableRow!.is_stale) return;
  const { isShardStale, analyze } = TABLE_STATEMENTS[table];
  const [shardRow] = await isShardStale.runPrepared(client, { shopId, rows: rowCount });
  if (shardRow?.is_stale) await analyze.run(client);
}
