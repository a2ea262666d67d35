// Written by `npm run sql` from query.sql: change that file instead.
import { Statement } from '../db/statement';

export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface FindOrderParams {
  id: NumberOrString;
  trackingNumber: string | null;
}

export interface FindOrderRow {
  id: string;
  receipt_id: string;
  shop_id: number;
  status: order_status;
}

export const findOrder = new Statement<FindOrderParams, FindOrderRow>('query.findOrder', `
-- An order by its id, and by one of its tracking numbers if that is given. Its shop is not known yet.
SELECT o.shop_id, o.id, o.receipt_id, o.status FROM orders o
 WHERE o.id = $1 AND ($2::text IS NULL OR EXISTS (
   SELECT FROM shipments s
    WHERE s.shop_id = o.shop_id AND s.order_id = o.id AND s.tracking_number = $2))`, ["id","trackingNumber"]);

export interface FindNewestOrderParams {
  trackingNumber: string;
}

export interface FindNewestOrderRow {
  id: string;
  receipt_id: string;
  shop_id: number;
  status: order_status;
}

export const findNewestOrder = new Statement<FindNewestOrderParams, FindNewestOrderRow>('query.findNewestOrder', `
-- The newest order under a number, of any shop.
SELECT o.shop_id, o.id, o.receipt_id, o.status
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = $1 ORDER BY o.id DESC LIMIT 1`, ["trackingNumber"]);

export interface ListShipmentsOfOrderParams {
  limit: number;
  orderId: NumberOrString;
  progress: Readonly<stringArray>;
  shopId: number;
  trackingNumber: string | null;
}

export interface ListShipmentsOfOrderRow {
  carrier: string | null;
  deciding: number;
  events: Json;
  since: number | null;
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const listShipmentsOfOrder = new Statement<ListShipmentsOfOrderParams, ListShipmentsOfOrderRow>('query.listShipmentsOfOrder', `
-- The newest number first, as the text names them. \`deciding\` is 1 for the shipment that sets the order's status: an exception,
-- else a failed delivery, else the least advanced. It is always included, however many there are.
SELECT p.tracking_number, p.carrier, p.status, p.sub_status, p.since, p.deciding AS "deciding",
       (SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                                                   'description', e.description, 'location', e.location)
                                 ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                                          array_position($1::text[], e.sub_status) DESC NULLS LAST,
                                          e.identity DESC), '[]')
          FROM tracking_events e WHERE e.tracking_number = p.tracking_number AND e.kind = 'event') AS "events"
  FROM (SELECT n.tracking_number, coalesce(s.carrier_code, n.carrier_code, o.carrier_code) AS carrier, n.status, n.sub_status,
               (extract(epoch FROM n.status_at) * 1000)::float8 AS since,
               row_number() OVER (ORDER BY s.created_at DESC, s.id)::int AS nth,
               row_number() OVER (ORDER BY n.status = 'exception' DESC, n.status = 'delivery_failure' DESC, n.status,
                                           s.created_at DESC, s.id)::int AS deciding
          FROM shipments s
          JOIN tracking_numbers n ON n.tracking_number = s.tracking_number
          JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
         WHERE s.shop_id = $2 AND s.order_id = $3
           AND ($4::text IS NULL OR s.tracking_number = $4)) p
 WHERE p.nth <= $5::int OR p.deciding = 1 ORDER BY p.nth`, ["progress","shopId","orderId","trackingNumber","limit"]);

export interface FindShipmentParams {
  progress: Readonly<stringArray>;
  trackingNumber: string;
}

export interface FindShipmentRow {
  carrier: string | null;
  deciding: number;
  events: Json;
  since: number | null;
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const findShipment = new Statement<FindShipmentParams, FindShipmentRow>('query.findShipment', `
-- A tracking number without regard to orders, in the columns of the statement above.
SELECT n.tracking_number, n.carrier_code AS carrier, n.status, n.sub_status,
       (extract(epoch FROM n.status_at) * 1000)::float8 AS since, 1 AS "deciding",
       (SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                                                   'description', e.description, 'location', e.location)
                                 ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                                          array_position($1::text[], e.sub_status) DESC NULLS LAST,
                                          e.identity DESC), '[]')
          FROM tracking_events e WHERE e.tracking_number = n.tracking_number AND e.kind = 'event') AS "events"
  FROM tracking_numbers n WHERE n.tracking_number = $2`, ["progress","trackingNumber"]);

export interface ListNumbersOfReceiptParams {
  limit: NumberOrString;
  receiptId: string;
  trackingNumber: string | null;
}

export interface ListNumbersOfReceiptRow {
  tracking_number: string;
}

export const listNumbersOfReceipt = new Statement<ListNumbersOfReceiptParams, ListNumbersOfReceiptRow>('query.listNumbersOfReceipt', `
-- The tracking numbers of an order number in all shops.
SELECT DISTINCT s.tracking_number FROM orders o JOIN shipments s ON s.shop_id = o.shop_id AND s.order_id = o.id
 WHERE o.receipt_id = $1 AND ($2::text IS NULL OR s.tracking_number = $2)
 ORDER BY s.tracking_number LIMIT $3`, ["receiptId","trackingNumber","limit"]);
