// Written by `npm run sql` from search.sql: change that file instead.
import { Statement } from '../../db/statement';

export type NumberOrString = number | string;
export type NumberOrStringArray = (NumberOrString)[];
export type stringArray = (string)[];

export interface WriteDocumentsParams {
  orderIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const writeDocuments = new Statement<WriteDocumentsParams, never>('search.writeDocuments', `
-- The searchable texts of an order, one per line.
INSERT INTO order_search (shop_id, order_id, document)
SELECT o.shop_id, o.id, lower(concat_ws(E'\\n', o.receipt_id, o.buyer, o.name, o.city, o.zip, i.texts, s.numbers))
  FROM orders o
  LEFT JOIN LATERAL (
    SELECT string_agg(concat_ws(E'\\n', t.title, t.sku), E'\\n' ORDER BY t.id) AS texts
      FROM order_items t WHERE t.shop_id = $1 AND t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT string_agg(t.tracking_number, E'\\n' ORDER BY t.id) AS numbers
      FROM shipments t WHERE t.shop_id = $1 AND t.order_id = o.id) s ON true
 WHERE o.shop_id = $1 AND o.id = ANY($2::bigint[])
    ON CONFLICT (shop_id, order_id) DO UPDATE SET document = EXCLUDED.document
 WHERE order_search.document IS DISTINCT FROM EXCLUDED.document`, ["shopId","orderIds"]);

export interface FindWaitingShopParams {
  after: number;
}

export interface FindWaitingShopRow {
  shop_id: number | null;
}

export const findWaitingShop = new Statement<FindWaitingShopParams, FindWaitingShopRow>('search.findWaitingShop', `
-- The next shop after \`after\` that has imports to index.
SELECT min(shop_id) AS shop_id FROM imports WHERE NOT searchable AND shop_id > $1`, ["after"]);

export interface ClaimImportsParams {
  limit: NumberOrString;
  shopId: number;
}

export interface ClaimImportsRow {
  id: string;
}

export const claimImports = new Statement<ClaimImportsParams, ClaimImportsRow>('search.claimImports', `
SELECT id FROM imports WHERE shop_id = $1 AND NOT searchable ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED`, ["shopId","limit"]);

export interface FindOrdersOfImportsParams {
  importIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export interface FindOrdersOfImportsRow {
  id: string;
}

export const findOrdersOfImports = new Statement<FindOrdersOfImportsParams, FindOrdersOfImportsRow>('search.findOrdersOfImports', `
-- The orders that the imports created or changed, including changes of items and shipments.
SELECT id AS "id" FROM orders WHERE shop_id = $1 AND import_id = ANY($2::bigint[])
 UNION SELECT order_id FROM import_changes WHERE shop_id = $1 AND import_id = ANY($2::bigint[])
 UNION SELECT order_id FROM order_items WHERE shop_id = $1 AND import_id = ANY($2::bigint[])
 UNION SELECT order_id FROM shipments WHERE shop_id = $1 AND import_id = ANY($2::bigint[])
 ORDER BY 1`, ["shopId","importIds"]);

export interface MarkSearchableParams {
  importIds: Readonly<NumberOrStringArray>;
  shopId: number;
}

export const markSearchable = new Statement<MarkSearchableParams, never>('search.markSearchable', `
UPDATE imports SET searchable = true WHERE shop_id = $1 AND id = ANY($2::bigint[])`, ["shopId","importIds"]);

export interface FindByNumbersParams {
  receipts: Readonly<stringArray>;
  trackingNumbers: Readonly<stringArray>;
}

export interface FindByNumbersRow {
  order_id: string;
  shop_id: number;
}

export const findByNumbers = new Statement<FindByNumbersParams, FindByNumbersRow>('search.findByNumbers', `
-- Across all shops: the orders with one of the order numbers or tracking numbers.
SELECT shop_id AS "shop_id", id::text AS "order_id" FROM orders WHERE receipt_id = ANY($1)
 UNION
SELECT shop_id, order_id::text FROM shipments WHERE tracking_number = ANY($2)`, ["receipts","trackingNumbers"]);

export interface LimitSuggestionsParams {
  milliseconds: string;
}

export interface LimitSuggestionsRow {
  propagated: string;
  timeout: string;
}

export const limitSuggestions = new Statement<LimitSuggestionsParams, LimitSuggestionsRow>('search.limitSuggestions', `
-- For this transaction: how long the search may take, and that the servers of a cluster adopt the next setting.
SELECT set_config('statement_timeout', $1, true) AS "timeout",
       set_config('citus.propagate_set_commands', 'local', true) AS "propagated"`, ["milliseconds"]);

export const lowerSimilarity = new Statement<undefined, never>('search.lowerSimilarity', `
-- For this transaction: how similar a word must be to be suggested. One wrong letter in a name of five is similar enough.
SET LOCAL pg_trgm.word_similarity_threshold TO 0.3`);

export interface SuggestNamesParams {
  text: string;
}

export interface SuggestNamesRow {
  name: string;
}

export const suggestNames = new Statement<SuggestNamesParams, SuggestNamesRow>('search.suggestNames', `
-- Across all shops: names of buyers and cities that are spelled similarly, the most similar first.
SELECT min(n.name) AS "name"
  FROM (SELECT shop_id, order_id FROM order_search WHERE document %> $1 LIMIT 2000) f
  JOIN orders o ON o.shop_id = f.shop_id AND o.id = f.order_id
 CROSS JOIN LATERAL (VALUES (o.name), (o.buyer), (o.city)) n(name)
 WHERE n.name %> $1 AND lower(n.name) <> $1
 GROUP BY lower(n.name)
 ORDER BY max(word_similarity($1, lower(n.name))) DESC, lower(n.name)
 LIMIT 3`, ["text"]);
