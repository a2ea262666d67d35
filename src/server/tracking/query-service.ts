import { invalidField, notFound } from '../core/errors/errors';
import { createReason, type Reason } from '../core/errors/reason';
import { TRACKING_STATUSES, type TrackingStatus } from '../core/statuses';
import { normaliseOrderNumber } from '../core/text/order-number';
import { normaliseTrackingNumber } from '../core/text/text';
import type { Database } from '../db/client';
import { toPublicId } from '../inbound/service';
import { answerError, type CarrierGate } from './carriers/carrier-gate';
import { carrierName } from './carriers/carrier-name';
import {
  type EventView,
  findOrder,
  type QueriedOrder,
  type QueriedShipment,
  readTrackingNumbers,
  shipmentsOf,
} from './queried-order-service';
import * as sql from './query.queries';
import { QUERYABLE_NUMBER, queryAndMergeAnswers } from './shipments/carrier-query-service';
import { trackingText } from './text/tracking-text';

/** The maximum number of an order's shipments that a carrier query covers. */
const MAX_SHIPMENTS = 40;

const STATUS_PRECEDENCE: readonly TrackingStatus[] = [
  'exception',
  'delivery_failure',
  ...TRACKING_STATUSES.filter((status) => status !== 'exception' && status !== 'delivery_failure'),
];

/**
 * Returns the shipment that decides the order's tracking status: an exception, otherwise a failed delivery, otherwise the least
 * advanced.
 */
const findDecidingShipment = (shipments: readonly QueriedShipment[]): QueriedShipment | undefined =>
  shipments.toSorted((a, b) => STATUS_PRECEDENCE.indexOf(a.status) - STATUS_PRECEDENCE.indexOf(b.status))[0];

/** The data in the response of GET /api/v1/tracking-text. */
export interface TrackingText {
  order_id: number | string | null;
  receipt_id: string | null;
  tracking_number: string | null;
  carrier: string | null;
  status: TrackingStatus | null;
  text: string;
  events: EventView[];
}

function notFoundReason(id: number | null, number: string | null): Reason {
  if (id === null) return createReason('tracking.unknownNumber', { number: number ?? '' });
  return number === null
    ? createReason('tracking.unknownOrder', { id })
    : createReason('tracking.unknownPair', { id, number });
}

/**
 * Returns the English text about an order or a tracking number. If only the order is given, the text covers all its shipments, and
 * the other fields are about the one that decides its tracking status. If a number is given, everything is about that shipment; if
 * only the number is given and several orders share it, the newest of them counts.
 *
 * @throws ServiceError `validation_failed` if neither an order nor a number is given; `not_found` if nothing is known, or if the
 * order does not have the number
 */
export async function describeTracking(
  db: Database,
  query: { orderId: number | undefined; trackingNumber: string | undefined },
  now: number,
): Promise<TrackingText> {
  const id = query.orderId ?? null;
  const number = query.trackingNumber === undefined ? null : normaliseTrackingNumber(query.trackingNumber);
  if (id === null && number === null) {
    throw invalidField('order_id', createReason('tracking.orderOrNumber'));
  }
  const order = await findOrder(db, id, number);
  // An unknown order has no numbers, even if one was sent with it.
  const ownNumbers = id === null ? [number!] : [];
  const numbers = order?.shipments.map((shipment) => shipment.tracking_number) ?? ownNumbers;
  const shipmentByNumber = await readTrackingNumbers(db, numbers);
  const shipments = order ? shipmentsOf(order, shipmentByNumber) : [...shipmentByNumber.values()];
  const decidingShipment = findDecidingShipment(shipments);
  const isKnown =
    shipments[0] !== undefined && (shipments[0].events.length > 0 || shipments[0].since !== null);
  if (!order && !isKnown) {
    throw notFound(notFoundReason(id, number));
  }
  return {
    order_id: order ? toPublicId(order.id) : null,
    receipt_id: order?.receiptId ?? null,
    tracking_number: decidingShipment?.trackingNumber ?? null,
    carrier: carrierName(decidingShipment?.carrier ?? null),
    status: decidingShipment?.status ?? null,
    text: trackingText({
      order: order ? { receiptId: order.receiptId, status: order.status } : null,
      shipments: shipments.map((shipment) => ({
        ...shipment,
        events: shipment.events.map(({ time, location }) => ({
          occurredAt: Date.parse(time),
          location,
        })),
      })),
      now,
    }),
    events: decidingShipment?.events ?? [],
  };
}

/** One shipment in the response of GET /api/logistics. */
export interface CarrierReport {
  tracking_number: string;
  order_number: string | null;
  carrier: string | null;
  status: TrackingStatus;
  sub_status: string | null;
  events: EventView[];
  source: string;
}

