/*
 * The overview's statements. Orders are grouped by day in New York, reports by the day that they name. `shopIds` is null for no
 * filter by shop. The statements are not prepared, because a generic plan would take twice as long for a year as one made for that
 * range.
 *
 * The period before has the same number of days, `dayCount`, and ends on the day before `from`. A day is compared with the day
 * that many days earlier. Days from `today` on are not over: they count towards the range's total, but they and the days that they
 * would be compared with are left out of the comparison. Of a report, `today` is the current day in the shop's time zone.
 */

/* @name sumSales */
-- The range's total, the part of it that is compared, and the period before: for each currency of each shop, for each shop, for
-- each currency and for all. From precalculated days (orders/indexing/order-days.sql).
SELECT shop_id AS "shop_id?", currency AS "currency?",
       coalesce(sum(orders) FILTER (WHERE day >= :from!::date), 0)::int AS "orders!",
       coalesce(sum(orders) FILTER (WHERE day >= :from::date AND day < :today!::date), 0)::int AS "orders_compared!",
       coalesce(sum(orders) FILTER (WHERE day < least(:from::date, :today::date - :dayCount!::int)), 0)::int AS "orders_before!",
       coalesce(sum(items) FILTER (WHERE day >= :from::date), 0)::int AS "items!",
       coalesce(sum(quantity) FILTER (WHERE day >= :from::date), 0)::float8 AS "quantity!",
       trim_scale(coalesce(sum(revenue) FILTER (WHERE day >= :from::date), 0))::text AS "revenue!",
       trim_scale(coalesce(sum(revenue) FILTER (WHERE day >= :from::date AND day < :today::date), 0))::text AS "revenue_compared!",
       trim_scale(coalesce(sum(revenue) FILTER (WHERE day < least(:from::date, :today::date - :dayCount::int)), 0))::text
         AS "revenue_before!"
  -- OFFSET 0 makes the coordinator of a cluster add up the grouping sets, because the other servers cannot.
  FROM (SELECT * FROM order_days
         WHERE day BETWEEN :from::date - :dayCount::int AND :to!::date AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
        OFFSET 0) d
 GROUP BY GROUPING SETS ((shop_id, currency), (shop_id), (currency), ())
 ORDER BY sum(revenue) FILTER (WHERE day >= :from::date) DESC NULLS LAST, currency;

/* @name listSales */
-- One row per day and currency, for both periods.
SELECT day::text AS "day!", nullif(currency, '') AS "currency?", sum(orders)::int AS "orders!",
       trim_scale(sum(revenue))::text AS "revenue!"
  FROM order_days
 WHERE day BETWEEN :from!::date - :dayCount!::int AND :to!::date AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
 GROUP BY 1, 2;

