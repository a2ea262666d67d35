// Written by `npm run sql` from shipping.sql: change that file instead.
import { Statement } from '../../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type numberArray = (number)[];

export interface ListPickItemsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface ListPickItemsRow {
  orders: Json;
  quantity: number;
  sku: string | null;
  title: string | null;
  variations: string | null;
}

export const listPickItems = new Statement<ListPickItemsParams, ListPickItemsRow>('shipping.listPickItems', `
-- Identical items of the orders combined, with the orders that need them. A missing quantity counts as one. Blank items are left
-- out.
SELECT p.sku, p.title, p.variations, sum(p.quantity)::int AS "quantity",
       json_agg(json_build_object('receipt_id', p.receipt_id, 'quantity', p.quantity) ORDER BY p.receipt_id) AS "orders"
  FROM (SELECT t.sku, coalesce(t.title, t.listing_id) AS title, t.choices AS variations, o.receipt_id,
               sum(coalesce(t.quantity, 1))::int AS quantity
          FROM orders o JOIN described_items t ON t.shop_id = o.shop_id AND t.order_id = o.id
         WHERE o.shop_id = ANY($1::int[]) AND o.id = ANY($2::bigint[])
           AND NOT t.is_blank
         GROUP BY t.sku, 2, 3, o.shop_id, o.receipt_id) p
 GROUP BY p.sku, p.title, p.variations
 ORDER BY p.sku, p.title, p.variations`, ["shopIds","orderIds"]);

export interface ListSlipsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface ListSlipsRow {
  buyer: string | null;
  city: string | null;
  country_name: string | null;
  first_line: string | null;
  id: string;
  name: string | null;
  note: string | null;
  receipt_id: string;
  sale_date: Date | null;
  second_line: string | null;
  shop: string;
  state: string | null;
  time_zone: string;
  zip: string | null;
}

export const listSlips = new Statement<ListSlipsParams, ListSlipsRow>('shipping.listSlips', `
-- In the order of the ids. Without prices: the order may be a gift.
SELECT o.id::text AS "id", o.receipt_id, s.name AS shop, s.time_zone, o.sale_date, o.buyer, o.name, o.first_line, o.second_line,
       o.city, o.state, o.zip, o.country_name, o.note
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = ANY($1::int[]) AND o.id = ANY($2::bigint[])
 ORDER BY array_position($2::bigint[], o.id)`, ["shopIds","orderIds"]);

export interface ListSlipItemsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopIds: Readonly<numberArray>;
}

export interface ListSlipItemsRow {
  id: string;
  order_id: string;
  quantity: number;
  sku: string | null;
  title: string | null;
  variations: string | null;
}

export const listSlipItems = new Statement<ListSlipItemsParams, ListSlipItemsRow>('shipping.listSlipItems', `
SELECT t.order_id::text AS "order_id", t.id::text AS "id", t.sku, coalesce(t.title, t.listing_id) AS "title",
       t.choices AS "variations", coalesce(t.quantity, 1) AS "quantity"
  FROM described_items t WHERE t.shop_id = ANY($1::int[]) AND t.order_id = ANY($2::bigint[])
   AND NOT t.is_blank
 ORDER BY t.id`, ["shopIds","orderIds"]);
