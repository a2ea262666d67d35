/* @name findSaleDays */
-- The days in New York on which orders were sold.
SELECT DISTINCT (sale_date AT TIME ZONE 'America/New_York')::date::text AS "day!" FROM orders
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) AND sale_date IS NOT NULL;

/* @name findCurrentAndFormerSaleDays */
-- The sale days of orders, both as they are now and as they were before the imports changed them.
SELECT (sale_date AT TIME ZONE 'America/New_York')::date::text AS "day!" FROM orders
 WHERE shop_id = :shopId! AND id = ANY(:orderIds!::bigint[]) AND sale_date IS NOT NULL
 UNION
SELECT ((c.before ->> 'sale_date')::timestamptz AT TIME ZONE 'America/New_York')::date::text
  FROM import_changes c JOIN orders o ON o.shop_id = c.shop_id AND o.id = c.order_id
 WHERE c.shop_id = :shopId! AND c.import_id = ANY(:importIds!::bigint[]) AND c.record = 'order'
   AND c.before ->> 'sale_date' IS NOT NULL;

/* @name deleteDays */
DELETE FROM order_days WHERE shop_id = :shopId! AND day = ANY(:days!::date[]);

/* @name sumUpDays */
-- Cancelled orders and blank items do not count; an item without a quantity counts as one. `value` is the order's value, the
-- items less discounts (docs/orders.md). The value of an order without an ISO 4217 currency is not added to any sum. The days are
-- summed one by one, so that each day's orders are found by the index, whatever the planner believes about a shop that has just had
-- its first import.
INSERT INTO order_days (shop_id, day, currency, orders, items, quantity, revenue)
SELECT :shopId!, t.day, s.currency, s.orders, s.items, s.quantity, s.revenue
  FROM (SELECT DISTINCT day FROM unnest(:days!::date[]) AS g(day)) t
 CROSS JOIN LATERAL (
   SELECT coalesce(c.currency, '') AS currency, count(*) AS orders, coalesce(sum(i.items), 0) AS items,
          coalesce(sum(i.quantity), 0) AS quantity,
          coalesce(sum(i.value) FILTER (WHERE c.currency IS NOT NULL), 0) AS revenue
     FROM orders o
    CROSS JOIN LATERAL (SELECT CASE WHEN o.currency = ANY(:currencies!::text[]) THEN o.currency END AS currency) c
     LEFT JOIN LATERAL (
       SELECT count(*) FILTER (WHERE NOT n.is_blank) AS items, sum(n.units) AS quantity,
              sum(n.net_total) - coalesce(o.inperson_discount, 0) AS value
         FROM described_items n WHERE n.shop_id = :shopId! AND n.order_id = o.id) i ON true
    WHERE o.shop_id = :shopId! AND o.status <> 'cancelled'
      AND o.sale_date >= t.day::timestamp AT TIME ZONE 'America/New_York'
      AND o.sale_date < (t.day + 1)::timestamp AT TIME ZONE 'America/New_York'
    GROUP BY 1) s;

/* @name findCurrencyOfOrders */
-- The one known currency of a shop's daily sums, if the shop has no currency yet. No row if the sums have several or none.
SELECT min(d.currency) AS "currency!" FROM order_days d
 WHERE d.shop_id = :shopId! AND d.currency <> ''
   -- Most shops have a currency: their days are not read.
   AND EXISTS (SELECT FROM shops s WHERE s.id = d.shop_id AND s.currency IS NULL)
HAVING min(d.currency) = max(d.currency);

/* @name setCurrency */
-- A statement of its own: no server of a cluster can read the shop's days and change all copies of its row.
UPDATE shops SET currency = :currency!, updated_at = now() WHERE id = :shopId! AND currency IS NULL
RETURNING currency AS "currency!";
