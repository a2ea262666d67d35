// Written by `npm run sql` from statistics.sql: change that file instead.
import { Statement } from '../db/statement';

export type statistic_kind = 'product' | 'shop';
export type DateOrString = Date | string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;
export type stringArray = (string)[];

export interface UpsertShopDaysParams {
  apiKeyId: number | null;
  importId: NumberOrString | null;
  rows: Json | Uint8Array | null;
  shopId: string;
  touch: boolean | null;
}

export interface UpsertShopDaysRow {
  ad_click_rate: string | null;
  ad_clicks: string | null;
  ad_impressions: string | null;
  ad_orders: string | null;
  ad_revenue: string | null;
  ad_revenue_ratio: string | null;
  ad_spend: string | null;
  conversion_rate: string | null;
  created: boolean;
  date: string;
  extra: Json;
  shop_id: string;
  total_orders: string | null;
  total_revenue: string | null;
  total_views: string | null;
  total_visits: string | null;
  updated_at: Date;
}

export const upsertShopDays = new Statement<UpsertShopDaysParams, UpsertShopDaysRow>('statistics.upsertShopDays', `
-- Inserts or updates days of one shop: \`rows\` is a JSON list with each key once. Members left out keep their stored values, and
-- \`extra\` is merged. A row is written only if it still has the revision that was read, so that the history has what was really
-- replaced, no matter how many calls run concurrently. Returns the rows written. Rows that another call wrote in between are
-- missing: send them again. Unless \`touch\`, rows that would not change are missing too. Writes in the order of the key, so that
-- calls never deadlock.
WITH sent AS (
  SELECT * FROM json_to_recordset($1::json) AS r(
    date date, ad_impressions bigint, ad_clicks bigint, ad_click_rate numeric(7,4),
    ad_spend numeric(19,4), ad_orders bigint, ad_revenue numeric(19,4), total_orders bigint,
    total_revenue numeric(19,4), total_views bigint, total_visits bigint, conversion_rate numeric(7,4),
    ad_revenue_ratio numeric(7,4), extra jsonb)
), stored AS MATERIALIZED (
  SELECT * FROM shop_daily_statistics WHERE shop_id = $2 AND date = ANY(ARRAY(SELECT date FROM sent))
), merged AS (
  SELECT $2 AS shop_id, r.date,
         coalesce(r.ad_impressions, s.ad_impressions) AS ad_impressions,
         coalesce(r.ad_clicks, s.ad_clicks) AS ad_clicks, coalesce(r.ad_click_rate, s.ad_click_rate) AS ad_click_rate,
         coalesce(r.ad_spend, s.ad_spend) AS ad_spend, coalesce(r.ad_orders, s.ad_orders) AS ad_orders,
         coalesce(r.ad_revenue, s.ad_revenue) AS ad_revenue, coalesce(r.total_orders, s.total_orders) AS total_orders,
         coalesce(r.total_revenue, s.total_revenue) AS total_revenue,
         coalesce(r.total_views, s.total_views) AS total_views,
         coalesce(r.total_visits, s.total_visits) AS total_visits,
         coalesce(r.conversion_rate, s.conversion_rate) AS conversion_rate,
         coalesce(r.ad_revenue_ratio, s.ad_revenue_ratio) AS ad_revenue_ratio,
         coalesce(s.extra, '{}') || r.extra AS extra, coalesce(s.revision, 0) + 1 AS revision,
         to_jsonb(s) - '{created_at,updated_at,revision}'::text[] AS before
    FROM sent r LEFT JOIN stored s ON s.date = r.date
), compared AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN to_jsonb(m) - '{before,revision}'::text[] END AS after FROM merged m
), written AS (
  INSERT INTO shop_daily_statistics AS s (
    shop_id, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
    total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision)
  SELECT $2, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
         total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision
    FROM compared WHERE $3 OR revision = 1 OR before <> after ORDER BY shop_id, date
  ON CONFLICT (shop_id, date) DO UPDATE SET
    ad_impressions = excluded.ad_impressions, ad_clicks = excluded.ad_clicks, ad_click_rate = excluded.ad_click_rate,
    ad_spend = excluded.ad_spend, ad_orders = excluded.ad_orders, ad_revenue = excluded.ad_revenue,
    total_orders = excluded.total_orders, total_revenue = excluded.total_revenue, total_views = excluded.total_views,
    total_visits = excluded.total_visits, conversion_rate = excluded.conversion_rate,
    ad_revenue_ratio = excluded.ad_revenue_ratio, extra = excluded.extra, revision = excluded.revision,
    updated_at = excluded.updated_at
    WHERE s.revision = excluded.revision - 1
  RETURNING s.*
), history AS (
  INSERT INTO statistic_restatements (kind, shop_id, date, before, after, api_key_id, import_id)
  SELECT 'shop', $2, date, c.before, c.after, $4::int, $5::bigint
    FROM written JOIN compared c USING (date) WHERE c.before <> c.after
)
SELECT shop_id, date::text AS "date", ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue,
       total_orders, total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra,
       revision = 1 AS "created", updated_at
  FROM written`, ["rows","shopId","touch","apiKeyId","importId"]);

