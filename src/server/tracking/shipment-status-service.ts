import type pg from 'pg';
import type { TrackingStatus } from '../core/statuses';
import { takeSharedLock } from '../db/locks/advisory-locks';
import { collectFromShops } from '../orders/shop-orders-service';
import { findOrdersByTrackingNumber } from '../orders/tracking/number-shops-service';
import { updateOrderStatuses } from '../orders/tracking/tracking-status-service';
import * as sql from './merge.queries';
import { computeStatuses, keepNewestObservations } from './stored-observations-service';

/** A locked shipment with its status and the carrier that was reported for it. */
export interface LockedShipment {
  tracking_number: string;
  status: TrackingStatus;
  sub_status: string | null;
  carrier_code: string | null;
}

/** A shipment's status before and after a change. */
export interface ShipmentChange {
  trackingNumber: string;
  before: TrackingStatus;
  after: TrackingStatus;
}

/** What a recalculation of statuses changed. */
export interface StatusChanges {
  /** Shipments whose status or sub-status changed. */
  changes: ShipmentChange[];
  /** The orders that have the tracking numbers. */
  orders: { trackingNumber: string; orderId: string }[];
  changedOrderIds: ReadonlySet<string>;
}

/**
 * Locks the tracking numbers in sorted order until the end of the transaction, and inserts new ones. Keeps mappings of provider
 * statuses from changing until then.
 */
export async function lockShipments(
  client: pg.PoolClient,
  trackingNumbers: readonly string[],
): Promise<LockedShipment[]> {
  await takeSharedLock(client, 'statusMappings');
  return sql.lockNumbers.runPrepared(client, { trackingNumbers });
}

/** Locks the given tracking numbers that are stored, in sorted order, until the end of the transaction. */
export async function lockStoredNumbers(
  client: pg.PoolClient,
  trackingNumbers: readonly string[],
): Promise<LockedShipment[]> {
  const lockedShipments: LockedShipment[] = [];
  for (const row of await sql.findStoredNumbers.runPrepared(client, { trackingNumbers })) {
    const trackingNumber = row.tracking_number;
    lockedShipments.push(...(await sql.lockStoredNumber.runPrepared(client, { trackingNumber })));
  }
  return lockedShipments;
}

/**
 * Recalculates the statuses of locked tracking numbers from their stored observations, and updates their orders. Returns what
 * changed, and which observations are kept.
 *
 * @param options.carrierByNumber the carriers' display names, by tracking number
 * @param options.mayMoveBack whether orders may also move back to an earlier status, because a user has changed a mapping
 */
export async function recomputeStatuses(
  client: pg.PoolClient,
  lockedShipments: readonly LockedShipment[],
  {
    carrierByNumber,
    mayMoveBack,
  }: { carrierByNumber?: ReadonlyMap<string, string>; mayMoveBack?: boolean } = {},
): Promise<StatusChanges & { keptIdentities: ReadonlySet<string> }> {
  const numbers = lockedShipments.map((shipment) => shipment.tracking_number);
  const keptObservations = await keepNewestObservations(client, numbers);
  const computedStatuses = computeStatuses(numbers, keptObservations);
  const statuses = computedStatuses.map(({ trackingNumber, status, subStatus, since }) => ({
    tracking_number: trackingNumber,
    status,
    sub_status: subStatus,
    since,
    carrier: carrierByNumber?.get(trackingNumber) ?? null,
  }));
  await sql.writeStatuses.runPrepared(client, {
    statuses: JSON.stringify(statuses),
    trackingNumbers: numbers,
  });
  const ordersByShop = await findOrdersByTrackingNumber(client, numbers);
  const changedOrderIds = await collectFromShops(ordersByShop, (orders) =>
    updateOrderStatuses(client, orders, { mayMoveBack }),
  );
  const shipmentByNumber = new Map(lockedShipments.map((shipment) => [shipment.tracking_number, shipment]));
  return {
    changes: computedStatuses.flatMap(({ trackingNumber, status, subStatus }) => {
      const previousShipment = shipmentByNumber.get(trackingNumber)!;
      if (previousShipment.status === status && previousShipment.sub_status === subStatus) return [];
      return [{ trackingNumber, before: previousShipment.status, after: status }];
    }),
    orders: ordersByShop.flatMap(({ shipments }) =>
      shipments.map((shipment) => ({ trackingNumber: shipment.tracking_number, orderId: shipment.order_id })),
    ),
    changedOrderIds: new Set(changedOrderIds),
    keptIdentities: new Set(keptObservations.map(({ identity }) => identity)),
  };
}
