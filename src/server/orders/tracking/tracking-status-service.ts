import type pg from 'pg';
import * as orderSql from '../shop-orders.queries';
import type { OrderState, ShopOrders } from '../shop-orders-service';
import * as sql from './tracking-status.queries';

/** Reads the shipments of orders with the states of their tracking numbers, as JSON. */
async function readShipmentsJson(client: pg.PoolClient, orders: ShopOrders): Promise<string> {
  const shipments = await sql.listShipments.runPrepared(client, orders);
  const trackingNumbers = [...new Set(shipments.map((shipment) => shipment.tracking_number))];
  const states =
    trackingNumbers.length > 0 ? await sql.readNumberStates.runPrepared(client, { trackingNumbers }) : [];
  const stateByNumber = new Map(states.map(({ tracking_number, ...state }) => [tracking_number, state]));
  return JSON.stringify(
    shipments.map(({ order_id, tracking_number }) => ({ order_id, ...stateByNumber.get(tracking_number) })),
  );
}

interface UpdateOptions {
  importId?: string | null;
  at?: string | undefined;
  mayMoveBack?: boolean;
}

/**
 * Updates the orders' statuses from their shipments, inside the caller's transaction, which must hold the locks of the tracking
 * numbers it changes. Locks the orders.
 *
 * @param options.importId the import that changes them, for its history
 * @param options.at the time of the change, in ISO format with microseconds; by default, when the orders were locked
 * @param options.mayMoveBack whether a user has undone or corrected something. Only then may an order's own status move back,
 * but not behind the status that a user set last
 * @returns the ids of the orders that changed
 */
export async function updateOrderStatuses(
  client: pg.PoolClient,
  orders: ShopOrders,
  { importId = null, at, mayMoveBack = false }: UpdateOptions = {},
): Promise<string[]> {
  const [lockedOrders] = await orderSql.lockOrders.runPrepared(client, orders);
  const shipmentsJson = await readShipmentsJson(client, orders);
  const statusesSetByUsers = mayMoveBack
    ? await sql.listStatusesSetByUsers.runPrepared(client, { orderIds: orders.orderIds })
    : [];
  const changedOrders = await sql.updateStatuses.runPrepared(client, {
    ...orders,
    shipments: shipmentsJson,
    statusesSetByUsers: JSON.stringify(statusesSetByUsers),
    importId,
    at: at ?? lockedOrders!.locked_at,
    mayMoveBack,
  });
  return changedOrders.map(({ id }) => id);
}

/**
 * Recomputes the statuses of orders after a user has undone or corrected something. Unlike in other calls of
 * {@link updateOrderStatuses}, an order's own status may move back.
 *
 * @param at the time of the change; by default, when the orders were locked
 * @returns the new states of the orders, in id order
 */
export async function recomputeOrderStatuses(
  client: pg.PoolClient,
  orders: ShopOrders,
  at?: string,
): Promise<OrderState[]> {
  await updateOrderStatuses(client, orders, { at, mayMoveBack: true });
  return orderSql.readOrderStates.run(client, orders);
}

/** Returns the statuses that differ between two states of an order, before and after, for the audit log. */
export function diffOrderStates(
  before: OrderState,
  after: OrderState,
): Record<'before' | 'after', Partial<Omit<OrderState, 'id'>>> {
  const changedFields = (['status', 'tracking_status'] as const).filter(
    (name) => before[name] !== after[name],
  );
  const pickChangedFields = (state: OrderState) =>
    Object.fromEntries(changedFields.map((name) => [name, state[name]]));
  return { before: pickChangedFields(before), after: pickChangedFields(after) };
}
