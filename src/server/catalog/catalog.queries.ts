// Written by `npm run sql` from catalog.sql: change that file instead.
import { Statement } from '../db/statement';

export type numberArray = (number)[];
export type stringArray = (string)[];

export interface ListProductCodesParams {
  category: string | null;
}

export interface ListProductCodesRow {
  codes: stringArray;
}

export const listProductCodes = new Statement<ListProductCodesParams, ListProductCodesRow>('catalog.listProductCodes', `
-- COLLATE "C" makes the order the same on every machine (docs/api-conventions.md).
SELECT coalesce(array_agg(code ORDER BY code COLLATE "C"), '{}') AS "codes"
  FROM (SELECT DISTINCT p.code FROM products p JOIN categories c ON c.id = p.category_id
         WHERE p.archived_at IS NULL AND ($1::text IS NULL OR c.name = $1)) listed`, ["category"]);

export interface ListCategoryNamesRow {
  names: stringArray;
}

export const listCategoryNames = new Statement<undefined, ListCategoryNamesRow>('catalog.listCategoryNames', `
SELECT coalesce(array_agg(name ORDER BY position, id), '{}') AS "names" FROM categories`);

export interface ListCategoriesRow {
  archived_products: number;
  id: number;
  name: string;
  position: number;
  products: number;
}

export const listCategories = new Statement<undefined, ListCategoriesRow>('catalog.listCategories', `
SELECT c.id, c.name, c.position, count(p.id) FILTER (WHERE p.archived_at IS NULL)::int AS "products",
       count(p.archived_at)::int AS "archived_products"
  FROM categories c LEFT JOIN products p ON p.category_id = c.id
 GROUP BY c.id ORDER BY c.position, c.id`);

export const lockCategories = new Statement<undefined, never>('catalog.lockCategories', `
-- Each change of categories depends on all of them, so only one happens at a time.
LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`);

export interface ReorderCategoriesParams {
  ids: Readonly<numberArray>;
}

export const reorderCategories = new Statement<ReorderCategoriesParams, never>('catalog.reorderCategories', `
UPDATE categories c SET position = n.position
  FROM unnest($1::int[]) WITH ORDINALITY AS n(id, position) WHERE n.id = c.id`, ["ids"]);