/* @name sumReports */
-- Advertising according to the marketplace's reports, for each shop and each currency, and the profit after advertising: the
-- revenue of a day's orders in the shop's currency less its ad spend. A day is compared only if the reports of both periods have
-- the amounts, and only when it is over in the shop's time zone; its profit only when it is also over in New York, as the orders'
-- days are New York's. ROAS is calculated from the days that have both amounts, as everywhere else (statistics/rates.ts).
WITH shop_reports AS MATERIALIZED (
  SELECT s.id, s.currency, d.date, d.ad_spend, d.ad_revenue, (:now!::timestamptz AT TIME ZONE s.time_zone)::date AS today,
         d.date >= :from!::date AS is_in_range
    FROM shop_daily_statistics d
    JOIN shops s ON s.shop_id = d.shop_id AND s.currency IS NOT NULL
   WHERE d.date BETWEEN :from::date - :dayCount!::int AND :to!::date AND (:shopIds::int[] IS NULL OR s.id = ANY(:shopIds))
), shop_sales AS MATERIALIZED (
  SELECT o.shop_id, o.day, o.revenue FROM order_days o JOIN shops s ON s.id = o.shop_id AND s.currency = o.currency
   WHERE o.day BETWEEN :from::date - :dayCount::int AND :to::date AND (:shopIds::int[] IS NULL OR o.shop_id = ANY(:shopIds))
), compared_reports AS (
  SELECT d.*, coalesce(o.revenue, 0) - d.ad_spend AS profit,
         d.date < d.today - CASE WHEN d.is_in_range THEN 0 ELSE :dayCount::int END AS is_over,
         d.date < :newYorkToday!::date - CASE WHEN d.is_in_range THEN 0 ELSE :dayCount::int END AS is_over_in_new_york,
         count(d.ad_spend) OVER pair = 2 AS is_compared, count(d.ad_spend + d.ad_revenue) OVER pair = 2 AS is_roas_compared
    FROM shop_reports d LEFT JOIN shop_sales o ON o.shop_id = d.id AND o.day = d.date
  WINDOW pair AS (PARTITION BY d.id, (d.date - :from::date + :dayCount::int) % :dayCount::int)
), roas_reports AS (
  SELECT *, CASE WHEN ad_spend IS NOT NULL AND ad_revenue IS NOT NULL THEN ad_spend END AS roas_spend,
         CASE WHEN ad_spend IS NOT NULL THEN ad_revenue END AS roas_revenue
    FROM compared_reports
)
SELECT id AS "shop_id?", currency AS "currency!",
       trim_scale(sum(ad_spend) FILTER (WHERE is_in_range))::text AS ad_spend,
       trim_scale(sum(ad_spend) FILTER (WHERE is_in_range AND is_over AND is_compared))::text AS ad_spend_compared,
       trim_scale(sum(ad_spend) FILTER (WHERE NOT is_in_range AND is_over AND is_compared))::text AS ad_spend_before,
       trim_scale(sum(profit) FILTER (WHERE is_in_range))::text AS profit,
       trim_scale(sum(profit) FILTER (WHERE is_in_range AND is_over AND is_over_in_new_york AND is_compared))::text
         AS profit_compared,
       trim_scale(sum(profit) FILTER (WHERE NOT is_in_range AND is_over AND is_over_in_new_york AND is_compared))::text
         AS profit_before,
       round(sum(roas_revenue) FILTER (WHERE is_in_range)
             / nullif(sum(roas_spend) FILTER (WHERE is_in_range), 0), 4)::float8 AS roas,
       round(sum(roas_revenue) FILTER (WHERE is_in_range AND is_over AND is_roas_compared)
             / nullif(sum(roas_spend) FILTER (WHERE is_in_range AND is_over AND is_roas_compared), 0), 4)::float8 AS roas_compared,
       round(sum(roas_revenue) FILTER (WHERE NOT is_in_range AND is_over AND is_roas_compared)
             / nullif(sum(roas_spend) FILTER (WHERE NOT is_in_range AND is_over AND is_roas_compared), 0), 4)::float8 AS roas_before
  FROM roas_reports
 GROUP BY GROUPING SETS ((id, currency), (currency));

/* @name listReports */
-- The figures of sumReports by day and currency, for both periods. A day on which no report states its ad spend has no row.
WITH shop_reports AS MATERIALIZED (
  SELECT s.id, s.currency, d.date, d.ad_spend, d.ad_revenue
    FROM shop_daily_statistics d
    JOIN shops s ON s.shop_id = d.shop_id AND s.currency IS NOT NULL
   WHERE d.date BETWEEN :from!::date - :dayCount!::int AND :to!::date AND (:shopIds::int[] IS NULL OR s.id = ANY(:shopIds))
     AND d.ad_spend IS NOT NULL
), shop_sales AS MATERIALIZED (
  SELECT o.shop_id, o.day, o.revenue FROM order_days o JOIN shops s ON s.id = o.shop_id AND s.currency = o.currency
   WHERE o.day BETWEEN :from::date - :dayCount::int AND :to::date AND (:shopIds::int[] IS NULL OR o.shop_id = ANY(:shopIds))
)
SELECT d.date::text AS "day!", d.currency AS "currency!", trim_scale(sum(d.ad_spend))::text AS ad_spend,
       trim_scale(sum(coalesce(o.revenue, 0) - d.ad_spend))::text AS profit,
       round(sum(d.ad_revenue) / nullif(sum(d.ad_spend) FILTER (WHERE d.ad_revenue IS NOT NULL), 0), 4)::float8 AS roas
  FROM shop_reports d LEFT JOIN shop_sales o ON o.shop_id = d.id AND o.day = d.date
 GROUP BY 1, 2;

