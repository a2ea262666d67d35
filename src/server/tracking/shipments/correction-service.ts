import type pg from 'pg';
import type { z } from 'zod';
import { requireUnchanged } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { TrackingStatus } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text/text';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import { collectFromShops, lockOrders, type OrderState } from '../../orders/shop-orders-service';
import { deleteUnusedNumbers, findOrdersByTrackingNumber } from '../../orders/tracking/number-shops-service';
import { diffOrderStates, recomputeOrderStatuses } from '../../orders/tracking/tracking-status-service';
import { hashParts } from '../observation';
import { type LockedShipment, lockShipments, recomputeStatuses } from '../shipment-status-service';
import * as sql from './corrections.queries';
import type { correctionOutput } from './schema';

type CorrectionResult = z.output<typeof correctionOutput>;

const NO_SHIPMENT_REASON = createReason('answer.noShipment');

interface Change {
  action: 'shipment.set_status' | 'shipment.take_back_status';
  eventId: string;
  note: string | null;
}

/**
 * Calls `applyChange`, which changes the shipment's observations, and updates the shipment and its orders, even back to an earlier
 * status. Audits the change for the shipment and for each of its orders, whose history shows it.
 *
 * @throws ServiceError `not_found` if the number is not stored
 */
async function correctShipment(
  client: pg.PoolClient,
  actor: Actor,
  number: string,
  applyChange: (previousStatus: TrackingStatus) => Promise<Change>,
): Promise<CorrectionResult> {
  const [numberRow] = await sql.isNumberStored.run(client, { trackingNumber: number });
  if (!numberRow!.is_stored) throw notFound(NO_SHIPMENT_REASON);
  const lockedShipments: LockedShipment[] = await lockShipments(client, [number]);
  const ordersByShop = await findOrdersByTrackingNumber(client, [number]);
  const statesBefore = await collectFromShops(ordersByShop, (orders) => lockOrders(client, orders));
  const previousStatus = lockedShipments[0]!.status;
  const appliedChange = await applyChange(previousStatus);
  await recomputeStatuses(client, lockedShipments);
  const statesAfter = await collectFromShops(ordersByShop, (orders) =>
    recomputeOrderStatuses(client, orders),
  );
  const [statusRow] = await sql.readStatus.run(client, { trackingNumber: number });
  const auditValues = {
    before: { shipment_status: previousStatus },
    after: {
      tracking_number: number,
      shipment_status: statusRow!.status,
      event_id: appliedChange.eventId,
      ...(appliedChange.note === null ? {} : { text: appliedChange.note }),
    },
  };
  const orderAuditValues = (before: OrderState, after: OrderState) => {
    const orderChange = diffOrderStates(before, after);
    return {
      before: { ...auditValues.before, ...orderChange.before },
      after: { ...auditValues.after, ...orderChange.after },
    };
  };
  const { action } = appliedChange;
  await writeAuditEntries(client, actor, [
    { action, recordType: 'shipment', recordId: number, ...auditValues },
    ...statesBefore.map((before, index) => ({
      action,
      recordType: 'order' as const,
      recordId: before.id,
      ...orderAuditValues(before, statesAfter[index]!),
    })),
  ]);
  const differs = (before: OrderState, after: OrderState) =>
    before.status !== after.status || before.tracking_status !== after.tracking_status;
  return {
    event_id: appliedChange.eventId,
    ...statusRow!,
    updated_orders: statesBefore.filter((before, index) => differs(before, statesAfter[index]!)).length,
  };
}

/**
 * Sets a shipment's status by hand. The correction overrides all earlier observations; later ones may change the status again.
 * Its time is now, or just after the newest observation if a carrier's clock is ahead, so that it takes effect immediately.
 * {@link undoCorrection} undoes it.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `not_found`; `conflict` if the shipment now has neither the status in `shown` nor the new one
 */
export function setShipmentStatus(
  db: Database,
  actor: Actor,
  input: {
    trackingNumber: string;
    status: TrackingStatus;
    note: string | null;
    /** The status the form showed. */
    shown?: { status?: TrackingStatus | undefined } | undefined;
  },
  now: number,
): Promise<CorrectionResult> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  const { status, note, shown } = input;
  return inTransaction(db.pool, (client) =>
    correctShipment(client, actor, number, async (previousStatus) => {
      const record = {
        recordType: 'shipment' as const,
        recordId: number,
        loggedFields: { shipment_status: previousStatus },
      };
      await requireUnchanged(client, actor, record, {
        shown,
        stored: { status: previousStatus },
        newValues: { status },
      });
      const [timeRow] = await sql.readNewestTime.run(client, { trackingNumber: number });
      const newestTime = timeRow!.newest_time;
      const at = newestTime === null ? now : Math.max(now, Math.floor(newestTime) + 1);
      const identity = hashParts(number, 'correction', at, status);
      const correction = { trackingNumber: number, identity, at, status, note };
      const [addedEvent] = await sql.addCorrection.run(client, correction);
      return { action: 'shipment.set_status', eventId: addedEvent!.id, note };
    }),
  );
}

/**
 * Removes a correction. The status of the shipment and its orders is recalculated from the other observations. A number that was
 * only kept for the correction, because no order has it any more, is deleted.
 *
 * @throws ServiceError `not_found` if the shipment does not have this correction
 */
export function undoCorrection(
  db: Database,
  actor: Actor,
  input: { trackingNumber: string; eventId: string },
): Promise<CorrectionResult> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  return inTransaction(db.pool, async (client) => {
    const result = await correctShipment(client, actor, number, async () => {
      const correction = { trackingNumber: number, eventId: input.eventId };
      const [removedEvent] = await sql.removeCorrection.run(client, correction);
      if (!removedEvent) throw notFound(createReason('tracking.notSetByPerson'));
      return { action: 'shipment.take_back_status', eventId: input.eventId, note: removedEvent.description };
    });
    await deleteUnusedNumbers(client, [number]);
    return result;
  });
}
