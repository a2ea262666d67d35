import type pg from 'pg';
import type { z } from 'zod';
import type { orderStateOutput } from './change-schema';
import * as sql from './tracking-status.queries';

/** Orders of one shop. Statements name the shop, so that each works on that shop's records alone. */
export interface ShopOrders {
  shopId: number;
  orderIds: string[];
}

/** Orders by their shops, which come in the order of their ids: everything that locks orders of several shops follows it. */
export function ordersByShop(rows: readonly { shop_id: number; order_id: string }[]): ShopOrders[] {
  const byShop = new Map<number, Set<string>>();
  for (const { shop_id, order_id } of rows)
    byShop.set(shop_id, (byShop.get(shop_id) ?? new Set()).add(order_id));
  return [...byShop]
    .sort(([a], [b]) => a - b)
    .map(([shopId, orderIds]) => ({ shopId, orderIds: [...orderIds] }));
}

/** The shops of orders that are named by their ids alone. Ids of no order are left out. */
export async function findShopsOfOrders(
  db: pg.Pool | pg.PoolClient,
  orderIds: readonly string[],
): Promise<ShopOrders[]> {
  return ordersByShop(await sql.findShopsOfOrders.run(db, { orderIds }));
}

/**
 * Brings the orders' statuses in line with their shipments, inside the caller's transaction, which holds the locks of the
 * tracking numbers that it changes. Locks the orders.
 *
 * @returns the ids of the orders that changed
 */
export async function refreshTrackingStatus(
  client: pg.PoolClient,
  orders: ShopOrders,
  importId: string | null = null,
): Promise<string[]> {
  await sql.lockOrders.runPrepared(client, orders);
  const changed = await sql.followShipments.runPrepared(client, { ...orders, importId, mayMoveBack: false });
  return changed.map(({ id }) => id);
}

/** An order's status and tracking status. */
export type OrderState = z.output<typeof orderStateOutput>;

/** Locks orders in the order of their ids, and returns their states in that order. */
export async function lockOrders(client: pg.PoolClient, orders: ShopOrders): Promise<OrderState[]> {
  await sql.lockOrders.run(client, orders);
  return sql.readOrderStates.run(client, orders);
}

/**
 * Brings orders in line after a person has taken something back, inside the caller's transaction, which holds their locks.
 * Only this moves statuses back, and never one that a person has set.
 *
 * @returns their states now, in the order of their ids
 */
export async function settleOrders(client: pg.PoolClient, orders: ShopOrders): Promise<OrderState[]> {
  await sql.followShipments.run(client, { ...orders, importId: null, mayMoveBack: true });
  return sql.readOrderStates.run(client, orders);
}

/** Those members of two states that differ, for the audit log: before and after. */
export function stateChange(
  before: OrderState,
  after: OrderState,
): { before: Record<string, string | null>; after: Record<string, string | null> } {
  const differing = (['status', 'tracking_status'] as const).filter((name) => before[name] !== after[name]);
  const pick = (state: OrderState) => Object.fromEntries(differing.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