/* @name listShops */
-- The chosen shops or, if none are chosen, all that are not archived. For each, the first day and the number of days of the range that
-- have a report, how many of these are before the current day in the shop's time zone, and how many such days there are in the range
-- and since that first day.
WITH chosen_shops AS (
  SELECT *, least(:to!::date, (:now!::timestamptz AT TIME ZONE time_zone)::date - 1) AS last_day FROM shops
   WHERE :shopIds::int[] IS NULL AND archived_at IS NULL OR id = ANY(:shopIds)
), reports AS MATERIALIZED (
  SELECT d.shop_id, array_agg(d.date ORDER BY d.date) AS days
    FROM shop_daily_statistics d JOIN chosen_shops c ON c.shop_id = d.shop_id
   WHERE d.date BETWEEN :from!::date AND :to::date GROUP BY d.shop_id
)
SELECT s.id, s.name, s.shop_id, s.currency, r.days[1]::text AS first_day, coalesce(cardinality(r.days), 0) AS "report_days!",
       (SELECT count(*) FROM unnest(r.days) AS d(day) WHERE d.day <= s.last_day)::int AS "past_report_days!",
       greatest(s.last_day - :from::date + 1, 0) AS "days_in_range!",
       coalesce(greatest(s.last_day - r.days[1] + 1, 0), 0) AS "days_since_first!"
  FROM chosen_shops s LEFT JOIN reports r ON r.shop_id = s.shop_id
 ORDER BY s.name;

/* @name findShopsWithEarlierReports */
SELECT shop_id FROM shop_daily_statistics WHERE shop_id = ANY(:shopIds!::text[]) AND date < :from!::date GROUP BY shop_id;

/* @name countToShip */
-- For each shop, the number of entries of the queue "To ship" that are open no matter what carriers have reported, and when the
-- oldest began to wait.
SELECT shop_id, count(*)::int AS "order_count!", min(since) AS "oldest_since!" FROM queue_records
 WHERE queue = 'to_ship' AND record_state = 'open' AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
 GROUP BY shop_id;

/* @name listListings */
-- The listings with the greatest profit after advertising in each currency, and those that lose the most. The profit is a
-- listing's revenue in the report less the cost of its advertisements, from the days that have both.
WITH sums AS (
  SELECT s.currency, p.listing_id, sum(p.revenue - p.spent_total) AS profit,
         round(sum(p.ad_revenue) FILTER (WHERE p.spent_total IS NOT NULL)
               / nullif(sum(p.spent_total) FILTER (WHERE p.ad_revenue IS NOT NULL), 0), 4)::float8 AS roas
    FROM product_daily_statistics p JOIN shops s ON s.shop_id = p.shop_id AND s.currency IS NOT NULL
   WHERE p.date BETWEEN :from!::date AND :to!::date AND (:shopIds::int[] IS NULL OR s.id = ANY(:shopIds))
   GROUP BY 1, 2
), ranked_listings AS (
  SELECT *, row_number() OVER (PARTITION BY currency ORDER BY profit DESC, listing_id) AS best_rank,
         row_number() OVER (PARTITION BY currency ORDER BY profit, listing_id) AS worst_rank,
         count(*) OVER (PARTITION BY currency) AS listing_count,
         count(*) FILTER (WHERE profit < 0) OVER (PARTITION BY currency) AS losing_count
    FROM sums WHERE profit IS NOT NULL
)
SELECT currency AS "currency!", listing_id::float8 AS "listing_id!", trim_scale(profit)::text AS "profit!", roas,
       listing_count::int AS "listing_count!", losing_count::int AS "losing_count!"
  FROM ranked_listings WHERE best_rank <= :bestCount!::int OR (worst_rank <= :worstCount!::int AND profit < 0)
 ORDER BY currency, best_rank;

