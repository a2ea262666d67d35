// Written by `npm run sql` from detail.sql: change that file instead.
import { Statement } from '../../db/statement';

export type observation_kind = 'correction' | 'event' | 'snapshot';
export type order_status = 'cancelled' | 'delivered' | 'paid' | 'pending' | 'shipped';
export type tracking_status = 'available_for_pickup' | 'delivered' | 'delivery_failure' | 'exception' | 'expired' | 'in_transit' | 'info_received' | 'not_found' | 'out_for_delivery';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ReadOrderParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ReadOrderRow {
  buyer: string | null;
  carrier_code: string | null;
  city: string | null;
  country_code: string | null;
  country_name: string | null;
  created_at: Date;
  currency: string | null;
  discounts: string | null;
  first_line: string | null;
  id: string;
  inperson_discount: string | null;
  inperson_location: string | null;
  items_total: string | null;
  name: string | null;
  note: string | null;
  order_sales_tax: string | null;
  order_shipping: string | null;
  order_type: string | null;
  paid: string | null;
  payment_method: string | null;
  receipt_id: string;
  sale_date: Date | null;
  second_line: string | null;
  shipped_indicator: string | null;
  shipping_discount: string | null;
  shop: string;
  shop_id: number;
  sold_on: string | null;
  state: string | null;
  status: order_status;
  tracking_status: tracking_status | null;
  updated_at: Date;
  value: string | null;
  vat_paid_by_buyer: string | null;
  zip: string | null;
}

export const readOrder = new Statement<ReadOrderParams, ReadOrderRow>('detail.readOrder', `
SELECT o.id::text AS "id", o.receipt_id, o.shop_id, s.name AS shop, o.status, o.tracking_status,
       o.sale_date, o.sold_on, o.shipped_indicator,
       o.buyer, o.currency,
       trim_scale(v.items_total)::text AS items_total, trim_scale(v.discounts)::text AS discounts,
       trim_scale(v.value)::text AS value,
       trim_scale(v.value + coalesce(o.order_shipping, 0) - coalesce(o.shipping_discount, 0)
                          + coalesce(o.order_sales_tax, 0) + coalesce(o.vat_paid_by_buyer, 0))::text AS paid,
       trim_scale(o.shipping_discount)::text AS shipping_discount, trim_scale(o.order_shipping)::text AS order_shipping,
       trim_scale(o.order_sales_tax)::text AS order_sales_tax, trim_scale(o.vat_paid_by_buyer)::text AS vat_paid_by_buyer,
       trim_scale(o.inperson_discount)::text AS inperson_discount,
       o.inperson_location, o.name, o.first_line, o.second_line, o.city, o.state, o.zip, o.country_name,
       o.country_code::text, o.order_type, o.payment_method, o.carrier_code, o.note,
       o.created_at,
       o.updated_at
  FROM orders o JOIN shops s ON s.id = o.shop_id
 CROSS JOIN LATERAL (
   SELECT sum(t.total) AS items_total, sum(t.discount_amount) FILTER (WHERE t.total IS NOT NULL) AS discounts,
          sum(t.total - coalesce(t.discount_amount, 0)) - coalesce(o.inperson_discount, 0) AS value
     FROM (SELECT coalesce(i.item_total, i.price * coalesce(i.quantity, 1)) AS total, i.discount_amount
             FROM order_items i WHERE i.shop_id = o.shop_id AND i.order_id = o.id) t) v
 WHERE o.shop_id = $1 AND o.id = $2`, ["shopId","orderId"]);

export interface ListItemsParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ListItemsRow {
  choices: string | null;
  coupon_code: string | null;
  coupon_details: string | null;
  discount_amount: string | null;
  extra: Json | null;
  id: string;
  is_blank: boolean;
  item_total: string | null;
  listing_id: string | null;
  listing_type: string | null;
  price: string | null;
  quantity: number | null;
  sku: string | null;
  title: string | null;
  transaction_id: string | null;
  variations: string | null;
}

export const listItems = new Statement<ListItemsParams, ListItemsRow>('detail.listItems', `
SELECT i.id::text AS "id", i.transaction_id, i.listing_id, i.title, i.variations, i.choices AS "choices",
       i.is_blank AS "is_blank", i.sku, i.quantity,
       trim_scale(i.price)::text AS price, trim_scale(i.discount_amount)::text AS discount_amount,
       trim_scale(coalesce(i.item_total, i.price * coalesce(i.quantity, 1)))::text AS item_total,
       i.coupon_code, i.coupon_details, i.listing_type, i.extra
  FROM described_items i WHERE i.shop_id = $1 AND i.order_id = $2 ORDER BY i.id`, ["shopId","orderId"]);