export interface UpsertListingDaysParams {
  apiKeyId: number | null;
  importId: NumberOrString | null;
  rows: Json | Uint8Array | null;
  shopId: string;
  touch: boolean | null;
}

export interface UpsertListingDaysRow {
  ad_revenue: string | null;
  click_count: string | null;
  click_rate: string | null;
  conversions: string | null;
  created: boolean;
  date: string;
  extra: Json;
  impression_count: string | null;
  listing_id: string;
  orders: string | null;
  revenue: string | null;
  roas: string | null;
  shop_id: string;
  spent_total: string | null;
  total_views: string | null;
  updated_at: Date;
  visits: string | null;
}

export const upsertListingDays = new Statement<UpsertListingDaysParams, UpsertListingDaysRow>('statistics.upsertListingDays', `
-- The same for days of listings.
WITH sent AS (
  SELECT * FROM json_to_recordset($1::json) AS r(
    date date, listing_id bigint, visits bigint, total_views bigint, orders bigint,
    revenue numeric(19,4), impression_count bigint, click_count bigint, spent_total numeric(19,4), conversions bigint,
    ad_revenue numeric(19,4), click_rate numeric(7,4), roas numeric(19,4), extra jsonb)
), stored AS MATERIALIZED (
  SELECT * FROM product_daily_statistics
   WHERE shop_id = $2 AND date = ANY(ARRAY(SELECT date FROM sent)) AND listing_id = ANY(ARRAY(SELECT listing_id FROM sent))
), merged AS (
  SELECT $2 AS shop_id, r.date, r.listing_id,
         coalesce(r.visits, s.visits) AS visits, coalesce(r.total_views, s.total_views) AS total_views,
         coalesce(r.orders, s.orders) AS orders, coalesce(r.revenue, s.revenue) AS revenue,
         coalesce(r.impression_count, s.impression_count) AS impression_count,
         coalesce(r.click_count, s.click_count) AS click_count, coalesce(r.spent_total, s.spent_total) AS spent_total,
         coalesce(r.conversions, s.conversions) AS conversions, coalesce(r.ad_revenue, s.ad_revenue) AS ad_revenue,
         coalesce(r.click_rate, s.click_rate) AS click_rate, coalesce(r.roas, s.roas) AS roas,
         coalesce(s.extra, '{}') || r.extra AS extra, coalesce(s.revision, 0) + 1 AS revision,
         to_jsonb(s) - '{created_at,updated_at,revision}'::text[] AS before
    FROM sent r LEFT JOIN stored s ON s.date = r.date AND s.listing_id = r.listing_id
), compared AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN to_jsonb(m) - '{before,revision}'::text[] END AS after FROM merged m
), written AS (
  INSERT INTO product_daily_statistics AS s (
    shop_id, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
    conversions, ad_revenue, click_rate, roas, extra, revision)
  SELECT $2, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
         conversions, ad_revenue, click_rate, roas, extra, revision
    FROM compared WHERE $3 OR revision = 1 OR before <> after ORDER BY shop_id, date, listing_id
  ON CONFLICT (shop_id, date, listing_id) DO UPDATE SET
    visits = excluded.visits, total_views = excluded.total_views, orders = excluded.orders,
    revenue = excluded.revenue, impression_count = excluded.impression_count, click_count = excluded.click_count,
    spent_total = excluded.spent_total, conversions = excluded.conversions, ad_revenue = excluded.ad_revenue,
    click_rate = excluded.click_rate, roas = excluded.roas, extra = excluded.extra, revision = excluded.revision,
    updated_at = excluded.updated_at
    WHERE s.revision = excluded.revision - 1
  RETURNING s.*
), history AS (
  INSERT INTO statistic_restatements (kind, shop_id, date, listing_id, before, after, api_key_id, import_id)
  SELECT 'product', $2, date, listing_id, c.before, c.after, $4::int, $5::bigint
    FROM written JOIN compared c USING (date, listing_id) WHERE c.before <> c.after
)
SELECT shop_id, date::text AS "date", listing_id, visits, total_views, orders, revenue, impression_count,
       click_count, spent_total, conversions, ad_revenue, click_rate, roas, extra, revision = 1 AS "created",
       updated_at
  FROM written`, ["rows","shopId","touch","apiKeyId","importId"]);

