// Written by `npm run sql` from products.sql: change that file instead.
import { Statement } from '../db/statement';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type NumberOrString = number | string;

export interface ListProductsParams {
  after: string | null;
  archived: string;
  categoryId: number | null;
  limit: NumberOrString;
  search: string | null;
}

export interface ListProductsRow {
  archived_at: Date | null;
  category: string;
  category_id: number;
  code: string;
  id: number;
  name: string | null;
  updated_at: Date;
}

export const listProducts = new Statement<ListProductsParams, ListProductsRow>('products.listProducts', `
-- A page sorted by code. \`archived\` is no, yes or all.
SELECT p.id, p.code, p.name, p.category_id, c.name AS category, p.archived_at, p.updated_at
  FROM products p JOIN categories c ON c.id = p.category_id
 WHERE ($1::text IS NULL OR strpos(lower(p.code), lower($1)) > 0 OR strpos(lower(p.name), lower($1)) > 0)
   AND ($2::int IS NULL OR p.category_id = $2)
   AND ($3::text = 'all' OR (p.archived_at IS NOT NULL) = ($3 = 'yes'))
   AND ($4::text IS NULL OR p.code COLLATE "C" > $4)
 ORDER BY p.code COLLATE "C" LIMIT $5`, ["search","categoryId","archived","after","limit"]);

export interface ExportProductsParams {
  archived: string;
  categoryId: number | null;
  search: string | null;
}

export interface ExportProductsRow {
  archived: string;
  category: string;
  code: string;
  name: string | null;
}

export const exportProducts = new Statement<ExportProductsParams, ExportProductsRow>('products.exportProducts', `
-- The products that match the same filter, by category and code.
SELECT c.name AS category, p.code, p.name, CASE WHEN p.archived_at IS NULL THEN '' ELSE 'archived' END AS "archived"
  FROM products p JOIN categories c ON c.id = p.category_id
 WHERE ($1::text IS NULL OR strpos(lower(p.code), lower($1)) > 0 OR strpos(lower(p.name), lower($1)) > 0)
   AND ($2::int IS NULL OR p.category_id = $2)
   AND ($3::text = 'all' OR (p.archived_at IS NOT NULL) = ($3 = 'yes'))
 ORDER BY c.position, p.code COLLATE "C"`, ["search","categoryId","archived"]);

export interface LockProductParams {
  id: number;
}

export interface LockProductRow {
  archived_at: Date | null;
  category: string;
  category_id: number;
  code: string;
  id: number;
  name: string | null;
  updated_at: Date;
}

export const lockProduct = new Statement<LockProductParams, LockProductRow>('products.lockProduct', `
-- Until the transaction ends, so that the audit entry shows exactly what was replaced. Not a join, which would return no row if
-- another transaction had just moved the product to another category.
SELECT p.id, p.code, p.name, p.category_id, (SELECT c.name FROM categories c WHERE c.id = p.category_id) AS "category",
       p.archived_at, p.updated_at
  FROM products p
 WHERE p.id = $1 FOR UPDATE`, ["id"]);

export const lockForProductChange = new Statement<undefined, never>('products.lockForProductChange', `
-- The lock that an import takes on the table excludes this one. Take it before any row's lock, because otherwise the two could
-- deadlock.
LOCK TABLE products IN ROW EXCLUSIVE MODE`);

export const lockCategories = new Statement<undefined, never>('products.lockCategories', `
-- Categories do not change during an import.
LOCK TABLE categories IN SHARE MODE`);

export const lockProducts = new Statement<undefined, never>('products.lockProducts', `
LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE`);

export interface PreviewImportParams {
  limit: number;
  products: Json | Uint8Array | null;
}

export interface PreviewImportRow {
  changes: Json;
  inserted: number;
  updated: number;
}

export const previewImport = new Statement<PreviewImportParams, PreviewImportRow>('products.previewImport', `
-- What an import of the products would do now: counts, and the first changes as a JSON list in the order of the file.
WITH changes AS (
  SELECT j.row, j.code, CASE WHEN p.id IS NULL THEN 'inserted' ELSE 'updated' END AS kind,
         CASE WHEN p.id IS NOT NULL THEN
           json_build_object('category', c.name, 'name', p.name, 'archived', p.archived_at IS NOT NULL) END AS before,
         json_build_object('category', j.category, 'name', coalesce(nullif(j.name, ''), p.name), 'archived', false) AS after
    FROM json_to_recordset($1::json) AS j("row" integer, category text, code text, name text)
    LEFT JOIN products p ON p.code = j.code LEFT JOIN categories c ON c.id = p.category_id
   WHERE p.id IS NULL OR p.archived_at IS NOT NULL OR c.name <> j.category OR nullif(j.name, '') <> coalesce(p.name, '')
)
SELECT count(*) FILTER (WHERE kind = 'inserted')::int AS "inserted",
       count(*) FILTER (WHERE kind = 'updated')::int AS "updated",
       coalesce((SELECT json_agg(json_build_object('code', n.code, 'kind', n.kind, 'before', n.before, 'after', n.after)
                                 ORDER BY n."row")
                   FROM (SELECT * FROM changes ORDER BY "row" LIMIT $2::int) n), '[]') AS "changes"
  FROM changes`, ["products","limit"]);

export interface StoreProductsParams {
  products: Json | Uint8Array | null;
}

export interface StoreProductsRow {
  inserted: number;
  updated: number;
}

export const storeProducts = new Statement<StoreProductsParams, StoreProductsRow>('products.storeProducts', `
-- A blank name keeps the stored one; archived products are restored. \`xmax\` is zero for rows that are new.
WITH incoming AS (
  SELECT j.code, nullif(j.name, '') AS name, c.id AS category_id
    FROM json_to_recordset($1::json) AS j(category text, code text, name text)
    JOIN categories c ON c.name = j.category
), stored AS (
  INSERT INTO products AS p (code, category_id, name)
  SELECT code, category_id, name FROM incoming ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    category_id = excluded.category_id, name = coalesce(excluded.name, p.name), archived_at = NULL, updated_at = excluded.updated_at
    WHERE (p.category_id, p.name, p.archived_at)
          IS DISTINCT FROM (excluded.category_id, coalesce(excluded.name, p.name), NULL)
  RETURNING xmax = 0 AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int AS "inserted", count(*) FILTER (WHERE NOT inserted)::int AS "updated"
  FROM stored`, ["products"]);
