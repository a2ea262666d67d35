/* @name upsertShopDays */
-- Inserts or updates days of one shop: `rowsJson` is a JSON list with each key once. Members left out keep their stored values, and
-- `extra` is merged. A row is written only if it still has the revision that was read, so that the history has the values that
-- were really replaced, no matter how many calls run concurrently. Of `extra`, the history has only the members that change: an update
-- of one would otherwise store all of them twice. A day is late from the midnight after it, in the shop's time zone or, for a shop
-- that is not stored, in `timeZone`. Returns the rows written. Rows that another call wrote in between are missing: send them again. A
-- row that does not change is written too. Writes in the order of the key, so that two calls cannot deadlock. What an import stores by
-- the same rules, without naming a shop, is importShopDays (day-imports.sql): change both.
WITH sent_rows AS (
  SELECT * FROM json_to_recordset(:rowsJson::json) AS r(
    date date, ad_impressions bigint, ad_clicks bigint, ad_click_rate numeric(7,4),
    ad_spend numeric(19,4), ad_orders bigint, ad_revenue numeric(19,4), total_orders bigint,
    total_revenue numeric(19,4), total_views bigint, total_visits bigint, conversion_rate numeric(7,4),
    ad_revenue_ratio numeric(7,4), extra jsonb)
), stored_rows AS MATERIALIZED (
  SELECT * FROM shop_daily_statistics WHERE shop_id = :shopId! AND date = ANY(ARRAY(SELECT date FROM sent_rows))
), merged_rows AS (
  SELECT :shopId AS shop_id, r.date,
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
    FROM sent_rows r LEFT JOIN stored_rows s ON s.date = r.date
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_object_agg(key, s.extra -> key) FILTER (WHERE s.extra -> key IS NOT NULL), '{}') AS old_members,
            coalesce(jsonb_object_agg(key, value), '{}') AS new_members
       FROM jsonb_each(r.extra) WHERE s.extra -> key IS DISTINCT FROM value) e
), compared_rows AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN (to_jsonb(m) - '{before,new_members,revision,extra}'::text[])
                                            || jsonb_build_object('extra', m.new_members) END AS after
    FROM merged_rows m
), written_rows AS (
  INSERT INTO shop_daily_statistics AS s (
    shop_id, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
    total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision)
  SELECT :shopId, date, ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue, total_orders,
         total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra, revision
    FROM compared_rows ORDER BY shop_id, date
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
  INSERT INTO statistic_restatements (kind, shop_id, date, before, after, api_key_id, days_late)
  SELECT 'shop', :shopId, date, c.before, c.after, :apiKeyId!::int, (now() AT TIME ZONE coalesce(h.time_zone, :timeZone!))::date - date
    FROM written_rows JOIN compared_rows c USING (date) LEFT JOIN shops h ON h.shop_id = :shopId WHERE c.before <> c.after
)
SELECT shop_id, date::text AS "date!", ad_impressions, ad_clicks, ad_click_rate, ad_spend, ad_orders, ad_revenue,
       total_orders, total_revenue, total_views, total_visits, conversion_rate, ad_revenue_ratio, extra,
       revision = 1 AS "created!", updated_at
  FROM written_rows;

