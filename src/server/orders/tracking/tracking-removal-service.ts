import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { invalidField, notFound } from '../../core/errors/errors';
import { createReason, type Reason } from '../../core/errors/reason';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { inRetriedTransaction } from '../../db/transaction';
import { indexOrdersById } from '../indexing/search-service';
import * as orderSql from '../shop-orders.queries';
import { findShopsOfOrders, lockOrders, type OrderState, type ShopOrders } from '../shop-orders-service';
import { removeNumbersFromShop } from './number-shops-service';
import { addNumbers, auditShipments } from './tracking-number-service';
import * as sql from './tracking-numbers.queries';
import { diffOrderStates, recomputeOrderStatuses, updateOrderStatuses } from './tracking-status-service';

/** Writes the removal of a number to the audit log, with everything needed to restore it. */
function auditRemoval(
  client: pg.PoolClient,
  actor: Actor,
  removedShipment: { orderId: string; trackingNumber: string } & sql.RemoveShipmentRow,
  change: ReturnType<typeof diffOrderStates>,
): Promise<void> {
  const { orderId, trackingNumber, carrier_code, import_id } = removedShipment;
  return writeAuditEntries(client, actor, [
    {
      action: 'order.remove_tracking_number',
      recordType: 'order',
      recordId: orderId,
      before: { tracking_number: trackingNumber, carrier_code, import_id, ...change.before },
      after: change.after,
    },
  ]);
}

/**
 * Returns the order with this id and its shop.
 *
 * @throws ServiceError `not_found` with the given reason if the order does not exist
 */
async function findOrder(client: pg.PoolClient, id: string, notFoundReason: Reason): Promise<ShopOrders> {
  const [orders] = await findShopsOfOrders(client, [id]);
  if (!orders) throw notFound(notFoundReason);
  return orders;
}

/**
 * Removes a tracking number from an order, for example a mistyped one. The order then looks as if it never had the number: its
 * tracking status follows its other shipments, and its own status may move back, but not behind the one that a user set last.
 * Events from the carrier are kept. {@link restoreTrackingNumber} undoes the removal.
 *
 * @returns the order's statuses afterwards
 * @throws ServiceError `not_found` if the order does not have the number
 */
export async function removeTrackingNumber(
  db: Database,
  actor: Actor,
  input: { id: string; trackingNumber: string },
): Promise<OrderState> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  const notFoundReason = createReason('order.noTrackingNumber', { number });
  return inRetriedTransaction(db.pool, async (client) => {
    const orders = await findOrder(client, input.id, notFoundReason);
    const shipment = { shopId: orders.shopId, orderId: input.id, trackingNumber: number };
    // Lock tracking numbers before orders, as imports and callbacks do.
    await sql.lockTrackingNumber.run(client, { trackingNumber: number });
    const [stateBefore] = await lockOrders(client, orders);
    const [removedShipment] = await sql.removeShipment.run(client, shipment);
    if (!stateBefore || !removedShipment) throw notFound(notFoundReason);
    await removeNumbersFromShop(client, orders.shopId, [number]);
    const [stateAfter] = await recomputeOrderStatuses(client, orders);
    await indexOrdersById(client, orders);
    await auditRemoval(
      client,
      actor,
      { ...shipment, ...removedShipment },
      diffOrderStates(stateBefore, stateAfter!),
    );
    return stateAfter!;
  });
}

/**
 * Replaces a mistyped tracking number of an order with the right one and keeps its carrier. The changes appear in the history,
 * and {@link restoreTrackingNumber} can restore the mistyped number. Events already received for the right number apply.
 *
 * @returns the order's statuses afterwards
 * @throws ServiceError `not_found` if the order does not have the mistyped number; `validation_failed` if the two numbers are the
 * same
 */
export async function correctTrackingNumber(
  db: Database,
  actor: Actor,
  input: { id: string; mistypedNumber: string; trackingNumber: string },
): Promise<OrderState> {
  const [number, mistypedNumber] = [input.trackingNumber, input.mistypedNumber].map(
    normaliseTrackingNumber,
  ) as [string, string];
  if (number === mistypedNumber) throw invalidField('mistyped', createReason('order.sameNumber', { number }));
  const notFoundReason = createReason('order.noTrackingNumber', { number: mistypedNumber });
  return inRetriedTransaction(db.pool, async (client) => {
    const orders = await findOrder(client, input.id, notFoundReason);
    const { shopId } = orders;
    await addNumbers(client, shopId, [number, mistypedNumber]);
    const [stateBefore] = await lockOrders(client, orders);
    const shipment = { shopId, orderId: input.id, trackingNumber: mistypedNumber };
    const [removedShipment] = await sql.removeShipment.run(client, shipment);
    if (!stateBefore || !removedShipment) throw notFound(notFoundReason);
    const addedShipments = await sql.addShipments.run(client, {
      shopId,
      orderIds: [input.id],
      trackingNumbers: [number],
      carrierCodes: [removedShipment.carrier_code ?? ''],
    });
    await removeNumbersFromShop(client, shopId, [mistypedNumber]);
    await sql.shipOrders.run(client, orders);
    const [stateAfter] = await recomputeOrderStatuses(client, orders);
    await indexOrdersById(client, orders);
    await auditRemoval(
      client,
      actor,
      { ...shipment, ...removedShipment },
      diffOrderStates(stateBefore, stateAfter!),
    );
    await auditShipments(client, actor, addedShipments);
    return stateAfter!;
  });
}

/**
 * Restores a tracking number that a user has removed from the order, including its carrier and the import it came from. Does
 * nothing if the order already has it again.
 *
 * @returns the order's statuses afterwards
 * @throws ServiceError `not_found` if the order does not exist or no user has removed the number from it
 */
export async function restoreTrackingNumber(
  db: Database,
  actor: Actor,
  input: { id: string; trackingNumber: string },
): Promise<OrderState> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  const notFoundReason = createReason('answer.noOrder', { id: input.id });
  return inRetriedTransaction(db.pool, async (client) => {
    const [lastRemoval] = await sql.readLastRemoval.run(client, {
      orderId: input.id,
      trackingNumber: number,
    });
    if (!lastRemoval) throw notFound(createReason('order.notRemoved', { number }));
    const orders = await findOrder(client, input.id, notFoundReason);
    await addNumbers(client, orders.shopId, [number]);
    const [stateBefore] = await lockOrders(client, orders);
    if (!stateBefore) throw notFound(notFoundReason);
    const { carrier_code: carrierCode, import_id: importId } = lastRemoval;
    const shipment = { shopId: orders.shopId, orderId: input.id, trackingNumber: number };
    const [restoredShipment] = await sql.restoreShipment.run(client, { ...shipment, carrierCode, importId });
    if (!restoredShipment) return stateBefore;
    await sql.shipOrders.run(client, orders);
    await updateOrderStatuses(client, orders);
    await indexOrdersById(client, orders);
    const [stateAfter] = await orderSql.readOrderStates.run(client, orders);
    const change = diffOrderStates(stateBefore, stateAfter!);
    await writeAuditEntries(client, actor, [
      {
        action: 'order.restore_tracking_number',
        recordType: 'order',
        recordId: input.id,
        before: change.before,
        after: { tracking_number: number, carrier_code: carrierCode, ...change.after },
      },
    ]);
    return stateAfter!;
  });
}
