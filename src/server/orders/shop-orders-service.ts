import type pg from 'pg';
import type { z } from 'zod';
import type { orderStateOutput } from './schema';
import * as sql from './shop-orders.queries';

/** Orders of one shop. Statements name the shop so that each touches only that shop's records. */
export interface ShopOrders {
  shopId: number;
  orderIds: string[];
}

/** Groups orders by shop, sorted by shop id. Everything that locks orders of several shops locks them in this order. */
export function groupOrdersByShop(rows: readonly { shop_id: number; order_id: string }[]): ShopOrders[] {
  const orderIdsByShop = new Map<number, Set<string>>();
  for (const { shop_id, order_id } of rows)
    orderIdsByShop.set(shop_id, (orderIdsByShop.get(shop_id) ?? new Set()).add(order_id));
  return [...orderIdsByShop]
    .sort(([a], [b]) => a - b)
    .map(([shopId, orderIds]) => ({ shopId, orderIds: [...orderIds] }));
}

/** Looks up the shops of orders by their ids, and groups the orders by shop. Unknown ids are left out. */
export async function findShopsOfOrders(
  db: pg.Pool | pg.PoolClient,
  orderIds: readonly string[],
): Promise<ShopOrders[]> {
  return groupOrdersByShop(await sql.findShopsOfOrders.run(db, { orderIds }));
}

/**
 * Calls `work` for one shop after another and returns the elements of all results. They are not collected with `push(...)`,
 * which fails for the many orders that may share a tracking number.
 */
export async function collectFromShops<Shop extends ShopOrders, T>(
  shops: readonly Shop[],
  work: (orders: Shop) => Promise<readonly T[]>,
): Promise<T[]> {
  const results: (readonly T[])[] = [];
  for (const orders of shops) results.push(await work(orders));
  return results.flat();
}

/** An order's status and tracking status. */
export type OrderState = z.output<typeof orderStateOutput>;

/** Locks orders in id order and returns their states in the same order. */
export async function lockOrders(client: pg.PoolClient, orders: ShopOrders): Promise<OrderState[]> {
  await sql.lockOrders.run(client, orders);
  return sql.readOrderStates.run(client, orders);
}
