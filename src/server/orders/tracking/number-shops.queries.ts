// Written by `npm run sql` from number-shops.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type stringArray = (string)[];

export interface LockTrackingNumbersParams {
  shipments: Json | Uint8Array | null;
}

export const lockTrackingNumbers = new Statement<LockTrackingNumbersParams, never>('number-shops.lockTrackingNumbers', `
-- Adds the tracking numbers that are new and locks all of them until the transaction ends. One pass in the order of the numbers,
-- like tracking's merge: adding the new ones first and then locking the others could deadlock with it.
INSERT INTO tracking_numbers (tracking_number)
SELECT DISTINCT tracking_number FROM json_to_recordset($1::json) AS j(tracking_number text)
 ORDER BY tracking_number
    ON CONFLICT (tracking_number) DO UPDATE SET updated_at = tracking_numbers.updated_at WHERE false`, ["shipments"]);

export interface AddShopParams {
  shipments: Json | Uint8Array | null;
  shopId: number;
}

export const addShop = new Statement<AddShopParams, never>('number-shops.addShop', `
-- The numbers leave the queue of unmatched ones.
WITH named AS MATERIALIZED (
  SELECT DISTINCT tracking_number FROM json_to_recordset($1::json) AS j(tracking_number text)
), matched AS (
  UPDATE unmatched_numbers u SET matched_at = now()
   WHERE u.matched_at IS NULL AND u.tracking_number IN (SELECT n.tracking_number FROM named n)
)
INSERT INTO tracking_number_shops (tracking_number, shop_id)
SELECT tracking_number, $2::integer FROM named
    ON CONFLICT (tracking_number, shop_id) DO NOTHING`, ["shipments","shopId"]);

export interface AddUnmatchedParams {
  trackingNumbers: Readonly<stringArray>;
  withNewEvents: Readonly<stringArray>;
}

export const addUnmatched = new Statement<AddUnmatchedParams, never>('number-shops.addUnmatched', `
-- Records the tracking numbers that a callback reported and no order has. \`withNewEvents\` are those with a new event.
INSERT INTO unmatched_numbers AS u (tracking_number)
SELECT n.tracking_number FROM tracking_numbers n
 WHERE n.tracking_number = ANY($1::text[])
   AND NOT EXISTS (SELECT FROM tracking_number_shops h WHERE h.tracking_number = n.tracking_number)
   AND EXISTS (SELECT FROM tracking_events e
                WHERE e.tracking_number = n.tracking_number AND e.inbound_record_id IS NOT NULL)
    ON CONFLICT (tracking_number) DO UPDATE
   SET latest_at = excluded.latest_at, matched_at = NULL,
       since = CASE WHEN u.matched_at IS NULL THEN u.since ELSE excluded.since END
 WHERE u.matched_at IS NOT NULL OR u.tracking_number = ANY($2::text[])`, ["trackingNumbers","withNewEvents"]);

export interface FindUnusedParams {
  shopId: number;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindUnusedRow {
  tracking_number: string;
}

export const findUnused = new Statement<FindUnusedParams, FindUnusedRow>('number-shops.findUnused', `
-- Which of the numbers the shop has no shipment under.
SELECT n.tracking_number AS "tracking_number" FROM unnest($1::text[]) AS n(tracking_number)
 WHERE NOT EXISTS (
   SELECT FROM shipments s WHERE s.shop_id = $2 AND s.tracking_number = n.tracking_number)`, ["trackingNumbers","shopId"]);

export interface RemoveShopParams {
  shopId: number;
  trackingNumbers: Readonly<stringArray>;
}

export const removeShop = new Statement<RemoveShopParams, never>('number-shops.removeShop', `
DELETE FROM tracking_number_shops WHERE tracking_number = ANY($1::text[]) AND shop_id = $2`, ["trackingNumbers","shopId"]);

export interface FindShopsParams {
  trackingNumbers: Readonly<stringArray>;
}

export interface FindShopsRow {
  shop_id: number;
  tracking_numbers: stringArray;
}

export const findShops = new Statement<FindShopsParams, FindShopsRow>('number-shops.findShops', `
SELECT shop_id, array_agg(tracking_number ORDER BY tracking_number) AS "tracking_numbers"
  FROM tracking_number_shops WHERE tracking_number = ANY($1::text[])
 GROUP BY shop_id ORDER BY shop_id`, ["trackingNumbers"]);

export interface FindOrdersParams {
  shopId: number;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindOrdersRow {
  order_id: string;
  tracking_number: string;
}

export const findOrders = new Statement<FindOrdersParams, FindOrdersRow>('number-shops.findOrders', `
SELECT DISTINCT tracking_number, order_id::text AS "order_id" FROM shipments
 WHERE shop_id = $1 AND tracking_number = ANY($2::text[])`, ["shopId","trackingNumbers"]);
