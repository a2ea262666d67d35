// Written by `npm run sql` from countries.sql: change that file instead.
import { Statement } from '../db/statement';

export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface ListUnmatchedParams {
  limit: NumberOrString;
}

export interface ListUnmatchedRow {
  country_name: string;
  last_order_at: Date;
  orders: number;
}

export const listUnmatched = new Statement<ListUnmatchedParams, ListUnmatchedRow>('countries.listUnmatched', `
-- Across all shops: names of orders that match no country, the most frequent first.
SELECT country_name AS "country_name", count(*)::int AS "orders", max(created_at) AS "last_order_at"
  FROM orders WHERE country_code IS NULL AND country_name IS NOT NULL
 GROUP BY country_name ORDER BY count(*) DESC, country_name LIMIT $1`, ["limit"]);

export interface ListNamesParams {
  code: string;
}

export interface ListNamesRow {
  country_name: string;
  shop_id: number;
}

export const listNames = new Statement<ListNamesParams, ListNamesRow>('countries.listNames', `
-- Across all shops: the country names of orders with this country.
SELECT DISTINCT shop_id, country_name AS "country_name" FROM orders WHERE country_code = $1 AND country_name IS NOT NULL`, ["code"]);

export interface ListUnmatchedNamesRow {
  country_name: string;
  shop_id: number;
}

export const listUnmatchedNames = new Statement<undefined, ListUnmatchedNamesRow>('countries.listUnmatchedNames', `
-- Across all shops: the country names of orders without a country. Separate from listNames because only IS NULL and = can use the
-- index.
SELECT DISTINCT shop_id, country_name AS "country_name" FROM orders
 WHERE country_code IS NULL AND country_name IS NOT NULL`);

export interface LockOrdersParams {
  from: string | null;
  names: Readonly<stringArray>;
  shopId: number;
}

export interface LockOrdersRow {
  locked: number;
}

export const lockOrders = new Statement<LockOrdersParams, LockOrdersRow>('countries.lockOrders', `
-- In the order of their ids, as imports lock them.
SELECT count(*)::int AS "locked" FROM (
  SELECT FROM orders
   WHERE shop_id = $1 AND country_code IS NOT DISTINCT FROM $2::char(2) AND country_name = ANY($3::text[])
   ORDER BY id FOR UPDATE) held`, ["shopId","from","names"]);

export interface SetCountryParams {
  from: string | null;
  names: Readonly<stringArray>;
  shopId: number;
  to: string | null;
}

export interface SetCountryRow {
  changed: number;
}

export const setCountry = new Statement<SetCountryParams, SetCountryRow>('countries.setCountry', `
UPDATE orders SET country_code = $1, updated_at = now()
 WHERE shop_id = $2 AND country_code IS NOT DISTINCT FROM $3::char(2) AND country_name = ANY($4::text[])
RETURNING 1 AS "changed"`, ["to","shopId","from","names"]);

export const lockAliases = new Statement<undefined, never>('countries.lockAliases', `
LOCK TABLE country_aliases IN SHARE ROW EXCLUSIVE MODE`);