/* @name listShopsWithoutCurrency */
-- The first 50 shops, by name, that have advertising amounts in the range but no currency.
SELECT DISTINCT s.id AS "id?", coalesce(s.name, d.shop_id) AS "name!"
  FROM shop_daily_statistics d LEFT JOIN shops s ON s.shop_id = d.shop_id
 WHERE s.currency IS NULL AND d.date BETWEEN :from!::date AND :to!::date
   AND (:shopIds::int[] IS NULL OR s.id = ANY(:shopIds)) AND (d.ad_spend > 0 OR d.ad_revenue > 0)
 ORDER BY 2 LIMIT 50;

/* @name countByTracking */
-- Counts all orders and subtracts the cancelled ones, which are few, because each number can be counted from an index.
SELECT coalesce(tracking_status::text, 'none') AS "status!", sum(orders)::int AS "orders!" FROM (
  SELECT tracking_status, count(*) AS orders FROM orders
   WHERE sale_date >= :start!::timestamptz AND sale_date < :end!::timestamptz
     AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
   GROUP BY 1
   UNION ALL
  SELECT tracking_status, -count(*) FROM orders
   WHERE status = 'cancelled' AND sale_date >= :start!::timestamptz AND sale_date < :end!::timestamptz
     AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
   GROUP BY 1) counts
 GROUP BY 1 HAVING sum(orders) > 0 ORDER BY 1;

/* @name countByCountry */
-- Orders by country of delivery, for both periods; all minus the cancelled ones, as in countByTracking.
SELECT country_code AS "country!", sum(orders)::int AS "orders!", sum(compared)::int AS "compared!", sum(before)::int AS "before!"
  FROM (
  SELECT country_code, count(*) FILTER (WHERE sale_date >= :start!::timestamptz) AS orders,
         count(*) FILTER (WHERE sale_date >= :start AND sale_date < :today!::timestamptz) AS compared,
         count(*) FILTER (WHERE sale_date < :beforeEnd!::timestamptz) AS before
    FROM orders
   WHERE country_code IS NOT NULL AND sale_date >= :beforeStart!::timestamptz AND sale_date < :end!::timestamptz
     AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
   GROUP BY 1
   UNION ALL
  SELECT country_code, -count(*) FILTER (WHERE sale_date >= :start),
         -count(*) FILTER (WHERE sale_date >= :start AND sale_date < :today), -count(*) FILTER (WHERE sale_date < :beforeEnd)
    FROM orders
   WHERE country_code IS NOT NULL AND status = 'cancelled' AND sale_date >= :beforeStart AND sale_date < :end
     AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds))
   GROUP BY 1) counts
 GROUP BY 1 HAVING sum(orders) > 0 ORDER BY 2 DESC, 1 LIMIT :limit!;

/* @name listDeliveredNumbers */
-- The tracking numbers of the latest deliveries within a range, of shipments of these shops.
SELECT tracking_number FROM tracking_numbers n
 WHERE status = 'delivered' AND status_at >= :start!::timestamptz AND status_at < :end!::timestamptz
   AND EXISTS (SELECT FROM tracking_number_shops h
                WHERE h.tracking_number = n.tracking_number AND (:shopIds::int[] IS NULL OR h.shop_id = ANY(:shopIds)))
 ORDER BY status_at DESC, tracking_number DESC LIMIT :limit!;

/* @name listDestinations */
-- The country to which each tracking number is shipped. If several orders have the number, one of them counts, always the same.
SELECT DISTINCT ON (s.tracking_number) s.tracking_number, o.country_code
  FROM shipments s JOIN orders o ON o.shop_id = s.shop_id AND o.id = s.order_id
 WHERE s.tracking_number = ANY(:trackingNumbers!::text[]) AND (:shopIds::int[] IS NULL OR s.shop_id = ANY(:shopIds))
 ORDER BY s.tracking_number, s.shop_id, s.id;

