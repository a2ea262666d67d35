/*
 * The statements of an import, all set-based: one statement stores thousands of records. They run under the shop's advisory lock.
 * Before the stored orders of the request are changed, they are locked in id order, as everywhere.
 *
 * `at` is the timestamp of the orders, items and shipments that an import writes, and of the import itself: the instant at which it
 * held all its locks. now() would be when the transaction began, before it waited for the locks: a change could then seem older
 * than the one it replaces, and the work queues would overlook it. All records get the same timestamp, because an undo regards a
 * record with a different timestamp as changed (undo/plan-records.sql).
 *
 * The statements that store lists run without nested loops (planner.sql), and reach stored rows by arrays of their keys, so that
 * an index finds them however large the shop is. Lists compared with NOT IN contain no nulls; PostgreSQL hashes them once.
 */

/* @name limitLockWait */
-- Limits how long the statements of this transaction wait for a lock.
SELECT set_config('lock_timeout', :timeout, true);

/* @name findSkusWithZeros */
-- Returns which of the SKUs the shop has sold with leading zeros.
SELECT DISTINCT ON (ltrim(i.sku, '0')) ltrim(i.sku, '0') AS "sku!", i.sku AS "sold_sku!"
  FROM order_items i
 WHERE i.shop_id = :shopId! AND i.sku LIKE '0%' AND ltrim(i.sku, '0') = ANY(:skus!::text[]) ORDER BY 1, 2;

/* @name lockOrdersByReceiptId */
SELECT iso_instant(clock_timestamp()) AS "locked_at!",
       count(*)::int AS "locked_count!"
  FROM (SELECT FROM orders WHERE shop_id = :shopId! AND receipt_id = ANY(:receiptIds!::text[])
         ORDER BY id FOR UPDATE) locked_order;

