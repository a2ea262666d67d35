import { ORDER_FIELDS } from './column-map';
import { ITEM_FIELDS, ORDER_AMOUNTS, ORDER_TEXTS } from './receipts';

/**
 * The import's statements, made from the field table, so that a new field is one line there. All are set-based: a request
 * of any size runs the same few statements. They run under the shop's advisory lock and lock the stored orders in the
 * order of their ids, as everything does that changes orders.
 *
 * What is compared by NOT IN is never null. PostgreSQL then hashes it once; NOT EXISTS it may run as a nested loop over both
 * sides, since before the tables have statistics it takes every list of rows for a short one: minutes for a large import.
 */

type SqlType = 'text' | 'numeric' | 'integer' | 'timestamptz';

function sqlType(name: keyof typeof ORDER_FIELDS): SqlType {
  switch (ORDER_FIELDS[name].kind) {
    case 'money':
      return 'numeric';
    case 'quantity':
      return 'integer';
    case 'instant':
      return 'timestamptz';
    default:
      return 'text';
  }
}

const list = (parts: readonly string[]) => parts.join(',\n    ');

/** A spreadsheet strips leading zeros: such a value never replaces the one that still has them (docs/orders.md). */
const keepsZeros = (name: string) =>
  `CASE WHEN r.${name} = coalesce(nullif(ltrim(s.${name}, '0'), ''), '0') THEN s.${name} ELSE coalesce(r.${name}, s.${name}) END`;

/** What a field becomes when row `r` meets stored record `s`: a blank never erases. */
function merged(name: string): string {
  return name === 'zip' || name === 'sku' ? keepsZeros(name) : `coalesce(r.${name}, s.${name})`;
}

/** Zero never replaces an amount that is not. */
const mergedAmount = (name: string) =>
  `CASE WHEN coalesce(r.${name}, 0) = 0 THEN coalesce(s.${name}, r.${name}) ELSE r.${name} END`;

const orderColumns = [...ORDER_TEXTS, ...ORDER_AMOUNTS];
const orderMerge: [column: string, value: string][] = [
  ['status', 'greatest(s.status, r.status)'],
  ['country_code', `CASE WHEN r.country_name IS NULL THEN s.country_code ELSE r.country_code END`],
  ...ORDER_TEXTS.map((name): [string, string] => [name, merged(name)]),
  ...ORDER_AMOUNTS.map((name): [string, string] => [name, mergedAmount(name)]),
];

/** What an import may change of an order that exists. */
export const MERGED_ORDER_COLUMNS = orderMerge.map(([column]) => column);

/**
 * The members of two JSON objects that differ, with the values of the first. Both are made beforehand, once a record (OFFSET 0
 * keeps them so), not once for each of their members.
 */
const difference = (first: string, second: string) =>
  `(SELECT coalesce(jsonb_object_agg(d.key, d.value), '{}'::jsonb) FROM jsonb_each(${first}) d
      WHERE d.key NOT IN ('updated_at') AND ${second} -> d.key IS DISTINCT FROM d.value)`;

/** $1 account, $2 orders as JSON, $3 import. One row: new_orders, updated_orders, unmatched countries. */
export const STORE_ORDERS = `
WITH incoming AS MATERIALIZED (
  SELECT j.*, coalesce(c.code, k.code, a.country_code) AS country_code
    FROM json_to_recordset($2::json) AS j(
      receipt_id text, status order_status, "row" integer, country_row integer, country_key text,
      ${list(orderColumns.map((name) => `${name} ${sqlType(name)}`))})
    LEFT JOIN countries c ON c.folded_name = j.country_key
    LEFT JOIN country_aliases a ON a.folded_alias = j.country_key
    LEFT JOIN countries k ON length(j.country_key) = 2 AND j.country_key <> 'na' AND k.code = upper(j.country_key)
), stored AS MATERIALIZED (
  SELECT o.* FROM orders o
   WHERE o.account_id = $1 AND o.receipt_id IN (SELECT receipt_id FROM incoming)
   ORDER BY o.id FOR UPDATE
), changed AS (
  UPDATE orders o SET
    ${list(orderMerge.map(([column, value]) => `${column} = ${value}`))},
    updated_at = now()
    FROM incoming r JOIN stored s ON s.receipt_id = r.receipt_id
   WHERE o.id = s.id
     AND (${orderMerge.map(([column]) => `s.${column}`).join(', ')})
         IS DISTINCT FROM (${orderMerge.map(([, value]) => value).join(', ')})
  RETURNING o.*
), history AS (
  INSERT INTO import_changes (import_id, record, record_id, order_id, before, after)
  SELECT $3, 'order', s.id, s.id,
         ${difference('j.before', 'j.after')}, ${difference('j.after', 'j.before')}
    FROM changed u JOIN stored s ON s.id = u.id,
         LATERAL (SELECT to_jsonb(s) AS before, to_jsonb(u) AS after OFFSET 0) j
), created AS (
  INSERT INTO orders (account_id, receipt_id, import_id, status, country_code,
    ${list(orderColumns)})
  SELECT $1, r.receipt_id, $3, r.status, r.country_code,
    ${list(orderColumns.map((name) => `r.${name}`))}
    FROM incoming r
   WHERE r.receipt_id NOT IN (SELECT s.receipt_id FROM stored s)
   ORDER BY r."row"
  RETURNING 1
)
SELECT (SELECT count(*) FROM created)::int AS new_orders,
       (SELECT count(*) FROM stored)::int AS updated_orders,
       (SELECT coalesce(json_agg(json_build_object('row', country_row, 'name', country_name) ORDER BY country_row), '[]')
          FROM incoming WHERE country_name IS NOT NULL AND country_code IS NULL) AS unmatched_countries`;

