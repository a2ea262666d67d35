// Written by `npm run sql` from shipments.sql: change that file instead.
import { Statement } from '../../db/statement';

export type observation_kind = 'correction' | 'event' | 'snapshot';
export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type numberArray = (number)[];
export type stringArray = (string)[];

export interface CountByStatusRow {
  count: number;
  status: tracking_status;
}

export const countByStatus = new Statement<undefined, CountByStatusRow>('shipments.countByStatus', `
SELECT status, count(*)::int AS "count" FROM tracking_numbers GROUP BY status`);

export interface CountByStatusInShopsParams {
  shopIds: Readonly<numberArray>;
}

export interface CountByStatusInShopsRow {
  count: number;
  status: tracking_status;
}

export const countByStatusInShops = new Statement<CountByStatusInShopsParams, CountByStatusInShopsRow>('shipments.countByStatusInShops', `
SELECT n.status, count(*)::int AS "count" FROM tracking_numbers n
 WHERE n.tracking_number IN (
   SELECT h.tracking_number FROM tracking_number_shops h WHERE h.shop_id = ANY($1::int[]))
 GROUP BY n.status`, ["shopIds"]);

export interface FindNextCarrierParams {
  after: string;
}

export interface FindNextCarrierRow {
  code: string | null;
}

export const findNextCarrier = new Statement<FindNextCarrierParams, FindNextCarrierRow>('shipments.findNextCarrier', `
-- The first carrier code after \`after\` among tracking numbers and shipments in all shops. Takes one step in each index, however
-- many rows have the code.
SELECT least((SELECT min(carrier_code) FROM tracking_numbers WHERE carrier_code > $1),
             (SELECT min(carrier_code) FROM shipments WHERE carrier_code > $1)) AS code`, ["after"]);

export interface ReadShipmentParams {
  trackingNumber: string;
}

export interface ReadShipmentRow {
  asked_at: Date | null;
  carrier_code: string | null;
  registered_at: Date | null;
  since: Date;
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const readShipment = new Statement<ReadShipmentParams, ReadShipmentRow>('shipments.readShipment', `
SELECT n.tracking_number, n.status, n.sub_status,
       coalesce(n.status_at, n.created_at) AS "since",
       n.carrier_code,
       n.asked_at,
       n.registered_at
  FROM tracking_numbers n WHERE n.tracking_number = $1`, ["trackingNumber"]);

export interface DescribeOrdersParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface DescribeOrdersRow {
  carrier_code: string | null;
  count: number;
  newest: Json;
  tracking_number: string;
}

export const describeOrders = new Statement<DescribeOrdersParams, DescribeOrdersRow>('shipments.describeOrders', `
-- For each number that has orders: how many there are in all shops, the newest of them, and the carrier code of the newest
-- shipment that has one.
SELECT s.tracking_number, count(*)::int AS "count",
       (array_agg(s.carrier_code ORDER BY s.id DESC) FILTER (WHERE s.carrier_code IS NOT NULL))[1] AS carrier_code,
       (array_agg(json_build_object('id', o.id::text, 'receipt_id', o.receipt_id, 'shop_id', o.shop_id, 'shop', p.name,
                                    'status', o.status) ORDER BY o.id DESC))[1] AS "newest"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = ANY($1::text[]) GROUP BY s.tracking_number`, ["trackingNumbers"]);

export interface FindNumbersOfCarrierParams {
  carrier: string;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindNumbersOfCarrierRow {
  tracking_number: string;
}

export const findNumbersOfCarrier = new Statement<FindNumbersOfCarrierParams, FindNumbersOfCarrierRow>('shipments.findNumbersOfCarrier', `
-- Returns which of the numbers have a shipment of the carrier.
SELECT DISTINCT tracking_number FROM shipments
 WHERE tracking_number = ANY($1::text[]) AND lower(carrier_code) = lower($2)`, ["trackingNumbers","carrier"]);

export interface ListLastEventsParams {
  progress: Readonly<stringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export interface ListLastEventsRow {
  event: Json;
  tracking_number: string;
}

export const listLastEvents = new Statement<ListLastEventsParams, ListLastEventsRow>('shipments.listLastEvents', `
-- The newest event of each number, in the order of event-order.ts.
SELECT DISTINCT ON (t.tracking_number) t.tracking_number,
       json_build_object('occurred_at', to_char(t.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                         'status', t.status, 'description', t.description, 'location', t.location) AS "event"
  FROM tracking_events t WHERE t.tracking_number = ANY($1::text[]) AND t.kind = 'event'
 ORDER BY t.tracking_number, t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position($2::text[], t.sub_status) DESC NULLS LAST, t.identity DESC`, ["trackingNumbers","progress"]);

export interface ListOrdersOfNumberParams {
  trackingNumber: string;
}

export interface ListOrdersOfNumberRow {
  id: string;
  receipt_id: string;
  shop: string;
  shop_id: number;
  status: order_status;
  total: number;
}

export const listOrdersOfNumber = new Statement<ListOrdersOfNumberParams, ListOrdersOfNumberRow>('shipments.listOrdersOfNumber', `
-- The newest hundred orders in all shops, with their total number.
SELECT o.id::text AS "id", o.receipt_id, o.shop_id, p.name AS shop, o.status, count(*) OVER ()::int AS "total"
  FROM shipments s
  JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
  JOIN shops p ON p.id = o.shop_id
 WHERE s.tracking_number = $1 ORDER BY o.id DESC LIMIT 100`, ["trackingNumber"]);

export interface ListObservationsParams {
  progress: Readonly<stringArray>;
  trackingNumber: string;
}

export interface ListObservationsRow {
  description: string | null;
  id: string;
  kind: observation_kind;
  location: string | null;
  occurred_at: Date;
  provider_status: string | null;
  received_at: Date;
  record_id: string | null;
  source: string;
  stage: string | null;
  status: tracking_status | null;
  sub_status: string | null;
  total: number;
}

export const listObservations = new Statement<ListObservationsParams, ListObservationsRow>('shipments.listObservations', `
-- The newest five hundred observations, in the order of event-order.ts, with their total number.
SELECT t.id::text AS "id", t.kind,
       t.occurred_at,
       t.received_at,
       t.status, t.sub_status, t.stage, t.provider_status, t.description, t.location, t.source,
       t.inbound_record_id::text AS record_id, count(*) OVER ()::int AS "total"
  FROM tracking_events t WHERE t.tracking_number = $1
 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
          array_position($2::text[], t.sub_status) DESC NULLS LAST, t.identity DESC LIMIT 500`, ["trackingNumber","progress"]);
