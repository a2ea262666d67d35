/* @name listUnmatchedCountries */
-- Across all shops: the country names in orders that match no country, the most frequent first.
SELECT country_name AS "country_name!", count(*)::int AS "orders!", max(created_at) AS "last_order_at!"
  FROM orders WHERE country_code IS NULL AND country_name IS NOT NULL
 GROUP BY country_name ORDER BY count(*) DESC, country_name LIMIT :limit!;

/* @name listCountryNames */
-- Across all shops: the country names of orders with this country.
SELECT DISTINCT shop_id, country_name AS "country_name!" FROM orders WHERE country_code = :code! AND country_name IS NOT NULL;

/* @name listUnmatchedNames */
-- Across all shops: the country names of orders without a country. Separate from listCountryNames because only IS NULL and = can
-- use the index.
SELECT DISTINCT shop_id, country_name AS "country_name!" FROM orders
 WHERE country_code IS NULL AND country_name IS NOT NULL;

/* @name lockOrders */
-- Locks orders in ascending order of their ids, as imports do.
SELECT count(*)::int AS "order_count!" FROM (
  SELECT FROM orders
   WHERE shop_id = :shopId! AND country_code IS NOT DISTINCT FROM :from::char(2) AND country_name = ANY(:names!::text[])
   ORDER BY id FOR UPDATE) locked_orders;

/* @name setCountry */
-- Uses statement_timestamp() because now() is when the transaction began, before it waited for the locks on the orders.
UPDATE orders SET country_code = :to, updated_at = statement_timestamp()
 WHERE shop_id = :shopId! AND country_code IS NOT DISTINCT FROM :from::char(2) AND country_name = ANY(:names!::text[])
RETURNING 1 AS "changed!";

/* @name findCodes */
-- The code of the country that each folded name means, in the same order and by the rule of imports (orders/import/import.sql).
SELECT coalesce(c.code, k.code, a.country_code) AS "code?"
  FROM unnest(:foldedNames!::text[]) WITH ORDINALITY AS n(folded_name, position)
  LEFT JOIN countries c ON c.folded_name = n.folded_name
  LEFT JOIN country_aliases a ON a.folded_alias = n.folded_name
  LEFT JOIN countries k ON length(n.folded_name) = 2 AND n.folded_name <> 'na' AND k.code = upper(n.folded_name)
 ORDER BY n.position;

/* @name lockAliases */
LOCK TABLE country_aliases IN SHARE ROW EXCLUSIVE MODE;