/* @name timeDeliveries */
-- Days from a number's first scan in transit to its delivery. A number that was not seen in transit before its delivery has no row.
-- A user's corrections are not scans.
SELECT tracking_number, (extract(epoch FROM delivered_at - shipped_at) / 86400)::float8 AS "days!"
  FROM (SELECT tracking_number, min(occurred_at) FILTER (WHERE status = 'delivered') AS delivered_at,
               min(occurred_at) FILTER (WHERE status > 'info_received' AND status < 'delivered') AS shipped_at
          FROM tracking_events WHERE tracking_number = ANY(:trackingNumbers!::text[]) AND kind <> 'correction'
         GROUP BY tracking_number) e
 WHERE shipped_at < delivered_at;

/* @name countImportsWithWarnings */
-- Counts the imports from `since` on that the import history lists as succeeded and with warnings, which include held-back rows.
SELECT count(*)::int AS "count!" FROM imports
 WHERE outcome = 'succeeded' AND (warnings > 0 OR held_rows > 0) AND created_at >= :since!
   AND (:shopIds::int[] IS NULL OR shop_id = ANY(:shopIds));

/* @name listShopsMissingStatistics */
-- Shops without statistics for yesterday in their time zone, or in New York's for shops that are not stored. Shops count
-- only if they have statistics in the 30 days before. Without `limit`, lists all of them; `total` always counts all.
-- `day` is the shop's yesterday.
WITH missing_shops AS MATERIALIZED (
  SELECT s.id, coalesce(s.name, k.shop_id) AS name, k.shop_id, y.yesterday
    FROM (SELECT DISTINCT shop_id FROM shop_daily_statistics
           WHERE date BETWEEN :now!::timestamptz::date - 32 AND :now!::timestamptz::date) k
    LEFT JOIN shops s ON s.shop_id = k.shop_id
   CROSS JOIN LATERAL (
     SELECT (:now!::timestamptz AT TIME ZONE coalesce(s.time_zone, 'America/New_York'))::date - 1 AS yesterday) y
   WHERE NOT EXISTS (SELECT FROM shop_daily_statistics d WHERE d.shop_id = k.shop_id AND d.date = y.yesterday)
     AND EXISTS (SELECT FROM shop_daily_statistics d
                  WHERE d.shop_id = k.shop_id AND d.date BETWEEN y.yesterday - 30 AND y.yesterday - 1)
     AND (:shopIds::int[] IS NULL OR s.id = ANY(:shopIds)) AND s.archived_at IS NULL
)
SELECT id AS "id?", name AS "name!", shop_id AS "shop_id!", yesterday::text AS "day!", count(*) OVER ()::int AS "total!"
  FROM missing_shops ORDER BY name, shop_id LIMIT :limit;

/* @name readFirstSteps */
SELECT EXISTS (SELECT id FROM shops WHERE archived_at IS NULL AND currency IS NOT NULL) AS "shop!",
       (SELECT min(id) FROM shops WHERE archived_at IS NULL AND currency IS NULL) AS shop_without_currency,
       (SELECT name FROM shops WHERE archived_at IS NULL ORDER BY id LIMIT 1) AS "first_shop?",
       EXISTS (SELECT id FROM imports WHERE outcome = 'succeeded') AS "import!",
       EXISTS (SELECT id FROM prompt_versions WHERE state = 'published') AS "prompt!",
       (SELECT count(*) > 1 FROM users WHERE deactivated_at IS NULL) AS "people!",
       EXISTS (SELECT id FROM users WHERE id = :userId! AND totp_enabled_at IS NOT NULL) AS "two_factor!",
       EXISTS (SELECT id FROM users WHERE id = :userId! AND first_steps_dismissed_at IS NOT NULL) AS "dismissed!";

/* @name dismissFirstSteps */
UPDATE users SET first_steps_dismissed_at = now() WHERE id = :userId! AND first_steps_dismissed_at IS NULL;
