// Written by `npm run sql` from order-days.sql: change that file instead.
import { Statement } from '../../db/statement';

export type DateOrString = Date | string;
export type DateOrStringArray = (DateOrString)[];
export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

export interface FindDaysOfOrdersParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface FindDaysOfOrdersRow {
  day: string;
}

export const findDaysOfOrders = new Statement<FindDaysOfOrdersParams, FindDaysOfOrdersRow>('order-days.findDaysOfOrders', `
-- The days in New York on which orders were sold.
SELECT DISTINCT (sale_date AT TIME ZONE 'America/New_York')::date::text AS "day" FROM orders
 WHERE shop_id = $1 AND id = ANY($2::bigint[]) AND sale_date IS NOT NULL`, ["shopId","orderIds"]);

export interface FindDaysOfImportsParams {
  importIds: Readonly<NumberOrStringArray>;
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface FindDaysOfImportsRow {
  day: string;
}

export const findDaysOfImports = new Statement<FindDaysOfImportsParams, FindDaysOfImportsRow>('order-days.findDaysOfImports', `
-- The days on which orders were sold, and those on which they were sold before the imports changed their sale dates.
SELECT (sale_date AT TIME ZONE 'America/New_York')::date::text AS "day" FROM orders
 WHERE shop_id = $1 AND id = ANY($2::bigint[]) AND sale_date IS NOT NULL
 UNION
SELECT ((c.before ->> 'sale_date')::timestamptz AT TIME ZONE 'America/New_York')::date::text
  FROM import_changes c JOIN orders o ON o.shop_id = c.shop_id AND o.id = c.order_id
 WHERE c.shop_id = $1 AND c.import_id = ANY($3::bigint[]) AND c.record = 'order'
   AND c.before ->> 'sale_date' IS NOT NULL`, ["shopId","orderIds","importIds"]);

export interface DeleteDaysParams {
  days: Readonly<DateOrStringArray>;
  shopId: number;
}

export const deleteDays = new Statement<DeleteDaysParams, never>('order-days.deleteDays', `
DELETE FROM order_days WHERE shop_id = $1 AND day = ANY($2::date[])`, ["shopId","days"]);

export interface SumUpDaysParams {
  currencies: Readonly<stringArray>;
  days: Readonly<DateOrStringArray>;
  shopId: number;
}

export const sumUpDays = new Statement<SumUpDaysParams, never>('order-days.sumUpDays', `
-- Cancelled orders and blank items do not count. \`value\` is the order's value, the items less discounts (docs/orders.md); that of an order
-- without an ISO 4217 currency is not added to any sum. Summed day by day, so that each day's orders are found by the index
-- whatever the planner believes about a shop that has just been imported.
INSERT INTO order_days (shop_id, day, currency, orders, items, quantity, revenue)
SELECT $1, t.day, s.currency, s.orders, s.items, s.quantity, s.revenue
  FROM (SELECT DISTINCT day FROM unnest($2::date[]) AS g(day)) t
 CROSS JOIN LATERAL (
   SELECT coalesce(c.currency, '') AS currency, count(*) AS orders, coalesce(sum(i.items), 0) AS items,
          coalesce(sum(i.quantity), 0) AS quantity,
          coalesce(sum(i.value) FILTER (WHERE c.currency IS NOT NULL), 0) AS revenue
     FROM orders o
    CROSS JOIN LATERAL (SELECT CASE WHEN o.currency = ANY($3::text[]) THEN o.currency END AS currency) c
     LEFT JOIN LATERAL (
       SELECT count(*) FILTER (WHERE NOT n.is_blank) AS items, sum(n.quantity) AS quantity,
              sum(coalesce(n.item_total, n.price * coalesce(n.quantity, 1)) - coalesce(n.discount_amount, 0))
                - coalesce(o.inperson_discount, 0) AS value
         FROM described_items n WHERE n.shop_id = $1 AND n.order_id = o.id) i ON true
    WHERE o.shop_id = $1 AND o.status <> 'cancelled'
      AND o.sale_date >= t.day::timestamp AT TIME ZONE 'America/New_York'
      AND o.sale_date < (t.day + 1)::timestamp AT TIME ZONE 'America/New_York'
    GROUP BY 1) s`, ["shopId","days","currencies"]);

export interface FindCurrencyOfOrdersParams {
  shopId: number;
}

export interface FindCurrencyOfOrdersRow {
  currency: string;
}

export const findCurrencyOfOrders = new Statement<FindCurrencyOfOrdersParams, FindCurrencyOfOrdersRow>('order-days.findCurrencyOfOrders', `
-- The currency of a shop that has none yet, if all its orders with a currency have the same.
SELECT min(d.currency) AS "currency" FROM order_days d
 WHERE d.shop_id = $1 AND d.currency <> ''
   -- Most shops have a currency: their days are not read.
   AND EXISTS (SELECT FROM shops s WHERE s.id = d.shop_id AND s.currency IS NULL)
HAVING min(d.currency) = max(d.currency)`, ["shopId"]);

export interface SetCurrencyParams {
  currency: string;
  shopId: number;
}

export interface SetCurrencyRow {
  currency: string;
}

export const setCurrency = new Statement<SetCurrencyParams, SetCurrencyRow>('order-days.setCurrency', `
-- A statement of its own: no server of a cluster can read the shop's days and change all copies of its row.
UPDATE shops SET currency = $1, updated_at = now() WHERE id = $2 AND currency IS NULL
RETURNING currency AS "currency"`, ["currency","shopId"]);
