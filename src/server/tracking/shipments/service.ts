import type { z } from 'zod';
import { decodeTimeCursor, encodeTimeCursor, instantText } from '../../core/cursor';
import { ServiceError } from '../../core/errors';
import { because } from '../../core/reason';
import { TRACKING_STATUSES, type TrackingStatus } from '../../core/statuses';
import { normaliseTrackingNumber } from '../../core/text';
import type { Database } from '../../db/client';
import { newestEventFirst } from '../../orders/detail/event-order';
import { carrierName } from '../carriers/carrier-name';
import type {
  shipmentCarriersOutput,
  shipmentCountsOutput,
  shipmentListInput,
  shipmentListOutput,
  shipmentOutput,
} from './schema';

type ListedShipment = z.output<typeof shipmentListOutput>['parcels'][number];
type ShipmentView = z.output<typeof shipmentOutput>;

const MOST_CARRIERS = 200;

/** Has an index of its own (migration parcel_lists). */
const SINCE = 'coalesce(w.status_at, w.created_at)';

const SUMMARY = `
w.tracking_number, w.status, w.sub_status, ${instantText(SINCE)} AS since, w.carrier_code,
${instantText('w.asked_at')} AS asked_at, ${instantText('w.registered_at')} AS registered_at`;

/** The carrier's code: from the carrier's answer, else from the newest shipment. */
const CARRIER = `
coalesce(w.carrier_code, (SELECT s.carrier_code FROM shipments s
  WHERE s.tracking_number = w.tracking_number AND s.carrier_code IS NOT NULL ORDER BY s.id DESC LIMIT 1))`;

/** `placeholder` holds shop ids (int[]). */
const ofShops = (placeholder: string) => `EXISTS (
  SELECT FROM shipments s
   WHERE s.tracking_number = w.tracking_number AND s.shop_id = ANY(${placeholder}::int[]))`;

/** `placeholder` holds a carrier's code. */
const ofCarrier = (
  placeholder: string,
) => `(lower(w.carrier_code) = lower(${placeholder}) OR w.carrier_code IS NULL AND EXISTS (
  SELECT FROM shipments s WHERE s.tracking_number = w.tracking_number AND lower(s.carrier_code) = lower(${placeholder})))`;

const COUNTS = 'SELECT status, count(*)::int AS count FROM waybills GROUP BY status';

const COUNTS_OF_SHOPS = `
SELECT w.status, count(*)::int AS count FROM waybills w
 WHERE w.tracking_number IN (
   SELECT s.tracking_number FROM shipments s WHERE s.shop_id = ANY($1::int[]))
 GROUP BY w.status`;

/** Returns the number of shipments per status. */
export async function countShipments(
  db: Database,
  shops: readonly number[] | undefined,
): Promise<z.output<typeof shipmentCountsOutput>> {
  const { rows } = await db.pool.query<{ status: TrackingStatus; count: number }>(
    shops ? COUNTS_OF_SHOPS : COUNTS,
    shops ? [shops] : [],
  );
  const counted = new Map(rows.map(({ status, count }) => [status, count]));
  const statuses = TRACKING_STATUSES.map((status) => ({ status, count: counted.get(status) ?? 0 }));
  return { statuses, total: statuses.reduce((sum, { count }) => sum + count, 0) };
}

/** The distinct codes in a table. Each takes one step in the index, however many rows have it. */
const codesOf = (table: string) => `(
WITH RECURSIVE code AS (
  (SELECT carrier_code FROM ${table} WHERE carrier_code IS NOT NULL ORDER BY 1 LIMIT 1)
   UNION ALL
  SELECT (SELECT carrier_code FROM ${table} t WHERE t.carrier_code > code.carrier_code ORDER BY 1 LIMIT 1)
    FROM code WHERE code.carrier_code IS NOT NULL)
SELECT carrier_code FROM code WHERE carrier_code IS NOT NULL LIMIT ${MOST_CARRIERS})`;

const CARRIERS = `
SELECT DISTINCT ON (lower(carrier_code)) carrier_code AS code
  FROM (${codesOf('waybills')} UNION ${codesOf('shipments')}) c
 ORDER BY lower(carrier_code), carrier_code LIMIT ${MOST_CARRIERS}`;

/** Returns the carriers of all shipments. */
export async function listCarriers(db: Database): Promise<z.output<typeof shipmentCarriersOutput>> {
  const { rows } = await db.pool.query<{ code: string }>(CARRIERS);
  return rows.map(({ code }) => ({ code, name: carrierName(code) }));
}

const ORDER = `json_build_object('id', o.id::text, 'receipt_id', o.receipt_id, 'shop_id', o.shop_id,
  'shop', p.name, 'status', o.status)`;

