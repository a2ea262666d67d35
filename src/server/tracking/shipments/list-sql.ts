import type { z } from 'zod';
import { decodeTimeCursor, instantText } from '../../core/cursor';
import { newestEventFirst } from '../../orders/tracking/event-order';
import type { shipmentListInput } from './schema';

/** The list's statement, composed from the filter. */

/** Has an index of its own. */
const SINCE = 'coalesce(n.status_at, n.created_at)';

/** The carrier's code: from the carrier's answer, else from the newest shipment. */
const CARRIER = `
coalesce(n.carrier_code, (SELECT s.carrier_code FROM shipments s
  WHERE s.tracking_number = n.tracking_number AND s.carrier_code IS NOT NULL ORDER BY s.id DESC LIMIT 1))`;

const ORDER = `json_build_object('id', o.id::text, 'receipt_id', o.receipt_id, 'shop_id', o.shop_id,
  'shop', p.name, 'status', o.status)`;

/** Finds the page's shipments first, and reads orders and events only for them. */
const listStatement = (conditions: readonly string[], limit: string) => `
SELECT n.tracking_number, n.status, n.sub_status, ${instantText(SINCE)} AS since, ${CARRIER} AS carrier_code,
       ${instantText('n.asked_at')} AS asked_at, ${instantText('n.registered_at')} AS registered_at,
       x.orders->0 AS order, x.count AS order_count, e.last_event
  FROM (SELECT n.* FROM tracking_numbers n ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
         ORDER BY ${SINCE} DESC, n.tracking_number DESC LIMIT ${limit}) n
  LEFT JOIN LATERAL (
    SELECT json_agg(${ORDER} ORDER BY o.id DESC) AS orders, count(*)::int AS count
      FROM shipments s
      JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
      JOIN shops p ON p.id = o.shop_id
     WHERE s.tracking_number = n.tracking_number) x ON true
  LEFT JOIN LATERAL (
    SELECT json_build_object('occurred_at', ${instantText('t.occurred_at')}, 'status', t.status,
                             'description', t.description, 'location', t.location) AS last_event
      FROM tracking_events t WHERE t.tracking_number = n.tracking_number AND t.kind = 'event'
     ORDER BY ${newestEventFirst('t')} LIMIT 1) e ON true
 ORDER BY ${SINCE} DESC, n.tracking_number DESC`;

const ANY_NUMBER = /^.{1,100}$/s;

function conditionsOf(query: z.output<typeof shipmentListInput>, values: unknown[]): string[] {
  const value = (given: unknown) => `$${values.push(given)}`;
  const conditions: string[] = [];
  if (query.statuses) conditions.push(`n.status = ANY(${value(query.statuses)}::tracking_status[])`);
  if (query.shops)
    conditions.push(`EXISTS (
      SELECT FROM tracking_number_shops h
       WHERE h.tracking_number = n.tracking_number AND h.shop_id = ANY(${value(query.shops)}::int[]))`);
  if (query.carrier !== undefined) {
    const code = value(query.carrier);
    conditions.push(`(lower(n.carrier_code) = lower(${code}) OR n.carrier_code IS NULL AND EXISTS (
      SELECT FROM shipments s
       WHERE s.tracking_number = n.tracking_number AND lower(s.carrier_code) = lower(${code})))`);
  }
  if (query.since_from !== undefined) conditions.push(`${SINCE} >= ${value(query.since_from)}::timestamptz`);
  if (query.since_to !== undefined) conditions.push(`${SINCE} <= ${value(query.since_to)}::timestamptz`);
  if (query.cursor !== undefined) {
    const { at, id } = decodeTimeCursor(query.cursor, ANY_NUMBER);
    conditions.push(`(${SINCE}, n.tracking_number) < (${value(at)}::timestamptz, ${value(id)})`);
  }
  return conditions;
}

/**
 * Returns the statement of a page of shipments, the most recent status first, with one row more than the page has.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export function shipmentsPage(query: z.output<typeof shipmentListInput>): {
  text: string;
  values: unknown[];
} {
  const values: unknown[] = [];
  const conditions = conditionsOf(query, values);
  const limit = `$${values.push(query.limit + 1)}::int`;
  return { text: listStatement(conditions, limit), values };
}
