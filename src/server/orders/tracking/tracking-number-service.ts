import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { validationError } from '../../core/errors/errors';
import { createReason, type Problem, problemAt } from '../../core/errors/reason';
import { rowPath } from '../../core/errors/row-path';
import { normaliseOrderNumber } from '../../core/text/order-number';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { indexOrdersById } from '../indexing/search-service';
import * as orderSql from '../shop-orders.queries';
import { addNumbersToShop } from './number-shops-service';
import * as sql from './tracking-numbers.queries';
import { updateOrderStatuses } from './tracking-status-service';

interface TrackingRow {
  receipt_id: string;
  tracking_number: string;
  carrier_code?: string;
}

function readNumber(row: TrackingRow, index: number, problems: Problem[]): string {
  const trackingNumber = normaliseTrackingNumber(row.tracking_number);
  if (trackingNumber === '')
    problems.push(problemAt(rowPath(index, 'tracking_number'), createReason('text.empty')));
  return trackingNumber;
}

/**
 * Returns the ids of the rows' orders.
 *
 * @throws ServiceError `validation_failed` with `problems` and every row whose order number the shop does not have
 */
async function findOrderIds(
  client: pg.PoolClient,
  { shopId, rows }: { shopId: number; rows: readonly TrackingRow[] },
  problems: readonly Problem[],
): Promise<string[]> {
  const receiptIds = rows.map((row) => normaliseOrderNumber(row.receipt_id));
  const orderRows = await sql.findOrdersByReceiptId.run(client, { shopId, receiptIds });
  const unknownOrders = orderRows.flatMap(({ order_id }, index) =>
    order_id === null
      ? problemAt(
          rowPath(index, 'receipt_id'),
          createReason('order.unknown', { receipt: rows[index]!.receipt_id }),
        )
      : [],
  );
  if (problems.length + unknownOrders.length > 0) throw validationError([...problems, ...unknownOrders]);
  return orderRows.map((row) => row.order_id!);
}

/** Locks orders in id order. Returns whether all of them still exist. */
async function lockAllOrders(
  client: pg.PoolClient,
  shopId: number,
  orderIds: readonly string[],
): Promise<boolean> {
  const distinctIds = [...new Set(orderIds)];
  const [lockedOrders] = await orderSql.lockOrders.run(client, { shopId, orderIds: distinctIds });
  return lockedOrders!.locked_count === distinctIds.length;
}

/**
 * Adds tracking numbers to a shop's orders, all or nothing, and marks pending and paid orders as shipped. If an order already has
 * the number, at most its carrier changes. Events received earlier apply immediately and advance the orders' statuses.
 *
 * @throws ServiceError `validation_failed` naming every row whose tracking number is empty or whose order number the shop does
 * not have
 */
export async function addTrackingNumbers(
  db: Database,
  actor: Actor,
  input: { shopId: number; rows: readonly TrackingRow[] },
): Promise<{ added: number; unchanged: number; orders: number }> {
  const { shopId, rows } = input;
  const problems: Problem[] = [];
  const trackingNumbers = rows.map((row, index) => readNumber(row, index, problems));
  return inRetriedTransaction(db.pool, async (client) => {
    let orderIds = await findOrderIds(client, input, problems);
    // Lock tracking numbers before orders, as imports and callbacks do.
    await addNumbers(client, shopId, trackingNumbers);
    // An order is gone if the undo of its import was committed while this waited for a lock.
    while (!(await lockAllOrders(client, shopId, orderIds)))
      orderIds = await findOrderIds(client, input, problems);
    const orders = { shopId, orderIds: [...new Set(orderIds)] };
    const carrierCodes = rows.map((row) => row.carrier_code ?? '');
    const changedShipments = await sql.addShipments.run(client, {
      shopId,
      orderIds,
      trackingNumbers,
      carrierCodes,
    });
    await sql.shipOrders.run(client, orders);
    await updateOrderStatuses(client, orders);
    await indexOrdersById(client, orders);
    await auditShipments(client, actor, changedShipments);
    return {
      added: changedShipments.filter((row) => row.added).length,
      unchanged: rows.length - changedShipments.length,
      orders: orders.orderIds.length,
    };
  });
}

/** Like {@link addNumbersToShop}, for a list of numbers. */
export function addNumbers(
  client: pg.PoolClient,
  shopId: number,
  trackingNumbers: readonly string[],
): Promise<void> {
  const shipments = JSON.stringify(trackingNumbers.map((tracking_number) => ({ tracking_number })));
  return addNumbersToShop(client, shopId, shipments);
}

/** Records in the audit log which shipments were added to orders, and which were given a carrier. */
export function auditShipments(
  client: pg.PoolClient,
  actor: Actor,
  changedShipments: readonly sql.AddShipmentsRow[],
): Promise<void> {
  return writeAuditEntries(
    client,
    actor,
    changedShipments.map((row) => ({
      action: row.added ? 'order.add_tracking_number' : 'order.set_carrier',
      recordType: 'order',
      recordId: row.order_id,
      after: { tracking_number: row.tracking_number, carrier_code: row.carrier_code },
    })),
  );
}
