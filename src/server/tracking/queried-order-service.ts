import { z } from 'zod';
import { type OrderStatus, TRACKING_STATUSES, type TrackingStatus } from '../core/statuses';
import type { Database } from '../db/client';
import { SUB_STATUS_ORDER } from '../orders/tracking/event-order';
import { shipmentCarrierCode } from '../orders/tracking/shipment-carrier';
import * as sql from './query.queries';

/** An event in a response. */
export interface EventView {
  time: string;
  status: TrackingStatus | null;
  description: string | null;
  location: string | null;
}

/** What is known about a tracking number. */
export interface QueriedShipment {
  trackingNumber: string;
  carrier: string | null;
  status: TrackingStatus;
  subStatus: string | null;
  /** Milliseconds since the Unix epoch. */
  since: number | null;
  events: EventView[];
}

// The database reports only that these columns are JSON, so their content is checked when it is read.
const orderShipments = z.array(
  z.strictObject({ tracking_number: z.string(), carrier: z.string().nullable() }),
);
const storedEvents = z.array(
  z.strictObject({
    /** Milliseconds since the Unix epoch. */
    time: z.number().transform((time) => new Date(time).toISOString()),
    status: z.enum(TRACKING_STATUSES).nullable(),
    description: z.string().nullable(),
    location: z.string().nullable(),
  }),
);

/** An order with its shipments, newest first. */
export interface QueriedOrder {
  id: string;
  receiptId: string;
  status: OrderStatus;
  carrier: string | null;
  shipments: z.output<typeof orderShipments>;
}

/**
 * Finds an order by id, or the newest order with a tracking number.
 *
 * @param trackingNumber if not null, the order is found only if it has this number, and only this shipment is returned
 */
export async function findOrder(
  db: Database,
  id: number | string | null,
  trackingNumber: string | null,
): Promise<QueriedOrder | null> {
  const [row] =
    id !== null
      ? await sql.findOrder.runPrepared(db.lookups, { id })
      : await sql.findNewestOrder.runPrepared(db.lookups, { trackingNumber: trackingNumber! });
  if (!row) return null;
  const allShipments = orderShipments.parse(row.shipments ?? []);
  const shipments =
    trackingNumber === null
      ? allShipments
      : allShipments.filter((shipment) => shipment.tracking_number === trackingNumber);
  if (trackingNumber !== null && shipments.length === 0) return null;
  const { receipt_id: receiptId, carrier_code: carrier, status } = row;
  return { id: row.id, receiptId, status, carrier, shipments };
}

/** Returns what is known about each number, by number. */
export async function readTrackingNumbers(
  db: Database,
  trackingNumbers: readonly string[],
): Promise<Map<string, QueriedShipment>> {
  if (trackingNumbers.length === 0) return new Map();
  const rows = await sql.readTrackingNumbers.runPrepared(db.lookups, {
    trackingNumbers,
    progress: SUB_STATUS_ORDER,
  });
  return new Map(
    rows.map((row) => [
      row.tracking_number,
      {
        trackingNumber: row.tracking_number,
        carrier: row.carrier,
        status: row.status,
        subStatus: row.sub_status,
        since: row.since,
        events: storedEvents.parse(row.events),
      },
    ]),
  );
}

/** Returns an order's shipments, newest first, from what {@link readTrackingNumbers} has returned about their numbers. */
export const shipmentsOf = (
  order: QueriedOrder,
  shipmentByNumber: ReadonlyMap<string, QueriedShipment>,
): QueriedShipment[] =>
  order.shipments.flatMap(({ tracking_number, carrier }) => {
    const shipment = shipmentByNumber.get(tracking_number);
    if (!shipment) return [];
    const codes = { shipment: carrier, reported: shipment.carrier, order: order.carrier };
    return [{ ...shipment, carrier: shipmentCarrierCode(codes) }];
  });