/** $1 import. How many of the orders that were there before it has changed: their own fields, their items or shipments. */
export const COUNT_CHANGED_ORDERS = `
SELECT count(*)::int AS changed_orders FROM (
  SELECT order_id FROM import_changes WHERE import_id = $1
   UNION SELECT order_id FROM order_items WHERE import_id = $1
   UNION SELECT order_id FROM shipments WHERE import_id = $1) touched
  JOIN orders o ON o.id = touched.order_id AND o.import_id IS DISTINCT FROM $1`;

/** What makes two items without a transaction_id the same (docs/orders.md); leading zeros of a SKU count for nothing. */
const kindOf = (alias: string) =>
  `md5(jsonb_build_array(${alias}.listing_id, coalesce(nullif(ltrim(${alias}.sku, '0'), ''), ${alias}.sku), ${alias}.title, ${alias}.variations)::text)`;

const itemMerge: [column: string, value: string][] = [
  ...ITEM_FIELDS.map((name): [string, string] => [name, merged(name)]),
  ['extra', `s.extra || coalesce(r.extra, '{}'::jsonb)`],
];

/** What an import may change of an item that exists. */
export const MERGED_ITEM_COLUMNS = itemMerge.map(([column]) => column);

/**
 * $1 account, $2 items as JSON, $3 import. One row: inserted, changed.
 *
 * Rows find their item in three steps, each row and each item once: by transaction_id; then rows whose transaction_id is
 * new take the nth item of their kind that has none; then rows without one take the nth remaining item of their kind, the
 * oldest first, so that the same rows find the same items again after new ones were added.
 */
export const STORE_ITEMS = `
WITH incoming AS MATERIALIZED (
  SELECT o.id AS order_id, j.*
    FROM json_to_recordset($2::json) AS j(
      ord integer, receipt_id text, extra jsonb,
      ${list(ITEM_FIELDS.map((name) => `${name} ${sqlType(name)}`))})
    JOIN orders o ON o.account_id = $1 AND o.receipt_id = j.receipt_id
), stored AS MATERIALIZED (
  SELECT i.* FROM order_items i WHERE i.order_id IN (SELECT order_id FROM incoming)
), by_transaction AS MATERIALIZED (
  SELECT r.ord, s.id FROM incoming r
    JOIN stored s ON s.order_id = r.order_id AND s.transaction_id = r.transaction_id
), waiting AS MATERIALIZED (
  SELECT r.ord, r.order_id, r.transaction_id IS NULL AS anonymous, ${kindOf('r')} AS kind,
         row_number() OVER (PARTITION BY r.order_id, r.transaction_id IS NULL, ${kindOf('r')} ORDER BY r.ord) AS nth
    FROM incoming r
   WHERE r.order_id IN (SELECT order_id FROM stored)
     AND r.ord NOT IN (SELECT m.ord FROM by_transaction m)
), free AS MATERIALIZED (
  SELECT s.id, s.order_id, s.transaction_id IS NULL AS anonymous, ${kindOf('s')} AS kind,
         row_number() OVER (PARTITION BY s.order_id, s.transaction_id IS NULL, ${kindOf('s')} ORDER BY s.id) AS nth
    FROM stored s
   WHERE s.order_id IN (SELECT order_id FROM waiting)
     AND s.id NOT IN (SELECT m.id FROM by_transaction m)
), adopted AS MATERIALIZED (
  SELECT w.ord, f.id FROM waiting w
    JOIN free f ON f.order_id = w.order_id AND f.kind = w.kind AND f.nth = w.nth
   WHERE NOT w.anonymous AND f.anonymous
), remaining AS (
  SELECT f.id, f.order_id, f.kind,
         row_number() OVER (PARTITION BY f.order_id, f.kind ORDER BY f.id) AS nth
    FROM free f
   WHERE f.id NOT IN (SELECT m.id FROM adopted m)
), matches AS MATERIALIZED (
  SELECT ord, id FROM by_transaction
  UNION ALL SELECT ord, id FROM adopted
  UNION ALL SELECT w.ord, f.id FROM waiting w
    JOIN remaining f ON f.order_id = w.order_id AND f.kind = w.kind AND f.nth = w.nth
   WHERE w.anonymous
), changed AS (
  UPDATE order_items i SET
    ${list(itemMerge.map(([column, value]) => `${column} = ${value}`))},
    updated_at = now()
    FROM matches m JOIN incoming r ON r.ord = m.ord JOIN stored s ON s.id = m.id
   WHERE i.id = m.id
     AND (${itemMerge.map(([column]) => `s.${column}`).join(', ')})
         IS DISTINCT FROM (${itemMerge.map(([, value]) => value).join(', ')})
  RETURNING i.*
), history AS (
  INSERT INTO import_changes (import_id, record, record_id, order_id, before, after)
  SELECT $3, 'item', s.id, s.order_id,
         ${difference('j.before', 'j.after')}, ${difference('j.after', 'j.before')}
    FROM changed u JOIN stored s ON s.id = u.id,
         LATERAL (SELECT to_jsonb(s) AS before, to_jsonb(u) AS after OFFSET 0) j
), created AS (
  INSERT INTO order_items (order_id, import_id, extra,
    ${list(ITEM_FIELDS)})
  SELECT r.order_id, $3, coalesce(r.extra, '{}'::jsonb),
    ${list(ITEM_FIELDS.map((name) => `r.${name}`))}
    FROM incoming r
   WHERE r.ord NOT IN (SELECT m.ord FROM matches m)
   ORDER BY r.ord
  RETURNING 1
)
SELECT (SELECT count(*) FROM created)::int AS inserted, (SELECT count(*) FROM changed)::int AS changed`;