interface NumberToQuery {
  trackingNumber: string;
  /** The requested order; null if only the number was requested. */
  orderId: string | null;
}

/** Returns the numbers to query. Only a number that is requested without an order is added if it is not stored. */
async function findNumbersToQuery(
  db: Database,
  orderNumber: string | null,
  trackingNumber: string | null,
): Promise<{ numbers: NumberToQuery[]; addsNewNumbers: boolean }> {
  if (orderNumber === null) {
    if (trackingNumber === null) return { numbers: [], addsNewNumbers: false };
    const [numberRow] = await sql.isNumberStored.runPrepared(db.lookups, { trackingNumber });
    return { numbers: [{ trackingNumber, orderId: null }], addsNewNumbers: !numberRow!.is_stored };
  }
  const parameters = { receiptId: orderNumber, trackingNumber, limit: MAX_SHIPMENTS };
  const rows = await sql.listNumbersOfReceipt.runPrepared(db.pool, parameters);
  const numbers = rows.map((row) => ({ trackingNumber: row.tracking_number, orderId: row.order_id }));
  return { numbers, addsNewNumbers: false };
}

/**
 * Returns the orders of the numbers by their `orderId`: the requested ones or, if none was requested, the newest one that has the
 * number. Reads each order once, because most numbers have the same one.
 */
async function readOrders(
  db: Database,
  numbers: readonly NumberToQuery[],
): Promise<Map<string | null, QueriedOrder | null>> {
  const orderById = new Map<string | null, QueriedOrder | null>();
  for (const { orderId, trackingNumber } of numbers) {
    if (orderById.has(orderId)) continue;
    orderById.set(orderId, await findOrder(db, orderId, orderId === null ? trackingNumber : null));
  }
  return orderById;
}

/** Returns what is known about a number and its order. An order that has lost the number in the meantime does not count. */
function reportOn(
  trackingNumber: string,
  order: QueriedOrder | null,
  shipmentByNumber: ReadonlyMap<string, QueriedShipment>,
): Omit<CarrierReport, 'source'> {
  const ownShipment =
    order && shipmentsOf(order, shipmentByNumber).find((row) => row.trackingNumber === trackingNumber);
  const shipment = ownShipment ?? shipmentByNumber.get(trackingNumber);
  return {
    tracking_number: trackingNumber,
    order_number: ownShipment ? order.receiptId : null,
    carrier: carrierName(shipment?.carrier ?? null),
    status: shipment?.status ?? 'not_found',
    sub_status: shipment?.subStatus ?? null,
    events: shipment?.events ?? [],
  };
}

/**
 * Queries the configured carrier, merges its answers like a callback's events, and returns what is known afterwards
 * (docs/tracking.md, `GET /api/logistics`). Returns an empty list if neither order nor number is passed, if the two do not
 * belong together, or if the order is unknown or has no shipment.
 *
 * @throws ServiceError with `source: "carrier"` if the carrier query fails, even if events are stored, and if nothing is known
 * about one of the numbers; `service_unavailable` after waiting too long for numbers that an import has locked
 */
export async function queryCarrier(
  db: Database,
  carrier: CarrierGate,
  query: { trackingNumber: string | undefined; orderNumber: string | undefined },
): Promise<CarrierReport[]> {
  const number = query.trackingNumber === undefined ? null : normaliseTrackingNumber(query.trackingNumber);
  const requestedOrderNumber =
    query.orderNumber === undefined ? null : normaliseOrderNumber(query.orderNumber);
  const { numbers, addsNewNumbers } = await findNumbersToQuery(db, requestedOrderNumber, number);
  if (numbers.length === 0) return [];
  const trackingNumbers = numbers.map((row) => row.trackingNumber);
  // Without a configured carrier, query all numbers: that throws the right error, even if none of them is queryable.
  const numbersToQuery =
    carrier.name === null ? trackingNumbers : trackingNumbers.filter((text) => QUERYABLE_NUMBER.test(text));
  const { answers } = await queryAndMergeAnswers(db, carrier, numbersToQuery, { addsNewNumbers });
  const failure = answers.find((answer) => answer.failure)?.failure;
  if (failure) throw answerError(failure);
  const orderById = await readOrders(db, numbers);
  const shipmentByNumber = await readTrackingNumbers(db, trackingNumbers);
  return numbers.map(({ trackingNumber, orderId }) => ({
    ...reportOn(trackingNumber, orderById.get(orderId) ?? null, shipmentByNumber),
    source: carrier.name ?? '',
  }));
}
