import type pg from 'pg';
import type { z } from 'zod';
import type { orderStateOutput } from './change-schema';
import { LOCK_ORDERS, ORDER_STATES, REFRESH_TRACKING_STATUS, SETTLE_ORDERS } from './tracking-status-sql';

/**
 * Brings the orders' statuses in line with their shipments' waybills, inside the caller's transaction, which holds the locks
 * of the waybills that it changes.
 *
 * @returns the ids of the orders that changed
 */
export async function refreshTrackingStatus(
  client: pg.PoolClient,
  orderIds: readonly string[],
): Promise<string[]> {
  await client.query({ name: 'lock-orders', text: LOCK_ORDERS, values: [orderIds] });
  const { rows } = await client.query<{ id: string }>({
    name: 'refresh-tracking-status',
    text: REFRESH_TRACKING_STATUS,
    values: [orderIds],
  });
  return rows.map((row) => row.id);
}

/** What an order is at. */
export type OrderState = z.output<typeof orderStateOutput>;

/** Locks orders in the order of their ids, and answers what they are at. */
export async function lockOrders(client: pg.PoolClient, orderIds: readonly string[]): Promise<OrderState[]> {
  await client.query(LOCK_ORDERS, [orderIds]);
  return (await client.query<OrderState>(ORDER_STATES, [orderIds])).rows;
}

/**
 * Brings orders in line after a person has taken something back, inside the caller's transaction, which holds their locks: unlike
 * anything else this also moves their statuses back, but never one that a person has set.
 *
 * @returns what they are at now, in the order of their ids
 */
export async function settleOrders(
  client: pg.PoolClient,
  orderIds: readonly string[],
): Promise<OrderState[]> {
  await client.query(SETTLE_ORDERS, [orderIds]);
  return (await client.query<OrderState>(ORDER_STATES, [orderIds])).rows;
}

/** Those of two states' members that differ, for the audit log: before and after. */
export function stateChange(
  before: OrderState,
  after: OrderState,
): { before: Record<string, string | null>; after: Record<string, string | null> } {
  const differing = (['status', 'tracking_status'] as const).filter((name) => before[name] !== after[name]);
  const pick = (state: OrderState) => Object.fromEntries(differing.map((name) => [name, state[name]]));
  return { before: pick(before), after: pick(after) };
}
