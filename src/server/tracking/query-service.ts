import { ServiceError, validationError } from '../core/errors/errors';
import { because, problemAt, type Reason } from '../core/errors/reason';
import type { TrackingStatus } from '../core/statuses';
import { normaliseTrackingNumber } from '../core/text/text';
import type { Database } from '../db/client';
import { publicId } from '../inbound/service';
import { SUB_STATUS_ORDER } from '../orders/tracking/event-order';
import type { CarrierGate } from './carriers/carrier-gate';
import { carrierName } from './carriers/carrier-name';
import * as sql from './query.queries';
import { QUERYABLE, queryAndMerge } from './shipments/carrier-query-service';
import { trackingText } from './text/text';

/** An event as responses show it. */
interface ShownEvent {
  time: string;
  status: TrackingStatus | null;
  description: string | null;
  location: string | null;
}

/** A shipment with its order, if it has one. */
interface QueriedShipment {
  trackingNumber: string;
  carrier: string | null;
  status: TrackingStatus;
  subStatus: string | null;
  since: number | null;
  /** Whether the order's status comes from this shipment. */
  decides: boolean;
  events: ShownEvent[];
}

interface EventRow {
  time: number;
  status: TrackingStatus | null;
  description: string | null;
  location: string | null;
}

/** Most shipments of one order in a response. */
const MAX_SHIPMENTS = 40;

function shipmentOf(row: sql.ListShipmentsOfOrderRow): QueriedShipment {
  return {
    trackingNumber: row.tracking_number,
    carrier: row.carrier,
    status: row.status,
    subStatus: row.sub_status,
    since: row.since,
    decides: row.deciding === 1,
    events: (row.events as unknown as EventRow[]).map((event) => ({
      ...event,
      time: new Date(event.time).toISOString(),
    })),
  };
}

async function findOrder(
  db: Database,
  id: number | null,
  trackingNumber: string | null,
): Promise<sql.FindOrderRow | null> {
  if (id !== null) return (await sql.findOrder.runPrepared(db.pool, { id, trackingNumber }))[0] ?? null;
  if (trackingNumber === null) return null;
  return (await sql.findNewestOrder.runPrepared(db.pool, { trackingNumber }))[0] ?? null;
}

async function findShipment(db: Database, trackingNumber: string): Promise<QueriedShipment | undefined> {
  const [row] = await sql.findShipment.runPrepared(db.pool, { trackingNumber, progress: SUB_STATUS_ORDER });
  return row && shipmentOf(row);
}

async function shipmentsOf(
  db: Database,
  order: sql.FindOrderRow | null,
  trackingNumber: string | null,
): Promise<QueriedShipment[]> {
  if (order === null) {
    const shipment = trackingNumber === null ? undefined : await findShipment(db, trackingNumber);
    return shipment ? [shipment] : [];
  }
  const rows = await sql.listShipmentsOfOrder.runPrepared(db.pool, {
    shopId: order.shop_id,
    orderId: order.id,
    trackingNumber,
    progress: SUB_STATUS_ORDER,
    limit: MAX_SHIPMENTS,
  });
  return rows.map(shipmentOf);
}

/** The response of GET /api/v1/tracking-text. */
export interface TrackingText {
  order_id: number | string | null;
  receipt_id: string | null;
  tracking_number: string | null;
  carrier: string | null;
  status: TrackingStatus | null;
  text: string;
  events: ShownEvent[];
}

function nothingKnown(id: number | null, number: string | null): Reason {
  if (id === null) return because('tracking.unknownNumber', { number: number ?? '' });
  return number === null
    ? because('tracking.unknownOrder', { id })
    : because('tracking.unknownPair', { id, number });
}

/**
 * Returns the English text about an order or a tracking number; a number that several orders share is described for the newest.
 * The text names all of several shipments; number, carrier, status and events in the response are those of the shipment that
 * sets the order's status.
 *
 * @throws ServiceError `validation_failed` if neither is given, `not_found` if nothing is found or the two do not belong
 * together
 */
