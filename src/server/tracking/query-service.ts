import { ServiceError, validationError } from '../core/errors';
import { because, problemAt, type Reason } from '../core/reason';
import type { TrackingStatus } from '../core/statuses';
import { normaliseTrackingNumber } from '../core/text';
import type { Database } from '../db/client';
import { publicId } from '../inbound/service';
import { newestEventFirst } from '../orders/detail/event-order';
import type { CarrierGate } from './carriers/carrier-gate';
import { carrierName } from './carriers/carrier-name';
import { ASKABLE, askAndMerge } from './shipments/ask-service';
import { type TrackingTextFacts, trackingText } from './text/text';

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

interface OrderRow {
  shop_id: number;
  id: string;
  receipt_id: string;
  status: NonNullable<TrackingTextFacts['order']>['status'];
}

interface ShipmentRow {
  tracking_number: string;
  carrier: string | null;
  status: TrackingStatus;
  sub_status: string | null;
  since: number | null;
  deciding: number;
  events: {
    time: number;
    status: TrackingStatus | null;
    description: string | null;
    location: string | null;
  }[];
}

/** Most shipments of one order in a response. */
const MAX_SHIPMENTS = 40;

/** $1 order or null, $2 number or null. */
export const FIND_ORDER = `
SELECT o.shop_id, o.id, o.receipt_id, o.status FROM orders o
 WHERE ($1::bigint IS NULL OR o.id = $1)
   AND ($2::text IS NULL OR EXISTS (SELECT FROM shipments s WHERE s.shop_id = o.shop_id AND s.order_id = o.id AND s.tracking_number = $2))
 ORDER BY o.id DESC LIMIT 1`;

const FIND_ORDER_BY_NUMBER = `
SELECT o.shop_id, o.id, o.receipt_id, o.status
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = $1 ORDER BY o.id DESC LIMIT 1`;

const EVENTS = `
(SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                 'description', e.description, 'location', e.location) ORDER BY ${newestEventFirst('e')}), '[]')
   FROM tracking_events e WHERE e.tracking_number = p.tracking_number AND e.kind = 'event')`;

/**
 * $1 order, $2 number or null, $3 its shop. Newest number first, as the text names them. `deciding` is 1 for the shipment that
 * sets the order's status: an exception, else a failed delivery, else the least advanced. It is always included, however many
 * there are.
 */
export const SHIPMENTS_OF_ORDER = `
SELECT p.*, ${EVENTS} AS events
  FROM (SELECT b.tracking_number, coalesce(s.carrier_code, b.carrier_code, o.carrier_code) AS carrier, b.status, b.sub_status,
               (extract(epoch FROM b.status_at) * 1000)::float8 AS since,
               row_number() OVER (ORDER BY s.created_at DESC, s.id)::int AS nth,
               row_number() OVER (ORDER BY b.status = 'exception' DESC, b.status = 'delivery_failure' DESC, b.status,
                                           s.created_at DESC, s.id)::int AS deciding
          FROM shipments s JOIN waybills b ON b.tracking_number = s.tracking_number JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
         WHERE s.shop_id = $3 AND s.order_id = $1 AND ($2::text IS NULL OR s.tracking_number = $2)) p
 WHERE p.nth <= ${MAX_SHIPMENTS} OR p.deciding = 1 ORDER BY p.nth`;

const SHIPMENT = `
SELECT p.tracking_number, p.carrier_code AS carrier, p.status, p.sub_status,
       (extract(epoch FROM p.status_at) * 1000)::float8 AS since, 1 AS deciding, ${EVENTS} AS events
  FROM waybills p WHERE p.tracking_number = $1`;

function shipmentOf(row: ShipmentRow): QueriedShipment {
  return {
    trackingNumber: row.tracking_number,
    carrier: row.carrier,
    status: row.status,
    subStatus: row.sub_status,
    since: row.since,
    decides: row.deciding === 1,
    events: row.events.map((event) => ({ ...event, time: new Date(event.time).toISOString() })),
  };
}

async function query<Row extends object>(
  db: Database,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>({ name, text, values });
  return rows;
}

