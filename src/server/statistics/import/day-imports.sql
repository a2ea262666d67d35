/*
 * The statements that store the days of an imported file, of any number of shops at once. Those for the one day that the API
 * receives (statistics.sql) name its shop, so that a cluster runs them on one server.
 */

/* @name importShopDays */
-- Inserts or updates days by the rules of upsertShopDays; `rowsJson` also has the shop of each. Rows that would not change are not
-- written. Returns, for each row written, whether it is new. Writes in the order of the list, which must be the same in all
-- imports.
WITH sent_rows AS (
  SELECT * FROM ROWS FROM (json_to_recordset(:rowsJson::json) AS (
    shop_id text, date date, ad_impressions bigint, ad_clicks bigint, ad_click_rate numeric(7,4),
    ad_spend numeric(19,4), ad_orders bigint, ad_revenue numeric(19,4), total_orders bigint,
    total_revenue numeric(19,4), total_views bigint, total_visits bigint, conversion_rate numeric(7,4),
    ad_revenue_ratio numeric(7,4), extra jsonb)) WITH ORDINALITY AS r
), stored_rows AS MATERIALIZED (
  SELECT s.* FROM sent_rows r JOIN shop_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date
), merged_rows AS (
  SELECT r.ordinality, r.shop_id, r.date,
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
         (to_jsonb(s) - '{created_at,updated_at,revision,extra}'::text[]) || jsonb_build_object('extra', e.old_members) AS before,
         e.new_members
    FROM sent_rows r LEFT JOIN stored_rows s ON s.shop_id = r.shop_id AND s.date = r.date
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_object_agg(key, s.extra -> key) FILTER (WHERE s.extra -> key IS NOT NULL), '{}') AS old_members,
            coalesce(jsonb_object_agg(key, value), '{}') AS new_members
       FROM jsonb_each(r.extra) WHERE s.extra -> key IS DISTINCT FROM value) e
), compared_rows AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN (to_jsonb(m) - '{ordinality,before,new_members,revision,extra}'::text[])
                                            || jsonb_build_object('extra', m.new_members) END AS after
    FROM merged_rows m
), written_rows AS (
  INSERT INTO shop_daily_statistics AS s (
    shop_id, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
    total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision)
  SELECT shop_id, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
         total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision
    FROM compared_rows WHERE revision = 1 OR before <> after ORDER BY ordinality
  ON CONFLICT (shop_id, date) DO UPDATE SET
    ad_impressions = excluded.ad_impressions, ad_clicks = excluded.ad_clicks, ad_click_rate = excluded.ad_click_rate,
    ad_spend = excluded.ad_spend, ad_orders = excluded.ad_orders, ad_revenue = excluded.ad_revenue,
    total_orders = excluded.total_orders, total_revenue = excluded.total_revenue, total_views = excluded.total_views,
    total_visits = excluded.total_visits, conversion_rate = excluded.conversion_rate,
    ad_revenue_ratio = excluded.ad_revenue_ratio, extra = excluded.extra, revision = excluded.revision,
    updated_at = excluded.updated_at
    WHERE s.revision = excluded.revision - 1
  RETURNING s.shop_id, s.date, s.revision
), history AS (
  INSERT INTO statistic_restatements (kind, shop_id, date, before, after, import_id, days_late)
  SELECT 'shop', c.shop_id, c.date, c.before, c.after, :importId!::bigint,
         (now() AT TIME ZONE coalesce(h.time_zone, :timeZone!))::date - c.date
    FROM written_rows JOIN compared_rows c USING (shop_id, date) LEFT JOIN shops h ON h.shop_id = c.shop_id
   WHERE c.before <> c.after
)
SELECT revision = 1 AS "created!" FROM written_rows;