/* @name storeOrders */
-- A blank cell never erases a stored value. A postal code whose leading zeros a spreadsheet stripped never replaces the one that
-- has them, and zero never replaces another amount (docs/orders.md).
WITH incoming_order AS MATERIALIZED (
  SELECT j.*, coalesce(c.code, k.code, a.country_code) AS country_code
    FROM json_to_recordset(:orders::json) AS j(
      receipt_id text, status order_status, "row" integer, country_row integer, country_key text,
      sold_on text, buyer text, currency text, sale_date timestamptz, shipped_indicator text, name text,
      first_line text, second_line text, city text, state text, zip text, country_name text, order_type text,
      payment_method text, inperson_location text, carrier_code text, note text, shipping_discount numeric,
      order_shipping numeric, order_sales_tax numeric, inperson_discount numeric, vat_paid_by_buyer numeric)
    LEFT JOIN countries c ON c.folded_name = j.country_key
    LEFT JOIN country_aliases a ON a.folded_alias = j.country_key
    LEFT JOIN countries k ON length(j.country_key) = 2 AND j.country_key <> 'na' AND k.code = upper(j.country_key)
), stored_order AS MATERIALIZED (
  SELECT o.* FROM orders o
   WHERE o.shop_id = :shopId! AND o.receipt_id = ANY(ARRAY(SELECT receipt_id FROM incoming_order))
), different_order AS MATERIALIZED (
  SELECT s.id, m.*
    FROM incoming_order r JOIN stored_order s ON s.receipt_id = r.receipt_id
   CROSS JOIN LATERAL (
         SELECT greatest(s.status, r.status) AS status,
                CASE WHEN r.country_name IS NULL THEN s.country_code ELSE r.country_code END AS country_code,
                coalesce(r.sold_on, s.sold_on) AS sold_on,
                coalesce(r.buyer, s.buyer) AS buyer,
                coalesce(r.currency, s.currency) AS currency,
                coalesce(r.sale_date, s.sale_date) AS sale_date,
                coalesce(r.shipped_indicator, s.shipped_indicator) AS shipped_indicator,
                coalesce(r.name, s.name) AS name,
                coalesce(r.first_line, s.first_line) AS first_line,
                coalesce(r.second_line, s.second_line) AS second_line,
                coalesce(r.city, s.city) AS city,
                coalesce(r.state, s.state) AS state,
                CASE WHEN r.zip = coalesce(nullif(ltrim(s.zip, '0'), ''), left(s.zip, 1)) THEN s.zip ELSE coalesce(r.zip, s.zip) END AS zip,
                coalesce(r.country_name, s.country_name) AS country_name,
                coalesce(r.order_type, s.order_type) AS order_type,
                coalesce(r.payment_method, s.payment_method) AS payment_method,
                coalesce(r.inperson_location, s.inperson_location) AS inperson_location,
                coalesce(r.carrier_code, s.carrier_code) AS carrier_code,
                coalesce(r.note, s.note) AS note,
                CASE WHEN coalesce(r.shipping_discount, 0) = 0 THEN coalesce(s.shipping_discount, r.shipping_discount) ELSE r.shipping_discount END AS shipping_discount,
                CASE WHEN coalesce(r.order_shipping, 0) = 0 THEN coalesce(s.order_shipping, r.order_shipping) ELSE r.order_shipping END AS order_shipping,
                CASE WHEN coalesce(r.order_sales_tax, 0) = 0 THEN coalesce(s.order_sales_tax, r.order_sales_tax) ELSE r.order_sales_tax END AS order_sales_tax,
                CASE WHEN coalesce(r.inperson_discount, 0) = 0 THEN coalesce(s.inperson_discount, r.inperson_discount) ELSE r.inperson_discount END AS inperson_discount,
                CASE WHEN coalesce(r.vat_paid_by_buyer, 0) = 0 THEN coalesce(s.vat_paid_by_buyer, r.vat_paid_by_buyer) ELSE r.vat_paid_by_buyer END AS vat_paid_by_buyer) m
   WHERE (s.status, s.country_code, s.sold_on, s.buyer, s.currency, s.sale_date, s.shipped_indicator, s.name,
          s.first_line, s.second_line, s.city, s.state, s.zip, s.country_name, s.order_type, s.payment_method,
          s.inperson_location, s.carrier_code, s.note, s.shipping_discount, s.order_shipping, s.order_sales_tax,
          s.inperson_discount, s.vat_paid_by_buyer)
         IS DISTINCT FROM
         (m.status, m.country_code, m.sold_on, m.buyer, m.currency, m.sale_date, m.shipped_indicator, m.name,
          m.first_line, m.second_line, m.city, m.state, m.zip, m.country_name, m.order_type, m.payment_method,
          m.inperson_location, m.carrier_code, m.note, m.shipping_discount, m.order_shipping, m.order_sales_tax,
          m.inperson_discount, m.vat_paid_by_buyer)
), changed_order AS (
  UPDATE orders o
     SET status = m.status, country_code = m.country_code, sold_on = m.sold_on, buyer = m.buyer,
         currency = m.currency, sale_date = m.sale_date, shipped_indicator = m.shipped_indicator, name = m.name,
         first_line = m.first_line, second_line = m.second_line, city = m.city, state = m.state, zip = m.zip,
         country_name = m.country_name, order_type = m.order_type, payment_method = m.payment_method,
         inperson_location = m.inperson_location, carrier_code = m.carrier_code, note = m.note,
         shipping_discount = m.shipping_discount, order_shipping = m.order_shipping,
         order_sales_tax = m.order_sales_tax, inperson_discount = m.inperson_discount,
         vat_paid_by_buyer = m.vat_paid_by_buyer, updated_at = :at!::timestamptz
    FROM different_order m
   WHERE o.shop_id = :shopId! AND o.id = m.id AND o.id = ANY(ARRAY(SELECT id FROM different_order))
  RETURNING o.*
), history AS (
  INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
  SELECT j.shop_id, :importId!, 'order', j.id, j.id,
         (SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}') FROM jsonb_each(j.before) d
           WHERE d.key <> 'updated_at' AND j.after -> d.key IS DISTINCT FROM d.value),
         (SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}') FROM jsonb_each(j.after) d
           WHERE d.key <> 'updated_at' AND j.before -> d.key IS DISTINCT FROM d.value)
    -- OFFSET 0 makes PostgreSQL build the JSON once per record, not once per member.
    FROM (SELECT s.shop_id, s.id, to_jsonb(s) AS before, to_jsonb(u) AS after
            FROM changed_order u JOIN stored_order s ON s.id = u.id OFFSET 0) j
), created_order AS (
  INSERT INTO orders (shop_id, receipt_id, import_id, status, country_code,
                      sold_on, buyer, currency, sale_date, shipped_indicator, name, first_line, second_line, city,
                      state, zip, country_name, order_type, payment_method, inperson_location, carrier_code, note,
                      shipping_discount, order_shipping, order_sales_tax, inperson_discount, vat_paid_by_buyer,
                      created_at, updated_at)
  SELECT :shopId!, r.receipt_id, :importId!, r.status, r.country_code,
         r.sold_on, r.buyer, r.currency, r.sale_date, r.shipped_indicator, r.name, r.first_line, r.second_line,
         r.city, r.state, r.zip, r.country_name, r.order_type, r.payment_method, r.inperson_location, r.carrier_code,
         r.note, r.shipping_discount, r.order_shipping, r.order_sales_tax, r.inperson_discount, r.vat_paid_by_buyer,
         :at!::timestamptz, :at!::timestamptz
    FROM incoming_order r
   WHERE r.receipt_id NOT IN (SELECT s.receipt_id FROM stored_order s)
   ORDER BY r."row"
  RETURNING 1
)
SELECT (SELECT count(*) FROM created_order)::int AS "new_orders!",
       (SELECT count(*) FROM stored_order)::int AS "updated_orders!",
       ARRAY(SELECT country_row FROM incoming_order WHERE country_name IS NOT NULL AND country_code IS NULL
              ORDER BY country_row) AS "unmatched_rows!",
       ARRAY(SELECT country_name FROM incoming_order WHERE country_name IS NOT NULL AND country_code IS NULL
              ORDER BY country_row) AS "unmatched_names!";

