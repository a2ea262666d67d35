import type pg from 'pg';
import type { z } from 'zod';
import type { orderStateOutput } from './schema';
import * as sql from './tracking-status.queries';

/** Orders of one shop. Statements name the shop so that each touches only that shop's records. */
export interface ShopOrders {
  shopId: number;
  orderIds: string[];
}

/** Groups orders by shop, sorted by shop id. Everything that locks orders of several shops locks them in this order. */
export function ordersByShop(rows: readonly { shop_id: number; order_id: string }[]): ShopOrders[] {
  const byShop = new Map<number, Set<string>>();
  for (const { shop_id, order_id } of rows)
    byShop.set(shop_id, (byShop.get(shop_id) ?? new Set()).add(order_id));
  return [...byShop]
    .sort(([a], [b]) => a - b)
    .map(([shopId, orderIds]) => ({ shopId, orderIds: [...orderIds] }));
}

/** Finds the shops of orders known only by id. Ids that do not exist are left out. */
export async function findShopsOfOrders(
  db: pg.Pool | pg.PoolClient,
  orderIds: readonly string[],
): Promise<ShopOrders[]> {
  return ordersByShop(await sql.findShopsOfOrders.run(db, { orderIds }));
}

/**
 * Calls `work` for one shop after the other, and returns all elements of its results. Many orders may share a tracking number,
 * more than `push(...)` accepts at once.
 */
export async function collectFromShops<Shop extends ShopOrders, T>(
  shops: readonly Shop[],
  work: (orders: Shop) => Promise<readonly T[]>,
): Promise<T[]> {
  const results: (readonly T[])[] = [];
  for (const orders of shops) results.push(await work(orders));
  return results.flat();
}

/** Reads the shipments of orders with the states of their tracking numbers, as JSON. */
async function readShipments(client: pg.PoolClient, orders: ShopOrders): Promise<string> {
  const shipments = await sql.listShipments.runPrepared(client, orders);
  const trackingNumbers = [...new Set(shipments.map((shipment) => shipment.tracking_number))];
  const states =
    trackingNumbers.length > 0 ? await sql.readNumberStates.runPrepared(client, { trackingNumbers }) : [];
  const byNumber = new Map(states.map(({ tracking_number, ...state }) => [tracking_number, state]));
  return JSON.stringify(
    shipments.map(({ order_id, tracking_number }) => ({ order_id, ...byNumber.get(tracking_number) })),
  );
}

interface StatusChange {
  importId?: string | null;
  at?: string | null;
  mayMoveBack?: boolean;
}

/**
 * Updates the orders' statuses from their shipments, inside the caller's transaction, which must hold the locks of the tracking
 * numbers it changes. Locks the orders.
 *
 * @param options.importId the import that changes them, for its history
 * @param options.at the time of the change, in ISO format with microseconds; now by default
 * @param options.mayMoveBack whether a user has undone something. Only then do statuses move back automatically, and never one
 * that a user has set
 * @returns the ids of the orders that changed
 */
export async function refreshTrackingStatus(
  client: pg.PoolClient,
  orders: ShopOrders,
  { importId = null, at = null, mayMoveBack = false }: StatusChange = {},
): Promise<string[]> {
  await sql.lockOrders.runPrepared(client, orders);
  const shipments = await readShipments(client, orders);
  const setByUsers = mayMoveBack
    ? await sql.listStatusesSetByUsers.runPrepared(client, { orderIds: orders.orderIds })
    : [];
  const changed = await sql.followShipments.runPrepared(client, {
    ...orders,
    shipments,
    setByUsers: JSON.stringify(setByUsers),
    importId,
    at,
    mayMoveBack,
  });
  return changed.map(({ id }) => id);
}

/** An order's status and tracking status. */
export type OrderState = z.output<typeof orderStateOutput>;

/** Locks orders in id order and returns their states in the same order. */
export async function lockOrders(client: pg.PoolClient, orders: ShopOrders): Promise<OrderState[]> {
  await sql.lockOrders.run(client, orders);
  return sql.readOrderStates.run(client, orders);
}

/**
 * Recomputes the statuses of orders after a user has undone something: like {@link refreshTrackingStatus}, they may move back.
 *
 * @param at the time of the change; now by default
 * @returns their new states, in id order
 */
export async function recomputeOrderStatuses(
  client: pg.PoolClient,
  orders: ShopOrders,
  at: string | null = null,
): Promise<OrderState[]> {
  await refreshTrackingStatus(client, orders, { at, mayMoveBack: true });
  return sql.readOrderStates.run(client, orders);
}

/** Returns the statuses that differ between two states of an order, before and after, for the audit log. */
export function stateChange(
  before: OrderState,
  after: OrderState,
): Record<'before' | 'after', Partial<Omit<OrderState, 'id'>>> {
  const differing = (['status', 'tracking_status'] as const).filter((name) => before[name] !== after[name]);
  const pick = (state: OrderState) => Object.fromEntries(differing.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