/* @name importListingDays */
-- Like importShopDays, for days of listings.
WITH sent_rows AS (
  SELECT * FROM ROWS FROM (json_to_recordset(:rowsJson::json) AS (
    shop_id text, date date, listing_id bigint, visits bigint, total_views bigint, orders bigint,
    revenue numeric(19,4), impression_count bigint, click_count bigint, spent_total numeric(19,4), conversions bigint,
    ad_revenue numeric(19,4), click_rate numeric(7,4), roas numeric(19,4), extra jsonb)) WITH ORDINALITY AS r
), stored_rows AS MATERIALIZED (
  SELECT s.*
    FROM sent_rows r
    JOIN product_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date AND s.listing_id = r.listing_id
), merged_rows AS (
  SELECT r.ordinality, r.shop_id, r.date, r.listing_id,
         coalesce(r.visits, s.visits) AS visits, coalesce(r.total_views, s.total_views) AS total_views,
         coalesce(r.orders, s.orders) AS orders, coalesce(r.revenue, s.revenue) AS revenue,
         coalesce(r.impression_count, s.impression_count) AS impression_count,
         coalesce(r.click_count, s.click_count) AS click_count, coalesce(r.spent_total, s.spent_total) AS spent_total,
         coalesce(r.conversions, s.conversions) AS conversions, coalesce(r.ad_revenue, s.ad_revenue) AS ad_revenue,
         coalesce(r.click_rate, s.click_rate) AS click_rate, coalesce(r.roas, s.roas) AS roas,
         coalesce(s.extra, '{}') || r.extra AS extra, coalesce(s.revision, 0) + 1 AS revision,
         (to_jsonb(s) - '{created_at,updated_at,revision,extra}'::text[]) || jsonb_build_object('extra', e.old_members) AS before,
         e.new_members
    FROM sent_rows r LEFT JOIN stored_rows s ON s.shop_id = r.shop_id AND s.date = r.date AND s.listing_id = r.listing_id
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_object_agg(key, s.extra -> key) FILTER (WHERE s.extra -> key IS NOT NULL), '{}') AS old_members,
            coalesce(jsonb_object_agg(key, value), '{}') AS new_members
       FROM jsonb_each(r.extra) WHERE s.extra -> key IS DISTINCT FROM value) e
), compared_rows AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN (to_jsonb(m) - '{ordinality,before,new_members,revision,extra}'::text[])
                                            || jsonb_build_object('extra', m.new_members) END AS after
    FROM merged_rows m
), written_rows AS (
  INSERT INTO product_daily_statistics AS s (
    shop_id, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
    conversions, ad_revenue, click_rate, roas, extra, revision)
  SELECT shop_id, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
         conversions, ad_revenue, click_rate, roas, extra, revision
    FROM compared_rows WHERE revision = 1 OR before <> after ORDER BY ordinality
  ON CONFLICT (shop_id, date, listing_id) DO UPDATE SET
    visits = excluded.visits, total_views = excluded.total_views, orders = excluded.orders,
    revenue = excluded.revenue, impression_count = excluded.impression_count, click_count = excluded.click_count,
    spent_total = excluded.spent_total, conversions = excluded.conversions, ad_revenue = excluded.ad_revenue,
    click_rate = excluded.click_rate, roas = excluded.roas, extra = excluded.extra, revision = excluded.revision,
    updated_at = excluded.updated_at
    WHERE s.revision = excluded.revision - 1
  RETURNING s.shop_id, s.date, s.listing_id, s.revision
), history AS (
  INSERT INTO statistic_restatements (kind, shop_id, date, listing_id, before, after, import_id, days_late)
  SELECT 'product', c.shop_id, c.date, c.listing_id, c.before, c.after, :importId!::bigint,
         (now() AT TIME ZONE coalesce(h.time_zone, :timeZone!))::date - c.date
    FROM written_rows JOIN compared_rows c USING (shop_id, date, listing_id) LEFT JOIN shops h ON h.shop_id = c.shop_id
   WHERE c.before <> c.after
)
SELECT revision = 1 AS "created!" FROM written_rows;