export interface FindShopDaysOverLimitParams {
  maxBytes: number | null;
  rows: Json | Uint8Array | null;
}

export interface FindShopDaysOverLimitRow {
  position: number;
}

export const findShopDaysOverLimit = new Statement<FindShopDaysOverLimitParams, FindShopDaysOverLimitRow>('statistics.findShopDaysOverLimit', `
-- Which of the rows (by position, from 1) would have more than \`maxBytes\` of extra members, including the stored ones.
WITH sent AS (
  SELECT r.position::int AS position, r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date,
         (r.day -> 'extra')::jsonb AS extra
    FROM json_array_elements($1::json) WITH ORDINALITY AS r(day, position)
), stored AS MATERIALIZED (
  SELECT r.position, s.extra FROM sent r JOIN shop_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date
)
SELECT r.position AS "position" FROM sent r LEFT JOIN stored s ON s.position = r.position
 WHERE octet_length((coalesce(s.extra, '{}') || r.extra)::text) > $2`, ["rows","maxBytes"]);

export interface FindListingDaysOverLimitParams {
  maxBytes: number | null;
  rows: Json | Uint8Array | null;
}

export interface FindListingDaysOverLimitRow {
  position: number;
}

export const findListingDaysOverLimit = new Statement<FindListingDaysOverLimitParams, FindListingDaysOverLimitRow>('statistics.findListingDaysOverLimit', `
-- The same for days of listings.
WITH sent AS (
  SELECT r.position::int AS position, r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date,
         (r.day ->> 'listing_id')::bigint AS listing_id, (r.day -> 'extra')::jsonb AS extra
    FROM json_array_elements($1::json) WITH ORDINALITY AS r(day, position)
), stored AS MATERIALIZED (
  SELECT r.position, s.extra
    FROM sent r
    JOIN product_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date AND s.listing_id = r.listing_id
)
SELECT r.position AS "position" FROM sent r LEFT JOIN stored s ON s.position = r.position
 WHERE octet_length((coalesce(s.extra, '{}') || r.extra)::text) > $2`, ["rows","maxBytes"]);

export interface AddStatisticImportParams {
  actor: string | null;
  kind: statistic_kind | null;
}

export interface AddStatisticImportRow {
  id: string;
}

export const addStatisticImport = new Statement<AddStatisticImportParams, AddStatisticImportRow>('statistics.addStatisticImport', `
INSERT INTO statistic_imports (kind, actor) VALUES ($1, $2) RETURNING id::text AS "id"`, ["kind","actor"]);