async function findOrder(db: Database, id: number | null, number: string | null): Promise<OrderRow | null> {
  const [order] =
    id === null
      ? await query<OrderRow>(db, 'order-by-number', FIND_ORDER_BY_NUMBER, [number])
      : await query<OrderRow>(db, 'order-by-id', FIND_ORDER, [id, number]);
  return order ?? null;
}

async function shipmentsOf(
  db: Database,
  order: OrderRow | null,
  number: string | null,
): Promise<QueriedShipment[]> {
  const rows = order
    ? await query<ShipmentRow>(db, 'parcels-of-order', SHIPMENTS_OF_ORDER, [order.id, number, order.shop_id])
    : await query<ShipmentRow>(db, 'parcel', SHIPMENT, [number]);
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
  asked: { orderId: number | undefined; trackingNumber: string | undefined },
  now: number,
): Promise<TrackingText> {
  const id = asked.orderId ?? null;
  const number = asked.trackingNumber === undefined ? null : normaliseTrackingNumber(asked.trackingNumber);
  if (id === null && number === null) {
    throw validationError([problemAt('order_id', because('tracking.orderOrNumber'))]);
  }
  const order = await findOrder(db, id, number);
  const parcels = order || id === null ? await shipmentsOf(db, order, number) : [];
  const isKnown = parcels[0] !== undefined && (parcels[0].events.length > 0 || parcels[0].since !== null);
  if (!order && !isKnown) {
    throw new ServiceError('not_found', nothingKnown(id, number));
  }
  const parcel = parcels.find(({ decides }) => decides);
  return {
    order_id: order ? publicId(order.id) : null,
    receipt_id: order?.receipt_id ?? null,
    tracking_number: parcel?.trackingNumber ?? null,
    carrier: carrierName(parcel?.carrier ?? null),
    status: parcel?.status ?? null,
    text: trackingText({
      order: order ? { receiptId: order.receipt_id, status: order.status } : null,
      parcels: parcels.map((each) => ({
        ...each,
        events: each.events.map(({ time, location }) => ({ occurredAt: Date.parse(time), location })),
      })),
      now,
    }),
    events: parcel?.events ?? [],
  };
}

const NUMBERS_OF_RECEIPT = `
SELECT DISTINCT s.tracking_number FROM orders o JOIN shipments s ON s.shop_id = o.shop_id AND s.order_id = o.id
 WHERE o.receipt_id = $1 AND ($2::text IS NULL OR s.tracking_number = $2)
 ORDER BY s.tracking_number LIMIT ${MAX_SHIPMENTS}`;

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

async function numbersAsked(db: Database, order: string | null, number: string | null): Promise<string[]> {
  if (order === null) return number === null ? [] : [number];
  const rows = await query<{ tracking_number: string }>(db, 'numbers-of-receipt', NUMBERS_OF_RECEIPT, [
    order,
    number,
  ]);
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
  asked: { trackingNumber: string | undefined; orderNumber: string | undefined },
): Promise<CarrierReport[]> {
  const number = asked.trackingNumber === undefined ? null : normaliseTrackingNumber(asked.trackingNumber);
  const order = asked.orderNumber === undefined ? null : asked.orderNumber.replace(/^#/, '').trim();
  const numbers = await numbersAsked(db, order, number);
  if (numbers.length === 0) return [];
  const asking = numbers.filter((each) => ASKABLE.test(each));
  // If no carrier is configured, ask anyway, which throws that error whatever the numbers look like.
  const { answers } = await askAndMerge(db, carrier, carrier.name === null ? numbers : asking);
  for (const each of numbers) {
    if (!asking.includes(each)) answers.push({ trackingNumber: each, carrier: null, observations: [] });
  }
  const reports: CarrierReport[] = [];
  for (const answer of answers) {
    const { trackingNumber } = answer;
    const [parcel] = await shipmentsOf(db, null, trackingNumber);
    const owner = order ?? (await findOrder(db, null, trackingNumber))?.receipt_id ?? null;
    reports.push({
      tracking_number: trackingNumber,
      order_number: owner,
      carrier: carrierName(answer.carrier ?? parcel?.carrier ?? null),
      status: parcel?.status ?? 'not_found',
      sub_status: parcel?.subStatus ?? null,
      events: parcel?.events ?? [],
      source: carrier.name ?? '',
    });
  }
  return reports;
}