/* @name upsertListingDays */
-- Inserts or updates days of listings of one shop, by the rules of upsertShopDays.
WITH sent_rows AS (
  SELECT * FROM json_to_recordset(:rowsJson::json) AS r(
    date date, listing_id bigint, visits bigint, total_views bigint, orders bigint,
    revenue numeric(19,4), impression_count bigint, click_count bigint, spent_total numeric(19,4), conversions bigint,
    ad_revenue numeric(19,4), click_rate numeric(7,4), roas numeric(19,4), extra jsonb)
), stored_rows AS MATERIALIZED (
  SELECT * FROM product_daily_statistics
   WHERE shop_id = :shopId! AND date = ANY(ARRAY(SELECT date FROM sent_rows))
     AND listing_id = ANY(ARRAY(SELECT listing_id FROM sent_rows))
), merged_rows AS (
  SELECT :shopId AS shop_id, r.date, r.listing_id,
         coalesce(r.visits, s.visits) AS visits, coalesce(r.total_views, s.total_views) AS total_views,
         coalesce(r.orders, s.orders) AS orders, coalesce(r.revenue, s.revenue) AS revenue,
         coalesce(r.impression_count, s.impression_count) AS impression_count,
         coalesce(r.click_count, s.click_count) AS click_count, coalesce(r.spent_total, s.spent_total) AS spent_total,
         coalesce(r.conversions, s.conversions) AS conversions, coalesce(r.ad_revenue, s.ad_revenue) AS ad_revenue,
         coalesce(r.click_rate, s.click_rate) AS click_rate, coalesce(r.roas, s.roas) AS roas,
         coalesce(s.extra, '{}') || r.extra AS extra, coalesce(s.revision, 0) + 1 AS revision,
         (to_jsonb(s) - '{created_at,updated_at,revision,extra}'::text[]) || jsonb_build_object('extra', e.old_members) AS before,
         e.new_members
    FROM sent_rows r LEFT JOIN stored_rows s ON s.date = r.date AND s.listing_id = r.listing_id
   CROSS JOIN LATERAL (
     SELECT coalesce(jsonb_object_agg(key, s.extra -> key) FILTER (WHERE s.extra -> key IS NOT NULL), '{}') AS old_members,
            coalesce(jsonb_object_agg(key, value), '{}') AS new_members
       FROM jsonb_each(r.extra) WHERE s.extra -> key IS DISTINCT FROM value) e
), compared_rows AS (
  SELECT m.*, CASE WHEN m.revision > 1 THEN (to_jsonb(m) - '{before,new_members,revision,extra}'::text[])
                                            || jsonb_build_object('extra', m.new_members) END AS after
    FROM merged_rows m
), written_rows AS (
  INSERT INTO product_daily_statistics AS s (
    shop_id, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
    conversions, ad_revenue, click_rate, roas, extra, revision)
  SELECT :shopId, date, listing_id, visits, total_views, orders, revenue, impression_count, click_count, spent_total,
         conversions, ad_revenue, click_rate, roas, extra, revision
    FROM compared_rows ORDER BY shop_id, date, listing_id
  ON CONFLICT (shop_id, date, listing_id) DO UPDATE SET
    visits = excluded.visits, total_views = excluded.total_views, orders = excluded.orders,
    revenue = excluded.revenue, impression_count = excluded.impression_count, click_count = excluded.click_count,
    spent_total = excluded.spent_total, conversions = excluded.conversions, ad_revenue = excluded.ad_revenue,
    click_rate = excluded.click_rate, roas = excluded.roas, extra = excluded.extra, revision = excluded.revision,
    updated_at = excluded.updated_at
    WHERE s.revision = excluded.revision - 1
  RETURNING s.*
), history AS (
  INSERT INTO statistic_restatements (kind, shop_id, date, listing_id, before, after, api_key_id, days_late)
  SELECT 'product', :shopId, date, listing_id, c.before, c.after, :apiKeyId!::int, (now() AT TIME ZONE coalesce(h.time_zone, :timeZone!))::date - date
    FROM written_rows JOIN compared_rows c USING (date, listing_id) LEFT JOIN shops h ON h.shop_id = :shopId
   WHERE c.before <> c.after
)
SELECT shop_id, date::text AS "date!", listing_id, visits, total_views, orders, revenue, impression_count,
       click_count, spent_total, conversions, ad_revenue, click_rate, roas, extra, revision = 1 AS "created!",
       updated_at
  FROM written_rows;