export interface ListRestatementsParams {
  apiKeyId: number | null;
  cursor: NumberOrString | null;
  from: DateOrString | null;
  kind: statistic_kind | null;
  limit: NumberOrString | null;
  listingId: NumberOrString | null;
  pastOnly: boolean | null;
  shopIds: Readonly<stringArray> | null;
  timeZone: string | null;
  to: DateOrString | null;
}

export interface ListRestatementsRow {
  after: Json;
  api_key_id: number | null;
  before: Json;
  created_at: Date;
  date: string;
  days_late: number;
  id: string;
  key_name: string | null;
  kind: statistic_kind;
  last_four: string | null;
  listing_id: string | null;
  prefix: string | null;
  shop_id: string;
  user: string | null;
}

export const listRestatements = new Statement<ListRestatementsParams, ListRestatementsRow>('statistics.listRestatements', `
-- A day counts as past from the midnight after it, by the shop's time zone, or \`timeZone\` for a shop that is not stored.
SELECT r.id::text AS "id", r.kind, r.listing_id::text,
       r.shop_id, r.date::text AS "date", r.created_at, d.days_late AS "days_late", r.before, r.after,
       r.api_key_id, k.name AS "key_name", k.prefix AS "prefix", k.last_four AS "last_four", i.actor AS "user"
  FROM statistic_restatements r
  LEFT JOIN api_keys k ON k.id = r.api_key_id
  LEFT JOIN statistic_imports i ON i.id = r.import_id
  LEFT JOIN shops s ON s.shop_id = r.shop_id
 CROSS JOIN LATERAL (
   SELECT (r.created_at AT TIME ZONE coalesce(s.time_zone, $1))::date - r.date AS days_late) d
 WHERE ($2::statistic_kind IS NULL OR r.kind = $2)
   AND ($3::text[] IS NULL OR r.shop_id = ANY($3))
   AND ($4::bigint IS NULL OR r.listing_id = $4)
   AND ($5::date IS NULL OR r.date >= $5) AND ($6::date IS NULL OR r.date <= $6)
   AND ($7::int IS NULL OR r.api_key_id = $7)
   AND (NOT $8 OR d.days_late > 0)
   AND ($9::bigint IS NULL OR r.id < $9)
 ORDER BY r.id DESC LIMIT $10`, ["timeZone","kind","shopIds","listingId","from","to","apiKeyId","pastOnly","cursor","limit"]);

export interface FindNextShopParams {
  after: string;
}

export interface FindNextShopRow {
  shop_id: string | null;
}

export const findNextShop = new Statement<FindNextShopParams, FindNextShopRow>('statistics.findNextShop', `
-- The first shop after another one that has days of listings: a step through the index, instead of reading all rows.
SELECT min(shop_id) AS shop_id FROM product_daily_statistics WHERE shop_id > $1`, ["after"]);

export interface ListKnownShopsParams {
  withListings: Readonly<stringArray>;
}

export interface ListKnownShopsRow {
  account_id: number | null;
  archived: boolean;
  currency: string | null;
  days: number;
  first_day: string | null;
  last_day: string | null;
  name: string | null;
  shop_id: string;
}

export const listKnownShops = new Statement<ListKnownShopsParams, ListKnownShopsRow>('statistics.listKnownShops', `
-- The shops that have statistics, including only days of listings, and the stored shops with a marketplace shop ID.
WITH days AS MATERIALIZED (
  SELECT shop_id, min(date) AS first_day, max(date) AS last_day, count(*)::int AS days FROM shop_daily_statistics GROUP BY shop_id
), known AS (
  SELECT shop_id FROM unnest($1::text[]) AS l(shop_id)
  UNION SELECT shop_id FROM days
  UNION SELECT shop_id FROM shops WHERE shop_id IS NOT NULL AND archived_at IS NULL
)
SELECT k.shop_id AS "shop_id", s.id AS "account_id", s.name AS "name", s.currency,
       s.archived_at IS NOT NULL AS "archived", d.first_day::text, d.last_day::text, coalesce(d.days, 0) AS "days"
  FROM known k LEFT JOIN shops s ON s.shop_id = k.shop_id LEFT JOIN days d ON d.shop_id = k.shop_id
 ORDER BY coalesce(s.name, k.shop_id), k.shop_id`, ["withListings"]);

