import type pg from 'pg';

const ORDER_COUNT = 1_000_000;
const ITEMS_PER_ORDER = 3;
/** The number of days over which the orders were sold. */
export const DAY_COUNT = 730;

/**
 * $1: shop ids (int[]), $2: number of orders. Two years of orders as in a real shop: most were delivered long ago, the newest are
 * paid or still in transit.
 */
const ADD_ORDERS = `
INSERT INTO orders (shop_id, receipt_id, status, tracking_status, sale_date, currency, buyer, name, city, country_code, country_name, carrier_code)
SELECT ($1::int[])[1 + n % cardinality($1::int[])], (4000000000 + n)::text,
       (CASE WHEN n % 50 = 0 THEN 'cancelled' WHEN age < 4 THEN 'paid' WHEN age < 20 THEN 'shipped' ELSE 'delivered' END)::order_status,
       (CASE WHEN age < 4 THEN NULL WHEN n % 997 = 0 THEN 'exception' WHEN age < 20 THEN 'in_transit' ELSE 'delivered' END)::tracking_status,
       date_trunc('second', now()) - make_interval(secs => n * ${DAY_COUNT} * 86400.0 / $2),
       CASE WHEN n % 5 = 0 THEN 'EUR' ELSE 'USD' END, 'buyer' || n % 300000,
       (ARRAY['Sable','Yarrow','Dara','Corin','Emlyn','Lorne','Piran','Nell'])[1 + n % 8] || ' ' ||
       (ARRAY['Proxy','Examplar','Imagin','Mockridge','Testwood','Nullman','Müller'])[1 + n % 7] || n % 5000,
       'Newfields', (ARRAY['US','US','US','CA','GB','DE'])[1 + n % 6],
       (ARRAY['United States','United States','United States','Canada','United Kingdom','Germany'])[1 + n % 6], 'yanwen'
  FROM (SELECT n, n * ${DAY_COUNT} / $2 AS age FROM generate_series(1, $2::int) n) x`;

const ADD_ITEMS = `
INSERT INTO order_items (shop_id, order_id, transaction_id, listing_id, title, sku, quantity, price, item_total)
SELECT o.shop_id, o.id, (o.id * ${ITEMS_PER_ORDER} + k)::text, (1000000 + (o.id * 7 + k) % 4000)::text,
       (ARRAY['Fox','Whale','Moon','Teapot','Otter','Fern','Heron','Lantern'])[1 + (o.id + k) % 8] || ' ' ||
       (ARRAY['Sticker','Magnet','Poster','Print','Minifigure','Puzzle'])[1 + (o.id * 3 + k) % 6] || ' No. ' || (o.id * 7 + k) % 4000,
       'SKU-' || lpad(((o.id * 7 + k) % 4000)::text, 5, '0'), 1, 4.49, 4.49
  FROM orders o CROSS JOIN generate_series(1, ${ITEMS_PER_ORDER}) k WHERE o.shop_id = ANY($1::int[])`;

/** Search documents like those that orders/indexing/search.sql writes, but without addresses and tracking numbers. */
const ADD_DOCUMENTS = `
INSERT INTO order_search (shop_id, order_id, document)
SELECT o.shop_id, o.id, lower(concat_ws(E'\\n', o.receipt_id, o.buyer, o.name, i.texts))
  FROM orders o JOIN (SELECT shop_id, order_id, string_agg(concat_ws(E'\\n', title, sku), E'\\n' ORDER BY id) AS texts
                        FROM order_items GROUP BY shop_id, order_id) i ON i.shop_id = o.shop_id AND i.order_id = o.id
 WHERE o.shop_id = ANY($1::int[]) ON CONFLICT DO NOTHING`;

/** The daily sums that orders/indexing/order-days.sql calculates. Each order has three items, for 13.47 in all. */
const ADD_DAYS = `
INSERT INTO order_days (shop_id, day, currency, orders, items, quantity, revenue)
SELECT o.shop_id, (o.sale_date AT TIME ZONE 'America/New_York')::date, o.currency, count(*), 3 * count(*), 3 * count(*), 13.47 * count(*)
  FROM orders o WHERE o.shop_id = ANY($1::int[]) AND o.status <> 'cancelled' GROUP BY 1, 2, 3`;

const ADD_STATISTICS = `
INSERT INTO shop_daily_statistics (shop_id, date, ad_impressions, ad_clicks, ad_spend, ad_revenue, total_orders)
SELECT s.shop_id, current_date - d, 4000 + d, 120, 31.4, 88.5, 12
  FROM shops s CROSS JOIN generate_series(0, ${DAY_COUNT}) d WHERE s.shop_id IS NOT NULL ON CONFLICT DO NOTHING`;

/**
 * Adds a million orders and three million items, spread over the shops, with their search documents and daily sums, and two
 * years of statistics for each shop.
 */
export async function fillShops(db: pg.Client, shopIds: readonly number[]): Promise<void> {
  await db.query('SET synchronous_commit = off');
  await db.query(`UPDATE shops SET shop_id = 'bench-' || id, currency = 'USD' WHERE id = ANY($1::int[])`, [
    shopIds,
  ]);
  await db.query(ADD_ORDERS, [shopIds, ORDER_COUNT]);
  await db.query(ADD_ITEMS, [shopIds]);
  // Building the index afterwards is several times faster than adding entries one by one.
  await db.query('DROP INDEX order_search_document_idx');
  await db.query(ADD_DOCUMENTS, [shopIds]);
  await db.query(`SET maintenance_work_mem = '512MB'`);
  await db.query('CREATE INDEX order_search_document_idx ON order_search USING GIN (document gin_trgm_ops)');
  await db.query(ADD_DAYS, [shopIds]);
  await db.query(ADD_STATISTICS);
  await db.query('VACUUM (ANALYZE) orders, order_items, order_search, order_days, shop_daily_statistics');
}