/* @name storeItems */
-- Matches rows with items in three steps; each row and each item is matched at most once. First by transaction_id. Then the nth row
-- of a kind whose transaction_id is new gets the nth item of that kind without a transaction_id. Then the nth row of a kind without
-- a transaction_id gets the nth remaining item of that kind. Oldest items come first, so that the same rows match the same items
-- even after new ones have been added. `kind` is what makes two items without a transaction_id the same; leading zeros of a SKU do
-- not matter (docs/orders.md), and a SKU of only zeros counts as `0`. `full_item` has the items whose `extra` would exceed the limit
-- and therefore stays as it is: no import removes any of it.
WITH given_item AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:items::json) AS j(
    ord integer, receipt_id text, extra jsonb, extra_row integer,
    title text, quantity integer, price numeric, coupon_code text, coupon_details text, discount_amount numeric,
    item_total numeric, transaction_id text, listing_id text, variations text, listing_type text, sku text)
), incoming_item AS MATERIALIZED (
  SELECT o.id AS order_id, g.* FROM given_item g
    JOIN orders o ON o.shop_id = :shopId! AND o.receipt_id = g.receipt_id
                 AND o.receipt_id = ANY(ARRAY(SELECT receipt_id FROM given_item))
), stored_item AS MATERIALIZED (
  SELECT i.* FROM order_items i
   WHERE i.shop_id = :shopId! AND i.order_id = ANY(ARRAY(SELECT order_id FROM incoming_item))
), transaction_match AS MATERIALIZED (
  SELECT r.ord, s.id FROM incoming_item r
    JOIN stored_item s ON s.order_id = r.order_id AND s.transaction_id = r.transaction_id
), unmatched_row AS MATERIALIZED (
  SELECT r.ord, r.order_id, r.is_anonymous, r.kind,
         row_number() OVER (PARTITION BY r.order_id, r.is_anonymous, r.kind ORDER BY r.ord) AS nth
    FROM (SELECT r.ord, r.order_id, r.transaction_id IS NULL AS is_anonymous,
                 md5(jsonb_build_array(r.listing_id, coalesce(nullif(ltrim(r.sku, '0'), ''), left(r.sku, 1)), r.title, r.variations)::text) AS kind
            FROM incoming_item r
           WHERE r.order_id IN (SELECT order_id FROM stored_item)
             AND r.ord NOT IN (SELECT m.ord FROM transaction_match m)) r
), unmatched_item AS MATERIALIZED (
  SELECT s.id, s.order_id, s.is_anonymous, s.kind,
         row_number() OVER (PARTITION BY s.order_id, s.is_anonymous, s.kind ORDER BY s.id) AS nth
    FROM (SELECT s.id, s.order_id, s.transaction_id IS NULL AS is_anonymous,
                 md5(jsonb_build_array(s.listing_id, coalesce(nullif(ltrim(s.sku, '0'), ''), left(s.sku, 1)), s.title, s.variations)::text) AS kind
            FROM stored_item s
           WHERE s.order_id IN (SELECT order_id FROM unmatched_row)
             AND s.id NOT IN (SELECT m.id FROM transaction_match m)) s
), new_transaction_match AS MATERIALIZED (
  SELECT w.ord, u.id FROM unmatched_row w
    JOIN unmatched_item u ON u.order_id = w.order_id AND u.kind = w.kind AND u.nth = w.nth
   WHERE NOT w.is_anonymous AND u.is_anonymous
), remaining_item AS (
  SELECT u.id, u.order_id, u.kind, row_number() OVER (PARTITION BY u.order_id, u.kind ORDER BY u.id) AS nth
    FROM unmatched_item u
   WHERE u.id NOT IN (SELECT m.id FROM new_transaction_match m)
), item_match AS MATERIALIZED (
  SELECT ord, id FROM transaction_match
  UNION ALL SELECT ord, id FROM new_transaction_match
  UNION ALL SELECT w.ord, r.id FROM unmatched_row w
    JOIN remaining_item r ON r.order_id = w.order_id AND r.kind = w.kind AND r.nth = w.nth
   WHERE w.is_anonymous
), full_item AS MATERIALIZED (
  SELECT s.id, r.extra_row
    FROM item_match t JOIN incoming_item r ON r.ord = t.ord JOIN stored_item s ON s.id = t.id
   WHERE r.extra IS NOT NULL
     AND CASE WHEN s.extra @> r.extra THEN false
              -- Items stored before there was a limit may have too many members even to be merged.
              WHEN octet_length(s.extra::text) > :maxExtraBytes! THEN true
              ELSE octet_length((s.extra || r.extra)::text) > :maxExtraBytes! END
), different_item AS MATERIALIZED (
  SELECT s.id, m.*
    FROM item_match t JOIN incoming_item r ON r.ord = t.ord JOIN stored_item s ON s.id = t.id
   CROSS JOIN LATERAL (
         SELECT coalesce(r.title, s.title) AS title,
                coalesce(r.quantity, s.quantity) AS quantity,
                coalesce(r.price, s.price) AS price,
                coalesce(r.coupon_code, s.coupon_code) AS coupon_code,
                coalesce(r.coupon_details, s.coupon_details) AS coupon_details,
                coalesce(r.discount_amount, s.discount_amount) AS discount_amount,
                coalesce(r.item_total, s.item_total) AS item_total,
                coalesce(r.transaction_id, s.transaction_id) AS transaction_id,
                coalesce(r.listing_id, s.listing_id) AS listing_id,
                coalesce(r.variations, s.variations) AS variations,
                coalesce(r.listing_type, s.listing_type) AS listing_type,
                CASE WHEN r.sku = coalesce(nullif(ltrim(s.sku, '0'), ''), left(s.sku, 1)) THEN s.sku ELSE coalesce(r.sku, s.sku) END AS sku,
                CASE WHEN s.id IN (SELECT id FROM full_item) THEN s.extra ELSE s.extra || coalesce(r.extra, '{}') END AS extra) m
   WHERE (s.title, s.quantity, s.price, s.coupon_code, s.coupon_details, s.discount_amount, s.item_total,
          s.transaction_id, s.listing_id, s.variations, s.listing_type, s.sku, s.extra)
         IS DISTINCT FROM
         (m.title, m.quantity, m.price, m.coupon_code, m.coupon_details, m.discount_amount, m.item_total,
          m.transaction_id, m.listing_id, m.variations, m.listing_type, m.sku, m.extra)
), changed_item AS (
  UPDATE order_items i
     SET title = m.title, quantity = m.quantity, price = m.price, coupon_code = m.coupon_code,
         coupon_details = m.coupon_details, discount_amount = m.discount_amount, item_total = m.item_total,
         transaction_id = m.transaction_id, listing_id = m.listing_id, variations = m.variations,
         listing_type = m.listing_type, sku = m.sku, extra = m.extra, updated_at = :at!::timestamptz
    FROM different_item m
   WHERE i.shop_id = :shopId! AND i.id = m.id AND i.id = ANY(ARRAY(SELECT id FROM different_item))
  RETURNING i.*
), history AS (
  INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
  SELECT j.shop_id, :importId!, 'item', j.id, j.order_id,
         (SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}') FROM jsonb_each(j.before) d
           WHERE d.key <> 'updated_at' AND j.after -> d.key IS DISTINCT FROM d.value),
         (SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}') FROM jsonb_each(j.after) d
           WHERE d.key <> 'updated_at' AND j.before -> d.key IS DISTINCT FROM d.value)
    FROM (SELECT s.shop_id, s.id, s.order_id, to_jsonb(s) AS before, to_jsonb(u) AS after
            FROM changed_item u JOIN stored_item s ON s.id = u.id OFFSET 0) j
), created_item AS (
  INSERT INTO order_items (shop_id, order_id, import_id, extra,
                           title, quantity, price, coupon_code, coupon_details, discount_amount, item_total,
                           transaction_id, listing_id, variations, listing_type, sku, created_at, updated_at)
  SELECT :shopId!, r.order_id, :importId!, coalesce(r.extra, '{}'),
         r.title, r.quantity, r.price, r.coupon_code, r.coupon_details, r.discount_amount, r.item_total,
         r.transaction_id, r.listing_id, r.variations, r.listing_type, r.sku, :at!::timestamptz, :at!::timestamptz
    FROM incoming_item r
   WHERE r.ord NOT IN (SELECT m.ord FROM item_match m)
   ORDER BY r.ord
  RETURNING 1
)
SELECT (SELECT count(*) FROM created_item)::int AS "inserted_items!",
       (SELECT count(*) FROM changed_item)::int AS "changed_items!",
       ARRAY(SELECT extra_row FROM full_item ORDER BY extra_row) AS "full_extra_rows!";

