// Written by `npm run sql` from shop-fit.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type stringArray = (string)[];

export interface CountForeignCurrenciesParams {
  currencies: Readonly<stringArray>;
  orders: Json | Uint8Array | null;
  shopId: number;
}

export interface CountForeignCurrenciesRow {
  count: number;
  currency: string;
}

export const countForeignCurrencies = new Statement<CountForeignCurrenciesParams, CountForeignCurrenciesRow>('shop-fit.countForeignCurrencies', `
-- The file's orders in another currency than the shop's.
SELECT j.currency AS "currency", count(*)::int AS "count"
  FROM json_to_recordset($1::json) AS j(currency text)
  JOIN shops s ON s.id = $2 AND s.currency <> j.currency
 WHERE j.currency = ANY($3::text[])
 GROUP BY j.currency ORDER BY 2 DESC, 1 LIMIT 5`, ["orders","shopId","currencies"]);

export interface CountForeignReceiptsParams {
  receiptIds: Readonly<stringArray>;
  shopId: number;
}

export interface CountForeignReceiptsRow {
  count: number;
  shop: string;
}

export const countForeignReceipts = new Statement<CountForeignReceiptsParams, CountForeignReceiptsRow>('shop-fit.countForeignReceipts', `
-- Across all shops: the file's order numbers that another shop has and this one does not.
SELECT s.name AS "shop", count(*)::int AS "count"
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.receipt_id = ANY($1::text[]) AND o.shop_id <> $2
   AND o.receipt_id NOT IN (
         SELECT receipt_id FROM orders WHERE shop_id = $2 AND receipt_id = ANY($1::text[]))
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5`, ["receiptIds","shopId"]);

export interface FindUnknownListingsParams {
  items: Json | Uint8Array | null;
  shopId: number;
}

export interface FindUnknownListingsRow {
  listing_id: string;
}

export const findUnknownListings = new Statement<FindUnknownListingsParams, FindUnknownListingsRow>('shop-fit.findUnknownListings', `
-- The file's listings that the shop has not sold yet. Each is looked up on its own, because one item is enough.
SELECT l.listing_id AS "listing_id"
  FROM (SELECT DISTINCT listing_id FROM json_to_recordset($1::json) AS j(listing_id text)
         WHERE listing_id IS NOT NULL) l
  LEFT JOIN LATERAL (
    SELECT i.id FROM order_items i WHERE i.shop_id = $2 AND i.listing_id = l.listing_id LIMIT 1) own ON true
 WHERE own.id IS NULL`, ["items","shopId"]);

export interface CountForeignListingsParams {
  listingIds: Readonly<stringArray>;
  shopId: number;
}

export interface CountForeignListingsRow {
  count: number;
  shop: string;
}

export const countForeignListings = new Statement<CountForeignListingsParams, CountForeignListingsRow>('shop-fit.countForeignListings', `
-- Across all shops: how many of the listings each other shop has sold.
SELECT s.name AS "shop", count(*)::int AS "count"
  FROM (SELECT DISTINCT i.shop_id, i.listing_id FROM order_items i
         WHERE i.listing_id = ANY($1::text[]) AND i.shop_id <> $2) found
  JOIN shops s ON s.id = found.shop_id
 GROUP BY s.name ORDER BY 2 DESC, 1 LIMIT 5`, ["listingIds","shopId"]);
