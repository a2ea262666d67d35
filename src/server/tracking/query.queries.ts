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
  carrier_code: string | null;
  id: string;
  receipt_id: string;
  shipments: Json | null;
  status: order_status;
}

export const findOrder = new Statement<FindOrderParams, FindOrderRow>('query.findOrder', `
-- Finds an order by id, and by tracking number if one is passed, with its shipments (or only that one), newest first. Its shop
-- is not known yet.
SELECT o.id, o.receipt_id, o.status, o.carrier_code,
       (SELECT json_agg(json_build_object('tracking_number', s.tracking_number, 'carrier', s.carrier_code)
                        ORDER BY s.created_at DESC, s.id)
          FROM shipments s
         WHERE s.shop_id = o.shop_id AND s.order_id = o.id
           AND ($1::text IS NULL OR s.tracking_number = $1)) AS shipments
  FROM orders o
 WHERE o.id = $2 AND ($1::text IS NULL OR EXISTS (
   SELECT FROM shipments s
    WHERE s.shop_id = o.shop_id AND s.order_id = o.id AND s.tracking_number = $1))`, ["trackingNumber","id"]);

export interface FindNewestOrderParams {
  trackingNumber: string;
}

export interface FindNewestOrderRow {
  carrier_code: string | null;
  id: string;
  receipt_id: string;
  shipments: Json | null;
  status: order_status;
}

export const findNewestOrder = new Statement<FindNewestOrderParams, FindNewestOrderRow>('query.findNewestOrder', `
-- Finds the newest order with a tracking number in any shop. Returns the same columns as findOrder.
SELECT o.id, o.receipt_id, o.status, o.carrier_code,
       json_build_array(json_build_object('tracking_number', s.tracking_number, 'carrier', s.carrier_code)) AS shipments
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = $1 ORDER BY o.id DESC LIMIT 1`, ["trackingNumber"]);

export interface ReadTrackingNumbersParams {
  progress: Readonly<stringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export interface ReadTrackingNumbersRow {
  carrier: string | null;
  events: Json;
  since: number | null;
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const readTrackingNumbers = new Statement<ReadTrackingNumbersParams, ReadTrackingNumbersRow>('query.readTrackingNumbers', `
-- What is known about tracking numbers, regardless of orders.
SELECT n.tracking_number, n.carrier_code AS carrier, n.status, n.sub_status,
       (extract(epoch FROM n.status_at) * 1000)::float8 AS since,
       (SELECT coalesce(json_agg(json_build_object('time', extract(epoch FROM e.occurred_at) * 1000, 'status', e.status,
                                                   'description', e.description, 'location', e.location)
                                 ORDER BY e.occurred_at DESC, e.status DESC NULLS LAST,
                                          array_position($1::text[], e.sub_status) DESC NULLS LAST,
                                          e.identity DESC), '[]')
          FROM tracking_events e WHERE e.tracking_number = n.tracking_number AND e.kind = 'event') AS "events"
  FROM tracking_numbers n WHERE n.tracking_number = ANY($2::text[])`, ["progress","trackingNumbers"]);

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
