// Written by `npm run sql` from tracking-numbers.sql: change that file instead.
import { Statement } from '../../db/statement';

export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

export interface FindReceiptsParams {
  receiptIds: Readonly<stringArray>;
  shopId: number;
}

export interface FindReceiptsRow {
  order_id: string | null;
}

export const findReceipts = new Statement<FindReceiptsParams, FindReceiptsRow>('tracking-numbers.findReceipts', `
-- The shop's orders with these order numbers, in the same order; null where the shop has no such order.
SELECT o.id::text AS "order_id"
  FROM unnest($1::text[]) WITH ORDINALITY AS r(receipt_id, ord)
  LEFT JOIN orders o ON o.shop_id = $2 AND o.receipt_id = r.receipt_id ORDER BY r.ord`, ["receiptIds","shopId"]);

export interface AddShipmentsParams {
  carrierCodes: Readonly<stringArray>;
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
  trackingNumbers: Readonly<stringArray>;
}

export interface AddShipmentsRow {
  added: boolean;
  carrier_code: string | null;
  order_id: string;
  tracking_number: string;
}

export const addShipments = new Statement<AddShipmentsParams, AddShipmentsRow>('tracking-numbers.addShipments', `
-- If the order already has the shipment, only its carrier changes. \`xmax\` is zero for rows that are new.
INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code)
SELECT DISTINCT ON (r.order_id, r.tracking_number) $1, r.order_id, r.tracking_number, nullif(r.carrier_code, '')
  FROM unnest($2::bigint[], $3::text[], $4::text[])
       WITH ORDINALITY AS r(order_id, tracking_number, carrier_code, ord)
 ORDER BY r.order_id, r.tracking_number, r.ord DESC
    ON CONFLICT (shop_id, order_id, tracking_number) DO UPDATE
   SET carrier_code = EXCLUDED.carrier_code, updated_at = EXCLUDED.updated_at
 WHERE EXCLUDED.carrier_code IS NOT NULL AND EXCLUDED.carrier_code IS DISTINCT FROM shipments.carrier_code
RETURNING order_id::text AS "order_id", tracking_number, carrier_code, xmax = 0 AS "added"`, ["shopId","orderIds","trackingNumbers","carrierCodes"]);

export interface ShipOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const shipOrders = new Statement<ShipOrdersParams, never>('tracking-numbers.shipOrders', `
-- A tracking number means that the order is shipped.
UPDATE orders SET status = greatest(status, 'shipped'::order_status), updated_at = now()
 WHERE shop_id = $1 AND id = ANY($2::bigint[]) AND status < 'shipped'`, ["shopId","orderIds"]);

export interface LockTrackingNumberParams {
  trackingNumber: string;
}

export interface LockTrackingNumberRow {
  tracking_number: string;
}

export const lockTrackingNumber = new Statement<LockTrackingNumberParams, LockTrackingNumberRow>('tracking-numbers.lockTrackingNumber', `
SELECT tracking_number FROM tracking_numbers WHERE tracking_number = $1 FOR UPDATE`, ["trackingNumber"]);

export interface RemoveShipmentParams {
  orderId: NumberOrString;
  shopId: number;
  trackingNumber: string;
}

export interface RemoveShipmentRow {
  carrier_code: string | null;
  import_id: string | null;
}

export const removeShipment = new Statement<RemoveShipmentParams, RemoveShipmentRow>('tracking-numbers.removeShipment', `
DELETE FROM shipments WHERE shop_id = $1 AND order_id = $2 AND tracking_number = $3
RETURNING carrier_code, import_id::text`, ["shopId","orderId","trackingNumber"]);

export interface ForgetTrackingNumberParams {
  trackingNumber: string;
}

export const forgetTrackingNumber = new Statement<ForgetTrackingNumberParams, never>('tracking-numbers.forgetTrackingNumber', `
-- Deletes a locked number without shops and events, so that no carrier is queried for it.
DELETE FROM tracking_numbers w WHERE w.tracking_number = $1
   AND NOT EXISTS (SELECT FROM tracking_number_shops h WHERE h.tracking_number = w.tracking_number)
   AND NOT EXISTS (SELECT FROM tracking_events e WHERE e.tracking_number = w.tracking_number)`, ["trackingNumber"]);

export interface ReadLastRemovalParams {
  orderId: string;
  trackingNumber: string;
}

export interface ReadLastRemovalRow {
  carrier_code: string | null;
  import_id: string | null;
}

export const readLastRemoval = new Statement<ReadLastRemovalParams, ReadLastRemovalRow>('tracking-numbers.readLastRemoval', `
SELECT before->>'carrier_code' AS carrier_code, before->>'import_id' AS import_id FROM audit_log
 WHERE record_type = 'order' AND record_id = $1 AND action = 'order.remove_tracking_number'
   AND before->>'tracking_number' = $2::text
 ORDER BY created_at DESC, id DESC LIMIT 1`, ["orderId","trackingNumber"]);

export interface RestoreShipmentParams {
  carrierCode: string | null;
  importId: NumberOrString | null;
  orderId: NumberOrString;
  shopId: number;
  trackingNumber: string;
}

export interface RestoreShipmentRow {
  id: string;
}

export const restoreShipment = new Statement<RestoreShipmentParams, RestoreShipmentRow>('tracking-numbers.restoreShipment', `
INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code, import_id)
VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (shop_id, order_id, tracking_number) DO NOTHING
RETURNING id`, ["shopId","orderId","trackingNumber","carrierCode","importId"]);