/* @name storeShipments */
WITH given_shipment AS MATERIALIZED (
  SELECT * FROM json_to_recordset(:shipments::json)
      AS j(ord integer, receipt_id text, tracking_number text, carrier_code text)
), incoming_shipment AS MATERIALIZED (
  SELECT o.id AS order_id, g.* FROM given_shipment g
    JOIN orders o ON o.shop_id = :shopId! AND o.receipt_id = g.receipt_id
                 AND o.receipt_id = ANY(ARRAY(SELECT receipt_id FROM given_shipment))
), stored_shipment AS MATERIALIZED (
  SELECT s.* FROM shipments s
    JOIN incoming_shipment r ON r.order_id = s.order_id AND r.tracking_number = s.tracking_number
   WHERE s.shop_id = :shopId! AND s.order_id = ANY(ARRAY(SELECT order_id FROM incoming_shipment))
), changed_shipment AS (
  UPDATE shipments t SET carrier_code = r.carrier_code, updated_at = :at!::timestamptz
    FROM incoming_shipment r JOIN stored_shipment s ON s.order_id = r.order_id AND s.tracking_number = r.tracking_number
   WHERE t.shop_id = :shopId! AND t.id = s.id AND t.id = ANY(ARRAY(SELECT id FROM stored_shipment))
     AND r.carrier_code IS NOT NULL
     AND r.carrier_code IS DISTINCT FROM s.carrier_code
  RETURNING t.*
), history AS (
  INSERT INTO import_changes (shop_id, import_id, record, record_id, order_id, before, after)
  SELECT s.shop_id, :importId!, 'shipment', s.id, s.order_id,
         jsonb_build_object('carrier_code', s.carrier_code), jsonb_build_object('carrier_code', u.carrier_code)
    FROM changed_shipment u JOIN stored_shipment s ON s.id = u.id
), created_shipment AS (
  INSERT INTO shipments (shop_id, order_id, tracking_number, carrier_code, import_id, created_at, updated_at)
  SELECT :shopId!, r.order_id, r.tracking_number, r.carrier_code, :importId!, :at!::timestamptz, :at!::timestamptz
    FROM incoming_shipment r
   WHERE (r.order_id, r.tracking_number) NOT IN (SELECT s.order_id, s.tracking_number FROM stored_shipment s)
   ORDER BY r.ord
)
SELECT coalesce(array_agg(DISTINCT order_id), '{}') AS "order_ids!" FROM incoming_shipment;

/* @name countChangedOrders */
-- Counts the orders that existed before the import and that it changed: their fields, items or shipments.
SELECT count(*)::int AS "changed_orders!" FROM (
  SELECT order_id FROM import_changes WHERE shop_id = :shopId! AND import_id = :importId!
   UNION SELECT order_id FROM order_items WHERE shop_id = :shopId! AND import_id = :importId!
   UNION SELECT order_id FROM shipments WHERE shop_id = :shopId! AND import_id = :importId!) touched_order
  JOIN orders o ON o.shop_id = :shopId! AND o.id = touched_order.order_id AND o.import_id IS DISTINCT FROM :importId!;