export interface ListShipmentsParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ListShipmentsRow {
  carrier_code: string | null;
  tracking_number: string;
}

export const listShipments = new Statement<ListShipmentsParams, ListShipmentsRow>('detail.listShipments', `
SELECT tracking_number, carrier_code FROM shipments WHERE shop_id = $1 AND order_id = $2 ORDER BY id`, ["shopId","orderId"]);

export interface ReadTrackingNumbersParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface ReadTrackingNumbersRow {
  carrier_code: string | null;
  status: tracking_status;
  sub_status: string | null;
  tracking_number: string;
}

export const readTrackingNumbers = new Statement<ReadTrackingNumbersParams, ReadTrackingNumbersRow>('detail.readTrackingNumbers', `
SELECT tracking_number, carrier_code, status, sub_status FROM tracking_numbers
 WHERE tracking_number = ANY($1::text[])`, ["trackingNumbers"]);

export interface ListEventsParams {
  progress: Readonly<stringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export interface ListEventsRow {
  description: string | null;
  id: string;
  kind: observation_kind;
  location: string | null;
  occurred_at: Date;
  provider_status: string | null;
  source: string;
  status: tracking_status | null;
  sub_status: string | null;
  tracking_number: string;
}

export const listEvents = new Statement<ListEventsParams, ListEventsRow>('detail.listEvents', `
-- The newest 500 of each tracking number. Events of the same instant are sorted by progress, the furthest first (event-order.ts).
-- The last column only makes the order stable.
SELECT e.tracking_number, e.id::text AS "id", e.kind,
       e.occurred_at, e.status, e.sub_status,
       e.provider_status, e.description, e.location, e.source
  FROM (SELECT t.*, row_number() OVER (
                 PARTITION BY t.tracking_number
                 ORDER BY t.occurred_at DESC, t.status DESC NULLS LAST,
                          array_position($1::text[], t.sub_status) DESC NULLS LAST, t.identity DESC) AS nth
          FROM tracking_events t WHERE t.tracking_number = ANY($2::text[])) e
 WHERE e.nth <= 500
 ORDER BY e.tracking_number, e.nth`, ["progress","trackingNumbers"]);

export interface ListNotesParams {
  orderId: NumberOrString;
  shopId: number;
  userId: number;
}

export interface ListNotesRow {
  author: string;
  created_at: Date;
  id: number;
  own: boolean;
  text: string;
}

export const listNotes = new Statement<ListNotesParams, ListNotesRow>('detail.listNotes', `
SELECT id, author, coalesce(user_id = $1, false) AS "own", text,
       created_at
  FROM order_notes WHERE shop_id = $2 AND order_id = $3 ORDER BY id DESC`, ["userId","shopId","orderId"]);

export interface ListHistoryParams {
  orderId: NumberOrString;
  shopId: number;
}

export interface ListHistoryRow {
  action: string | null;
  actor: string;
  after: Json | null;
  at: Date | null;
  before: Json | null;
  import_id: string | null;
  kind: string;
  record: string;
}

export const listHistory = new Statement<ListHistoryParams, ListHistoryRow>('detail.listHistory', `
-- The latest two hundred changes: by imports, and by users according to the audit log.
SELECT h.at, kind AS "kind", actor AS "actor",
       h.import_id::text AS import_id, record AS "record", action, before, after
  FROM (
    SELECT c.id AS position, m.created_at AS at, 'import' AS kind, m.actor, m.id AS import_id, c.record::text, NULL AS action,
           c.before, c.after
      FROM import_changes c JOIN imports m ON m.shop_id = c.shop_id AND m.id = c.import_id
     WHERE c.shop_id = $1 AND c.order_id = $2
    UNION ALL
    SELECT 0, o.created_at, 'created', coalesce(m.actor, ''), m.id, 'order', NULL, NULL, NULL
      FROM orders o LEFT JOIN imports m ON m.shop_id = o.shop_id AND m.id = o.import_id
     WHERE o.shop_id = $1 AND o.id = $2
    UNION ALL
    SELECT a.id, a.created_at, 'user', a.actor, NULL, a.record_type, a.action, a.before, a.after
      FROM audit_log a WHERE a.record_type = 'order' AND a.record_id = $2::bigint::text) h
 ORDER BY date_trunc('milliseconds', h.at) DESC, h.position DESC LIMIT 200`, ["shopId","orderId"]);
