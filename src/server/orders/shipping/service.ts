import type { z } from 'zod';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import type { OrderFilter } from '../filter/schema';
import { listOrders } from '../list/service';
import { MAX_PRINTED_ORDERS } from './bounds';
import type { packingSlipsOutput, pickListOutput } from './schema';
import * as sql from './shipping.queries';

/**
 * Finds the orders to print, oldest first.
 *
 * @throws ServiceError `validation_failed` if there are more than {@link MAX_PRINTED_ORDERS}
 */
async function findOrdersToPrint(db: Database, filter: OrderFilter) {
  const { orders, next } = await listOrders(db, { filter, direction: 'oldest', limit: MAX_PRINTED_ORDERS });
  if (next !== null)
    throw new ServiceError(
      'validation_failed',
      createReason('order.manyPrinted', { count: MAX_PRINTED_ORDERS }),
    );
  return {
    shopIds: [...new Set(orders.map((order) => order.shop_id))],
    orderIds: orders.map((order) => order.id),
  };
}

/**
 * Returns what has to be picked for the orders: identical items combined, with their total quantity and the orders that need
 * them.
 *
 * @throws ServiceError `validation_failed` if there are too many orders
 */
export async function readPickList(
  db: Database,
  filter: OrderFilter,
): Promise<z.output<typeof pickListOutput>> {
  const ordersToPrint = await findOrdersToPrint(db, filter);
  const items = await sql.listPickItems.run(db.pool, ordersToPrint);
  return {
    orders: ordersToPrint.orderIds.length,
    units: items.reduce((sum, { quantity }) => sum + quantity, 0),
    items: items as z.output<typeof pickListOutput>['items'],
  };
}

/**
 * Returns the orders for their packing slips, the oldest first.
 *
 * @throws ServiceError `validation_failed` if there are too many orders
 */
export async function readPackingSlips(
  db: Database,
  filter: OrderFilter,
): Promise<z.output<typeof packingSlipsOutput>> {
  const ordersToPrint = await findOrdersToPrint(db, filter);
  const [orders, items] = await Promise.all([
    sql.listSlips.run(db.pool, ordersToPrint),
    sql.listSlipItems.run(db.pool, ordersToPrint),
  ]);
  return orders.map((order) => ({
    ...withIsoInstants(order),
    items: items.filter((item) => item.order_id === order.id),
  }));
}