const WAYBILL_NUMBERS = `SELECT DISTINCT tracking_number FROM json_to_recordset($1::json) AS j(tracking_number text)`;

/**
 * $1 shipments as JSON. Makes the waybills that are new and locks all of them until the end, waiting for callbacks that are at
 * work on them. One pass in the order of their numbers, as tracking's merge does it: whoever first made the new ones and then
 * locked the others would hold a later number while waiting for an earlier one.
 */
export const LOCK_WAYBILLS = `
INSERT INTO waybills (tracking_number) ${WAYBILL_NUMBERS} ORDER BY tracking_number
    ON CONFLICT (tracking_number) DO UPDATE SET updated_at = waybills.updated_at WHERE false`;

/** $1 account, $2 shipments as JSON, $3 import. One row: the ids of the orders concerned. */
export const STORE_SHIPMENTS = `
WITH incoming AS MATERIALIZED (
  SELECT o.id AS order_id, j.* FROM json_to_recordset($2::json)
      AS j(ord integer, receipt_id text, tracking_number text, carrier_code text)
    JOIN orders o ON o.account_id = $1 AND o.receipt_id = j.receipt_id
), stored AS MATERIALIZED (
  SELECT s.* FROM shipments s JOIN incoming r ON r.order_id = s.order_id AND r.tracking_number = s.tracking_number
), changed AS (
  UPDATE shipments t SET carrier_code = r.carrier_code, updated_at = now()
    FROM incoming r JOIN stored s ON s.order_id = r.order_id AND s.tracking_number = r.tracking_number
   WHERE t.id = s.id AND r.carrier_code IS NOT NULL AND r.carrier_code IS DISTINCT FROM s.carrier_code
  RETURNING t.*
), history AS (
  INSERT INTO import_changes (import_id, record, record_id, order_id, before, after)
  SELECT $3, 'shipment', s.id, s.order_id,
         jsonb_build_object('carrier_code', s.carrier_code), jsonb_build_object('carrier_code', u.carrier_code)
    FROM changed u JOIN stored s ON s.id = u.id
), created AS (
  INSERT INTO shipments (order_id, tracking_number, carrier_code, import_id)
  SELECT r.order_id, r.tracking_number, r.carrier_code, $3 FROM incoming r
   WHERE (r.order_id, r.tracking_number) NOT IN (SELECT s.order_id, s.tracking_number FROM stored s)
   ORDER BY r.ord
)
SELECT coalesce(array_agg(DISTINCT order_id), '{}') AS order_ids FROM incoming`;

/** $1 account, $2 SKUs (text[]). Those that the shop has sold with leading zeros. */
export const SKUS_WITH_ZEROS = `
SELECT DISTINCT ON (ltrim(i.sku, '0')) ltrim(i.sku, '0') AS sku, i.sku AS stored
  FROM order_items i JOIN orders o ON o.id = i.order_id AND o.account_id = $1
 WHERE i.sku LIKE '0%' AND ltrim(i.sku, '0') = ANY($2::text[]) ORDER BY 1, 2`;