export interface FindMissingShopDaysParams {
  from: DateOrString;
  now: DateOrString;
  shopId: string;
  timeZone: string;
  to: DateOrString;
}

export interface FindMissingShopDaysRow {
  first_day: string | null;
  last_day: string | null;
  missing: stringArray;
}

export const findMissingShopDays = new Statement<FindMissingShopDaysParams, FindMissingShopDaysRow>('statistics.findMissingShopDays', `
-- The days without figures in the months from \`from\` to \`to\`, of one shop. Days before its first one are not missing, nor is the
-- current day, by the shop's time zone or \`timeZone\` for a shop that is not stored.
SELECT f.first_day::text, f.last_day::text,
       coalesce((SELECT array_agg(d.day::date::text ORDER BY d.day)
                   FROM generate_series(greatest($1::date, f.first_day)::timestamp,
                          least(($2::date + interval '1 month')::date - 1, z.today - 1)::timestamp,
                          interval '1 day') AS d(day)
                  WHERE f.first_day IS NOT NULL
                    AND NOT EXISTS (SELECT FROM shop_daily_statistics s
                                     WHERE s.shop_id = $3 AND s.date = d.day::date)), '{}') AS "missing"
  FROM (SELECT min(date) AS first_day, max(date) AS last_day
          FROM shop_daily_statistics WHERE shop_id = $3) f
 CROSS JOIN (SELECT ($4::timestamptz AT TIME ZONE coalesce(
               (SELECT time_zone FROM shops WHERE shop_id = $3), $5))::date AS today) z`, ["from","to","shopId","now","timeZone"]);

export interface FindMissingListingDaysParams {
  from: DateOrString;
  now: DateOrString;
  shopId: string;
  timeZone: string;
  to: DateOrString;
}

export interface FindMissingListingDaysRow {
  first_day: string | null;
  last_day: string | null;
  missing: stringArray;
}

export const findMissingListingDays = new Statement<FindMissingListingDaysParams, FindMissingListingDaysRow>('statistics.findMissingListingDays', `
-- The same for days of listings: a day is missing if the shop has figures of no listing.
SELECT f.first_day::text, f.last_day::text,
       coalesce((SELECT array_agg(d.day::date::text ORDER BY d.day)
                   FROM generate_series(greatest($1::date, f.first_day)::timestamp,
                          least(($2::date + interval '1 month')::date - 1, z.today - 1)::timestamp,
                          interval '1 day') AS d(day)
                  WHERE f.first_day IS NOT NULL
                    AND NOT EXISTS (SELECT FROM product_daily_statistics s
                                     WHERE s.shop_id = $3 AND s.date = d.day::date)), '{}') AS "missing"
  FROM (SELECT min(date) AS first_day, max(date) AS last_day
          FROM product_daily_statistics WHERE shop_id = $3) f
 CROSS JOIN (SELECT ($4::timestamptz AT TIME ZONE coalesce(
               (SELECT time_zone FROM shops WHERE shop_id = $3), $5))::date AS today) z`, ["from","to","shopId","now","timeZone"]);

export interface FindListingTitleParams {
  listing: NumberOrString;
}

export interface FindListingTitleRow {
  title: string;
}

export const findListingTitle = new Statement<FindListingTitleParams, FindListingTitleRow>('statistics.findListingTitle', `
-- The listing's title in its newest order.
SELECT title AS "title" FROM order_items WHERE listing_id = $1::bigint::text AND title IS NOT NULL ORDER BY id DESC LIMIT 1`, ["listing"]);