export async function describeTracking(
  db: Database,
  query: { orderId: number | undefined; trackingNumber: string | undefined },
  now: number,
): Promise<TrackingText> {
  const id = query.orderId ?? null;
  const number = query.trackingNumber === undefined ? null : normaliseTrackingNumber(query.trackingNumber);
  if (id === null && number === null) {
    throw validationError([problemAt('order_id', because('tracking.orderOrNumber'))]);
  }
  const order = await findOrder(db, id, number);
  const shipments = order || id === null ? await shipmentsOf(db, order, number) : [];
  const isKnown =
    shipments[0] !== undefined && (shipments[0].events.length > 0 || shipments[0].since !== null);
  if (!order && !isKnown) {
    throw new ServiceError('not_found', nothingKnown(id, number));
  }
  const shipment = shipments.find(({ decides }) => decides);
  return {
    order_id: order ? publicId(order.id) : null,
    receipt_id: order?.receipt_id ?? null,
    tracking_number: shipment?.trackingNumber ?? null,
    carrier: carrierName(shipment?.carrier ?? null),
    status: shipment?.status ?? null,
    text: trackingText({
      order: order ? { receiptId: order.receipt_id, status: order.status } : null,
      shipments: shipments.map((each) => ({
        ...each,
        events: each.events.map(({ time, location }) => ({ occurredAt: Date.parse(time), location })),
      })),
      now,
    }),
    events: shipment?.events ?? [],
  };
}

/** One shipment in the response of GET /api/logistics. */
export interface CarrierReport {
  tracking_number: string;
  order_number: string | null;
  carrier: string | null;
  status: TrackingStatus;
  sub_status: string | null;
  events: ShownEvent[];
  source: string;
}

async function queriedNumbers(db: Database, order: string | null, number: string | null): Promise<string[]> {
  if (order === null) return number === null ? [] : [number];
  const given = { receiptId: order, trackingNumber: number, limit: MAX_SHIPMENTS };
  const rows = await sql.listNumbersOfReceipt.runPrepared(db.pool, given);
  return rows.map((row) => row.tracking_number);
}

/**
 * Queries the configured carrier, merges its answer like a callback's events, and returns what is known then (docs/tracking.md,
 * `GET /api/logistics`). Returns an empty list without an order or number, for two that do not belong together, and for an
 * unknown order.
 *
 * @throws ServiceError with `source: "carrier"` if the carrier query fails, whatever is stored
 */
export async function queryCarrier(
  db: Database,
  carrier: CarrierGate,
  query: { trackingNumber: string | undefined; orderNumber: string | undefined },
): Promise<CarrierReport[]> {
  const number = query.trackingNumber === undefined ? null : normaliseTrackingNumber(query.trackingNumber);
  const order = query.orderNumber === undefined ? null : query.orderNumber.replace(/^#/, '').trim();
  const numbers = await queriedNumbers(db, order, number);
  if (numbers.length === 0) return [];
  const queryable = numbers.filter((each) => QUERYABLE.test(each));
  // If no carrier is configured, query anyway, which throws that error whatever the numbers look like.
  const { answers } = await queryAndMerge(db, carrier, carrier.name === null ? numbers : queryable);
  for (const each of numbers) {
    if (!queryable.includes(each)) answers.push({ trackingNumber: each, carrier: null, observations: [] });
  }
  const reports: CarrierReport[] = [];
  for (const answer of answers) {
    const { trackingNumber } = answer;
    const shipment = await findShipment(db, trackingNumber);
    const owner = order ?? (await findOrder(db, null, trackingNumber))?.receipt_id ?? null;
    reports.push({
      tracking_number: trackingNumber,
      order_number: owner,
      carrier: carrierName(answer.carrier ?? shipment?.carrier ?? null),
      status: shipment?.status ?? 'not_found',
      sub_status: shipment?.subStatus ?? null,
      events: shipment?.events ?? [],
      source: carrier.name ?? '',
    });
  }
  return reports;
}
