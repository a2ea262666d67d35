/* @name listPickItems */
-- Identical items of the orders combined, with the orders that need them. Blank items are left out.
SELECT p.sku, p.title, p.variations, sum(p.quantity)::float8 AS "quantity!",
       json_agg(json_build_object('receipt_id', p.receipt_id, 'quantity', p.quantity) ORDER BY p.receipt_id) AS "orders!"
  FROM (SELECT t.sku, coalesce(t.title, t.listing_id) AS title, t.choices AS variations, o.receipt_id,
               sum(t.units) AS quantity
          FROM orders o JOIN described_items t ON t.shop_id = o.shop_id AND t.order_id = o.id
         WHERE o.shop_id = ANY(:shopIds!::int[]) AND o.id = ANY(:orderIds!::bigint[])
           AND NOT t.is_blank
         GROUP BY t.sku, 2, 3, o.shop_id, o.receipt_id) p
 GROUP BY p.sku, p.title, p.variations
 ORDER BY p.sku, p.title, p.variations;

/* @name listSlips */
-- In the order of the ids. There are no prices, because the order may be a gift.
SELECT o.id::text AS "id!", o.receipt_id, s.name AS shop, o.sale_date, o.buyer, o.name, o.first_line, o.second_line,
       o.city, o.state, o.zip, o.country_name, o.note
  FROM orders o JOIN shops s ON s.id = o.shop_id
 WHERE o.shop_id = ANY(:shopIds!::int[]) AND o.id = ANY(:orderIds!::bigint[])
 ORDER BY array_position(:orderIds!::bigint[], o.id);

/* @name listSlipItems */
SELECT t.order_id::text AS "order_id!", t.id::text AS "id!", t.sku, coalesce(t.title, t.listing_id) AS "title?",
       t.choices AS "variations?", t.units AS "quantity!"
  FROM described_items t WHERE t.shop_id = ANY(:shopIds!::int[]) AND t.order_id = ANY(:orderIds!::bigint[])
   AND NOT t.is_blank
 ORDER BY t.id;
