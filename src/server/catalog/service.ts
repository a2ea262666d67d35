import type { Database } from '../db/client';

/** $1 category or null. COLLATE "C" makes the order the same on every machine (docs/api-conventions.md). */
export const PRODUCT_CODES = `
SELECT coalesce(array_agg(code ORDER BY code COLLATE "C"), '{}') AS codes
  FROM (SELECT DISTINCT p.code FROM products p JOIN categories c ON c.id = p.category_id
         WHERE p.archived_at IS NULL AND ($1::text IS NULL OR c.name = $1)) listed`;

const CATEGORIES = `SELECT coalesce(array_agg(name ORDER BY position, id), '{}') AS names FROM categories`;

/** Codes of the products of a category, or of all where it is null: distinct, sorted, archived ones left out. */
export async function listProductCodes(db: Database, category: string | null): Promise<string[]> {
  const { rows } = await db.pool.query<{ codes: string[] }>({
    name: 'product-codes',
    text: PRODUCT_CODES,
    values: [category],
  });
  return rows[0]!.codes;
}

/** Names of the categories in their stored order. */
export async function listCategoryNames(db: Database): Promise<string[]> {
  const { rows } = await db.pool.query<{ names: string[] }>({ name: 'category-names', text: CATEGORIES });
  return rows[0]!.names;
}
