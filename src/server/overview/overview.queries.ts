// Written by `npm run sql` from overview.sql: change that file instead.
import { Statement } from '../db/statement';

export type DateOrString = Date | string;
export type numberArray = (number)[];

export interface ListSalesParams {
  from: DateOrString;
  shopIds: Readonly<numberArray> | null;
  to: DateOrString;
}

export interface ListSalesRow {
  currency: string | null;
  day: string;
  items: number;
  orders: number;
  quantity: number;
  revenue: string;
}

export const listSales = new Statement<ListSalesParams, ListSalesRow>('overview.listSales', `
-- One row per day and currency, from precalculated days (orders/list/order-days.sql).
SELECT day::text AS "day", nullif(currency, '') AS "currency", sum(orders)::int AS "orders", sum(items)::int AS "items",
       sum(quantity)::float8 AS "quantity", trim_scale(sum(revenue))::text AS "revenue"
  FROM order_days
 WHERE day BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR shop_id = ANY($3))
 GROUP BY 1, 2 ORDER BY 1, sum(revenue) DESC`, ["from","to","shopIds"]);

export interface ListAdvertisingParams {
  from: DateOrString;
  shopIds: Readonly<numberArray> | null;
  to: DateOrString;
}

export interface ListAdvertisingRow {
  clicks: number;
  currency: string | null;
  day: string;
  impressions: number;
  revenue: string;
  spend: string;
}

export const listAdvertising = new Statement<ListAdvertisingParams, ListAdvertisingRow>('overview.listAdvertising', `
-- The shops' statistics by day and currency. Shops that are not stored have no currency.
SELECT d.date::text AS "day", s.currency AS "currency", coalesce(sum(d.ad_impressions), 0)::float8 AS "impressions",
       coalesce(sum(d.ad_clicks), 0)::float8 AS "clicks", trim_scale(coalesce(sum(d.ad_spend), 0))::text AS "spend",
       trim_scale(coalesce(sum(d.ad_revenue), 0))::text AS "revenue"
  FROM shop_daily_statistics d LEFT JOIN shops s ON s.shop_id = d.shop_id
 WHERE d.date BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR s.id = ANY($3))
 GROUP BY 1, 2`, ["from","to","shopIds"]);

export interface SumAdvertisingParams {
  from: DateOrString;
  shopIds: Readonly<numberArray> | null;
  to: DateOrString;
}

export interface SumAdvertisingRow {
  currency: string;
  revenue: string;
  roas: number | null;
  spend: string;
}

export const sumAdvertising = new Statement<SumAdvertisingParams, SumAdvertisingRow>('overview.sumAdvertising', `
-- ROAS is calculated from the days that have both amounts, as everywhere (statistics/rates.ts).
SELECT s.currency AS "currency", trim_scale(coalesce(sum(d.ad_spend), 0))::text AS "spend",
       trim_scale(coalesce(sum(d.ad_revenue), 0))::text AS "revenue",
       round(sum(d.ad_revenue) FILTER (WHERE d.ad_spend IS NOT NULL)
             / nullif(sum(d.ad_spend) FILTER (WHERE d.ad_revenue IS NOT NULL), 0), 4)::float8 AS roas
  FROM shop_daily_statistics d JOIN shops s ON s.shop_id = d.shop_id AND s.currency IS NOT NULL
 WHERE d.date BETWEEN $1::date AND $2::date AND ($3::int[] IS NULL OR s.id = ANY($3))
   AND (d.ad_spend IS NOT NULL OR d.ad_revenue IS NOT NULL)
 GROUP BY 1 ORDER BY sum(d.ad_spend) DESC NULLS LAST, 1`, ["from","to","shopIds"]);

export interface ListWithoutCurrencyParams {
  from: DateOrString;
  shopIds: Readonly<numberArray> | null;
  to: DateOrString;
}

export interface ListWithoutCurrencyRow {
  id: number | null;
  name: string;
}