const ORDERS = `shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = w.tracking_number`;

/** Finds the page's shipments first, and reads orders and events only for them. */
const listStatement = (conditions: readonly string[], limit: string) => `
SELECT ${SUMMARY}, ${CARRIER} AS carrier_code, x.orders->0 AS order, x.count AS order_count, e.last_event
  FROM (SELECT w.* FROM waybills w ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
         ORDER BY ${SINCE} DESC, w.tracking_number DESC LIMIT ${limit}) w
  LEFT JOIN LATERAL (
    SELECT json_agg(${ORDER} ORDER BY o.id DESC) AS orders, count(*)::int AS count FROM ${ORDERS}) x ON true
  LEFT JOIN LATERAL (
    SELECT json_build_object('occurred_at', ${instantText('t.occurred_at')}, 'status', t.status,
                             'description', t.description, 'location', t.location) AS last_event
      FROM tracking_events t WHERE t.tracking_number = w.tracking_number AND t.kind = 'event'
     ORDER BY ${newestEventFirst('t')} LIMIT 1) e ON true
 ORDER BY ${SINCE} DESC, w.tracking_number DESC`;

const ANY_NUMBER = /^.{1,100}$/s;

function conditionsOf(query: z.output<typeof shipmentListInput>, values: unknown[]): string[] {
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions: string[] = [];
  if (query.statuses) conditions.push(`w.status = ANY(${value(query.statuses)}::tracking_status[])`);
  if (query.shops) conditions.push(ofShops(value(query.shops)));
  if (query.carrier !== undefined) conditions.push(ofCarrier(value(query.carrier)));
  if (query.since_from !== undefined) conditions.push(`${SINCE} >= ${value(query.since_from)}::timestamptz`);
  if (query.since_to !== undefined) conditions.push(`${SINCE} <= ${value(query.since_to)}::timestamptz`);
  if (query.cursor !== undefined) {
    const { at, id } = decodeTimeCursor(query.cursor, ANY_NUMBER);
    conditions.push(`(${SINCE}, w.tracking_number) < (${value(at)}::timestamptz, ${value(id)})`);
  }
  return conditions;
}

/**
 * Returns a page of shipments, the most recent status first.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listShipments(
  db: Database,
  query: z.output<typeof shipmentListInput>,
): Promise<z.output<typeof shipmentListOutput>> {
  const values: unknown[] = [];
  const conditions = conditionsOf(query, values);
  const limit = `$${values.push(query.limit + 1)}`;
  const { rows } = await db.pool.query<ListedShipment>(listStatement(conditions, limit), values);
  const parcels = rows
    .slice(0, query.limit)
    .map((row) => ({ ...row, carrier: carrierName(row.carrier_code) }));
  const last = parcels.at(-1);
  const next =
    rows.length > query.limit && last ? encodeTimeCursor({ at: last.since, id: last.tracking_number }) : null;
  return { parcels, next };
}

const EVENT = `json_build_object('id', t.id::text, 'kind', t.kind, 'occurred_at', ${instantText('t.occurred_at')},
  'received_at', ${instantText('t.received_at')}, 'status', t.status, 'sub_status', t.sub_status, 'stage', t.stage,
  'provider_status', t.provider_status, 'description', t.description, 'location', t.location, 'source', t.source,
  'record_id', t.inbound_record_id::text)`;

const ONE = `
SELECT ${SUMMARY}, ${CARRIER} AS carrier_code,
       (SELECT count(*)::int FROM ${ORDERS}) AS order_count,
       (SELECT count(*)::int FROM tracking_events t WHERE t.tracking_number = w.tracking_number) AS event_count,
       ARRAY(SELECT ${ORDER} FROM ${ORDERS} ORDER BY o.id DESC LIMIT 100) AS orders,
       ARRAY(SELECT ${EVENT} FROM tracking_events t WHERE t.tracking_number = w.tracking_number
              ORDER BY ${newestEventFirst('t')} LIMIT 500) AS events
  FROM waybills w WHERE w.tracking_number = $1`;

/**
 * Returns one shipment with all of its observations and orders.
 *
 * @throws ServiceError `not_found`
 */
export async function readShipment(db: Database, trackingNumber: string): Promise<ShipmentView> {
  const { rows } = await db.pool.query<ShipmentView>(ONE, [normaliseTrackingNumber(trackingNumber)]);
  const parcel = rows[0];
  if (!parcel) throw new ServiceError('not_found', because('answer.noParcel'));
  return { ...parcel, carrier: carrierName(parcel.carrier_code) };
}