/* @name findShopDaysOverLimit */
-- Returns the positions, from 1, of the rows that would have more than `maxBytes` of extra members, including the stored ones.
WITH sent_rows AS (
  SELECT r.position::int AS position, r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date,
         (r.day -> 'extra')::jsonb AS extra
    FROM json_array_elements(:rowsJson::json) WITH ORDINALITY AS r(day, position)
), stored_rows AS MATERIALIZED (
  SELECT r.position, s.extra FROM sent_rows r JOIN shop_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date
)
SELECT r.position AS "position!" FROM sent_rows r LEFT JOIN stored_rows s ON s.position = r.position
 WHERE octet_length((coalesce(s.extra, '{}') || r.extra)::text) > :maxBytes;

/* @name findListingDaysOverLimit */
-- Like findShopDaysOverLimit, for days of listings.
WITH sent_rows AS (
  SELECT r.position::int AS position, r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date,
         (r.day ->> 'listing_id')::bigint AS listing_id, (r.day -> 'extra')::jsonb AS extra
    FROM json_array_elements(:rowsJson::json) WITH ORDINALITY AS r(day, position)
), stored_rows AS MATERIALIZED (
  SELECT r.position, s.extra
    FROM sent_rows r
    JOIN product_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date AND s.listing_id = r.listing_id
)
SELECT r.position AS "position!" FROM sent_rows r LEFT JOIN stored_rows s ON s.position = r.position
 WHERE octet_length((coalesce(s.extra, '{}') || r.extra)::text) > :maxBytes;

/* @name countStoredShopDays */
-- Returns how many of the days are stored already.
WITH sent_rows AS (
  SELECT r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date FROM json_array_elements(:rowsJson::json) AS r(day)
)
SELECT count(*)::int AS "count!" FROM sent_rows r JOIN shop_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date;

/* @name countStoredListingDays */
-- Like countStoredShopDays, for days of listings.
WITH sent_rows AS (
  SELECT r.day ->> 'shop_id' AS shop_id, (r.day ->> 'date')::date AS date, (r.day ->> 'listing_id')::bigint AS listing_id
    FROM json_array_elements(:rowsJson::json) AS r(day)
)
SELECT count(*)::int AS "count!"
  FROM sent_rows r
  JOIN product_daily_statistics s ON s.shop_id = r.shop_id AND s.date = r.date AND s.listing_id = r.listing_id;

/* @name addStatisticImport */
INSERT INTO statistic_imports (kind, actor) VALUES (:kind, :actor) RETURNING id::text AS "id!";

/* @name listRestatements */
-- Rows that a server of 0.28.0 wrote after the column was added have no `days_late`: it is computed as upsertShopDays does, but
-- with the shop's time zone of today.
SELECT r.id::text AS "id!", r.kind, r.listing_id::text,
       r.shop_id, r.date::text AS "date!", r.created_at, d.days_late AS "days_late!", r.before, r.after,
       r.api_key_id, k.name AS "key_name?", k.prefix AS "prefix?", k.last_four AS "last_four?", i.actor AS "user?"
  FROM statistic_restatements r
  LEFT JOIN api_keys k ON k.id = r.api_key_id
  LEFT JOIN statistic_imports i ON i.id = r.import_id
  LEFT JOIN shops s ON s.shop_id = r.shop_id
 CROSS JOIN LATERAL (
   SELECT coalesce(r.days_late, (r.created_at AT TIME ZONE coalesce(s.time_zone, :timeZone))::date - r.date) AS days_late) d
 WHERE (:kind::statistic_kind IS NULL OR r.kind = :kind)
   AND (:shopIds::text[] IS NULL OR r.shop_id = ANY(:shopIds))
   AND (:listingId::bigint IS NULL OR r.listing_id = :listingId)
   AND (:from::date IS NULL OR r.date >= :from) AND (:to::date IS NULL OR r.date <= :to)
   AND (:apiKeyId::int IS NULL OR r.api_key_id = :apiKeyId)
   AND (NOT :pastOnly OR (r.days_late IS NULL OR r.days_late > 0) AND d.days_late > 0)
   AND (:cursor::bigint IS NULL OR r.id < :cursor)
 ORDER BY r.id DESC LIMIT :limit;

