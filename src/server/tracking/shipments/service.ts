import type { z } from 'zod';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { TRACKING_STATUSES } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text/text';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { SUB_STATUS_ORDER } from '../../orders/tracking/event-order';
import { shipmentCarrierCode } from '../../orders/tracking/shipment-carrier';
import { carrierName } from '../carriers/carrier-name';
import { readCarrierCodes } from './carrier-codes-service';
import type { shipmentCarriersOutput, shipmentCountsOutput, shipmentOutput } from './schema';
import * as sql from './shipments.queries';

/** Returns the number of shipments per status. */
export async function countShipments(
  db: Database,
  shopIds: readonly number[] | undefined,
): Promise<z.output<typeof shipmentCountsOutput>> {
  const rows = shopIds
    ? await sql.countByStatusInShops.run(db.pool, { shopIds })
    : await sql.countByStatus.run(db.pool);
  const countByStatus = new Map(rows.map(({ status, count }) => [status, count]));
  const statuses = TRACKING_STATUSES.map((status) => ({ status, count: countByStatus.get(status) ?? 0 }));
  return { statuses, total: statuses.reduce((sum, { count }) => sum + count, 0) };
}

/** Returns the carrier codes that are stored with shipments or were reported, at most 200. Codes that differ only in case count as one. */
export async function listCarriers(db: Database): Promise<z.output<typeof shipmentCarriersOutput>> {
  const { spellingsByCode } = await readCarrierCodes(db);
  return [...spellingsByCode]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [code]]) => ({ code: code!, name: carrierName(code!) }));
}

/** Splits rows that each repeat the total into the rows themselves and the total. */
function splitTotal<Row extends { total: number }>(rows: readonly Row[]) {
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/**
 * Returns one shipment with its newest observations and orders.
 *
 * @throws ServiceError `not_found`
 */
export async function readShipment(db: Database, number: string): Promise<z.output<typeof shipmentOutput>> {
  const trackingNumber = normaliseTrackingNumber(number);
  const [[shipment], [orderSummary], orders, events] = await Promise.all([
    sql.readShipment.run(db.pool, { trackingNumber }),
    sql.describeOrders.run(db.pool, { trackingNumbers: [trackingNumber] }),
    sql.listOrdersOfNumber.run(db.pool, { trackingNumber }).then(splitTotal),
    sql.listObservations.run(db.pool, { trackingNumber, progress: SUB_STATUS_ORDER }).then(splitTotal),
  ]);
  if (!shipment) throw notFound(createReason('answer.noShipment'));
  const carrierCode = shipmentCarrierCode({
    shipment: orderSummary?.carrier_code,
    reported: shipment.carrier_code,
  });
  return {
    ...withIsoInstants(shipment),
    carrier_code: carrierCode,
    carrier: carrierName(carrierCode),
    orders: orders.rows,
    order_count: orders.total,
    events: events.rows.map(withIsoInstants),
    event_count: events.total,
  };
}