export const listWithoutCurrency = new Statement<ListWithoutCurrencyParams, ListWithoutCurrencyRow>('overview.listWithoutCurrency', `
SELECT DISTINCT s.id AS "id", coalesce(s.name, d.shop_id) AS "name"
  FROM shop_daily_statistics d LEFT JOIN shops s ON s.shop_id = d.shop_id
 WHERE s.currency IS NULL AND d.date BETWEEN $1::date AND $2::date
   AND ($3::int[] IS NULL OR s.id = ANY($3)) AND (d.ad_spend > 0 OR d.ad_revenue > 0)
 ORDER BY 2 LIMIT 50`, ["from","to","shopIds"]);

export interface CountByTrackingParams {
  end: DateOrString;
  shopIds: Readonly<numberArray> | null;
  start: DateOrString;
}

export interface CountByTrackingRow {
  orders: number;
  status: string;
}

export const countByTracking = new Statement<CountByTrackingParams, CountByTrackingRow>('overview.countByTracking', `
-- All orders minus the cancelled ones, which are few: an index counts both.
SELECT coalesce(tracking_status::text, 'none') AS "status", sum(orders)::int AS "orders" FROM (
  SELECT tracking_status, count(*) AS orders FROM orders
   WHERE sale_date >= $1::timestamptz AND sale_date < $2::timestamptz
     AND ($3::int[] IS NULL OR shop_id = ANY($3))
   GROUP BY 1
   UNION ALL
  SELECT tracking_status, -count(*) FROM orders
   WHERE status = 'cancelled' AND sale_date >= $1::timestamptz AND sale_date < $2::timestamptz
     AND ($3::int[] IS NULL OR shop_id = ANY($3))
   GROUP BY 1) counted
 GROUP BY 1 HAVING sum(orders) > 0 ORDER BY 1`, ["start","end","shopIds"]);

export interface CountImportsWithWarningsParams {
  shopIds: Readonly<numberArray> | null;
}

export interface CountImportsWithWarningsRow {
  count: number;
}

export const countImportsWithWarnings = new Statement<CountImportsWithWarningsParams, CountImportsWithWarningsRow>('overview.countImportsWithWarnings', `
SELECT count(*)::int AS "count" FROM imports
 WHERE warnings > 0 AND undone_at IS NULL AND created_at > now() - interval '7 days'
   AND ($1::int[] IS NULL OR shop_id = ANY($1))`, ["shopIds"]);

export interface ListStatisticsMissingParams {
  now: DateOrString;
  shopIds: Readonly<numberArray> | null;
}

export interface ListStatisticsMissingRow {
  id: number | null;
  name: string;
  shop_id: string;
}

export const listStatisticsMissing = new Statement<ListStatisticsMissingParams, ListStatisticsMissingRow>('overview.listStatisticsMissing', `
-- Yesterday is in the shop's time zone, or in New York's for shops that are not stored. Only shops with statistics in the last
-- month count.
SELECT s.id AS "id", coalesce(s.name, k.shop_id) AS "name", k.shop_id
  FROM (SELECT DISTINCT shop_id FROM shop_daily_statistics
         WHERE date BETWEEN $1::timestamptz::date - 32 AND $1::timestamptz::date) k
  LEFT JOIN shops s ON s.shop_id = k.shop_id
 CROSS JOIN LATERAL (
   SELECT ($1::timestamptz AT TIME ZONE coalesce(s.time_zone, 'America/New_York'))::date - 1 AS yesterday) y
 WHERE NOT EXISTS (SELECT FROM shop_daily_statistics d WHERE d.shop_id = k.shop_id AND d.date = y.yesterday)
   AND EXISTS (SELECT FROM shop_daily_statistics d
                WHERE d.shop_id = k.shop_id AND d.date BETWEEN y.yesterday - 30 AND y.yesterday - 1)
   AND ($2::int[] IS NULL OR s.id = ANY($2)) AND s.archived_at IS NULL
 ORDER BY 2 LIMIT 50`, ["now","shopIds"]);

export interface ReadFirstStepsRow {
  imports: boolean;
  keys: boolean;
  shops: boolean;
}

export const readFirstSteps = new Statement<undefined, ReadFirstStepsRow>('overview.readFirstSteps', `
SELECT EXISTS (SELECT FROM shops) AS "shops", EXISTS (SELECT FROM api_keys WHERE revoked_at IS NULL) AS "keys",
       EXISTS (SELECT FROM imports WHERE outcome = 'succeeded') AS "imports"`);