/* @name findNextShops */
-- The shops after `afterShopId` among the next `limit` days of listings, in the order of the index. Reading all days in one
-- statement is slower where shops have many days, and asking for one shop at a time where there are many shops.
SELECT DISTINCT shop_id
  FROM (SELECT shop_id FROM product_daily_statistics WHERE shop_id > :afterShopId! ORDER BY shop_id LIMIT :limit!) d
 ORDER BY shop_id;

/* @name listKnownShops */
-- The shops that have statistics, even if only for days of listings, and the stored shops that have a marketplace shop ID and are
-- not archived.
WITH shop_days AS MATERIALIZED (
  SELECT shop_id, min(date) AS first_day, max(date) AS last_day, count(*)::int AS days FROM shop_daily_statistics GROUP BY shop_id
), known_shops AS (
  SELECT shop_id FROM unnest(:shopIdsWithListings!::text[]) AS l(shop_id)
  UNION SELECT shop_id FROM shop_days
  UNION SELECT shop_id FROM shops WHERE shop_id IS NOT NULL AND archived_at IS NULL
)
SELECT k.shop_id AS "shop_id!", s.id AS "account_id?", s.name AS "name?", s.currency,
       s.archived_at IS NOT NULL AS "archived!", d.first_day::text, d.last_day::text, coalesce(d.days, 0) AS "days!"
  FROM known_shops k LEFT JOIN shops s ON s.shop_id = k.shop_id LEFT JOIN shop_days d ON d.shop_id = k.shop_id
 ORDER BY coalesce(s.name, k.shop_id), k.shop_id;

/* @name findMissingShopDays */
-- One shop's days without figures in the months from `from` to `to`. Days before the shop's first day are not missing, nor are the
-- current day and later ones, in the shop's time zone or, for a shop that is not stored, in `timeZone`.
SELECT f.first_day::text, f.last_day::text, z.today::text AS "today!",
       coalesce((SELECT array_agg(d.day::date::text ORDER BY d.day)
                   FROM generate_series(greatest(:from!::date, f.first_day)::timestamp,
                          least((:to!::date + interval '1 month')::date - 1, z.today - 1)::timestamp,
                          interval '1 day') AS d(day)
                  WHERE f.first_day IS NOT NULL
                    AND NOT EXISTS (SELECT FROM shop_daily_statistics s
                                     WHERE s.shop_id = :shopId! AND s.date = d.day::date)), '{}') AS "missing!"
  FROM (SELECT min(date) AS first_day, max(date) AS last_day
          FROM shop_daily_statistics WHERE shop_id = :shopId!) f
 CROSS JOIN (SELECT (:now!::timestamptz AT TIME ZONE coalesce(
               (SELECT time_zone FROM shops WHERE shop_id = :shopId!), :timeZone!))::date AS today) z;

/* @name findMissingListingDays */
-- Like findMissingShopDays, for days of listings: a day is missing if the shop has no figures for any listing.
SELECT f.first_day::text, f.last_day::text, z.today::text AS "today!",
       coalesce((SELECT array_agg(d.day::date::text ORDER BY d.day)
                   FROM generate_series(greatest(:from!::date, f.first_day)::timestamp,
                          least((:to!::date + interval '1 month')::date - 1, z.today - 1)::timestamp,
                          interval '1 day') AS d(day)
                  WHERE f.first_day IS NOT NULL
                    AND NOT EXISTS (SELECT FROM product_daily_statistics s
                                     WHERE s.shop_id = :shopId! AND s.date = d.day::date)), '{}') AS "missing!"
  FROM (SELECT min(date) AS first_day, max(date) AS last_day
          FROM product_daily_statistics WHERE shop_id = :shopId!) f
 CROSS JOIN (SELECT (:now!::timestamptz AT TIME ZONE coalesce(
               (SELECT time_zone FROM shops WHERE shop_id = :shopId!), :timeZone!))::date AS today) z;

/* @name findListingTitle */
-- The listing's title in the newest order item that has one.
SELECT title AS "title!" FROM order_items
 WHERE listing_id = :listingId!::bigint::text AND title IS NOT NULL ORDER BY id DESC LIMIT 1;
