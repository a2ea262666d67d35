import { type Actor, writeAudit } from '../audit/audit';
import { validationError } from '../core/errors';
import type { Database } from '../db/client';
import { type ProductRow, type ProductSheet, readProducts } from './product-rows';

/** The result of a catalog import. */
export interface CatalogImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Prisma's default limit is five seconds. */
const TRANSACTION = { timeout: 60_000, maxWait: 10_000 };

/** How many products of an import the preview shows and the audit log names. */
const NAMED = 200;

/** The change of one product. */
export interface ProductChange {
  code: string;
  kind: 'inserted' | 'updated';
  before: { category: string; name: string | null; archived: boolean } | null;
  after: { category: string; name: string | null; archived: false };
}

/** $1 products as JSON, $2 how many to list. What STORE would do with them now. */
const CHANGES = `
WITH changes AS (
  SELECT j.row, j.code, CASE WHEN p.id IS NULL THEN 'inserted' ELSE 'updated' END AS kind,
         CASE WHEN p.id IS NOT NULL THEN
           json_build_object('category', c.name, 'name', p.name, 'archived', p.archived_at IS NOT NULL) END AS before,
         json_build_object('category', j.category, 'name', coalesce(nullif(j.name, ''), p.name), 'archived', false) AS after
    FROM json_to_recordset($1::json) AS j("row" integer, category text, code text, name text)
    LEFT JOIN products p ON p.code = j.code LEFT JOIN categories c ON c.id = p.category_id
   WHERE p.id IS NULL OR p.archived_at IS NOT NULL OR c.name <> j.category OR nullif(j.name, '') <> coalesce(p.name, '')
)
SELECT count(*) FILTER (WHERE kind = 'inserted')::int AS inserted,
       count(*) FILTER (WHERE kind = 'updated')::int AS updated,
       coalesce((SELECT json_agg(json_build_object('code', n.code, 'kind', n.kind, 'before', n.before, 'after', n.after)
                                 ORDER BY n."row")
                   FROM (SELECT * FROM changes ORDER BY "row" LIMIT $2) n), '[]') AS changes
  FROM changes`;

const STORE = `
WITH incoming AS (
  SELECT j.code, nullif(j.name, '') AS name, c.id AS category_id
    FROM json_to_recordset($1::json) AS j(category text, code text, name text)
    JOIN categories c ON c.name = j.category
), stored AS (
  INSERT INTO products AS p (code, category_id, name)
  SELECT code, category_id, name FROM incoming ORDER BY code
  ON CONFLICT (code) DO UPDATE SET
    category_id = excluded.category_id, name = coalesce(excluded.name, p.name), archived_at = NULL, updated_at = now()
    WHERE (p.category_id, p.name, p.archived_at)
          IS DISTINCT FROM (excluded.category_id, coalesce(excluded.name, p.name), NULL)
  RETURNING xmax = 0 AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int AS inserted, count(*) FILTER (WHERE NOT inserted)::int AS updated FROM stored`;

/**
 * Imports products, all or nothing: new codes are added, known ones get the row's category and name (a blank name erases
 * nothing), archived ones are restored. Importing the same rows again changes nothing.
 *
 * @param sheet the rows of a file, header first: category, code and name in any order
 * @throws ServiceError `validation_failed` naming every bad row
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  sheet: ProductSheet,
): Promise<CatalogImportResult> {
  return db.prisma.$transaction(async (tx) => {
    // Blocks other changes of products and categories, so that no category of a row is renamed during the import and the audit
    // entry names exactly what the import replaced.
    await tx.$executeRaw`LOCK TABLE categories IN SHARE MODE`;
    await tx.$executeRaw`LOCK TABLE products IN SHARE ROW EXCLUSIVE MODE`;
    const products = await readKnown(tx, sheet);
    const json = JSON.stringify(products);
    const [planned] = await tx.$queryRawUnsafe<[{ changes: ProductChange[] }]>(CHANGES, json, NAMED);
    const [stored] = await tx.$queryRawUnsafe<[{ inserted: number; updated: number }]>(STORE, json);
    const { inserted, updated } = stored;
    const result = { inserted, updated, unchanged: products.length - inserted - updated };
    await writeAudit(tx, actor, {
      action: 'catalog.import',
      recordType: 'catalog',
      recordId: 'products',
      before: {
        products: planned.changes.flatMap(({ code, before }) => (before ? [{ code, ...before }] : [])),
      },
      after: { ...result, products: planned.changes.map(({ code, after }) => ({ code, ...after })) },
    });
    return result;
  }, TRANSACTION);
}

/** Reads the rows as products whose categories all exist. */
async function readKnown(
  db: Pick<Database['prisma'], 'category'>,
  sheet: ProductSheet,
): Promise<ProductRow[]> {
  const categories = await db.category.findMany({ select: { name: true }, orderBy: { position: 'asc' } });
  const { products, problems } = readProducts(sheet, new Set(categories.map(({ name }) => name)));
  if (problems.length > 0) throw validationError(problems);
  return products;
}

/**
 * Returns what an import of these rows would do now; nothing is stored.
 *
 * @throws ServiceError `validation_failed` like the import itself
 */
export async function previewProducts(
  db: Database,
  sheet: ProductSheet,
): Promise<CatalogImportResult & { changes: ProductChange[] }> {
  const products = await readKnown(db.prisma, sheet);
  const { rows: found } = await db.pool.query<{
    inserted: number;
    updated: number;
    changes: ProductChange[];
  }>(CHANGES, [JSON.stringify(products), NAMED]);
  const { inserted, updated, changes } = found[0]!;
  return { inserted, updated, unchanged: products.length - inserted - updated, changes };
}

/** A product as the command lists it. */
export interface ListedProduct {
  category: string;
  code: string;
  name: string | null;
  archived: boolean;
}

/** Returns all products by category and code, including archived ones. */
export async function listProducts(db: Database): Promise<ListedProduct[]> {
  const products = await db.prisma.product.findMany({
    select: { code: true, name: true, archivedAt: true, category: { select: { name: true } } },
    orderBy: [{ category: { position: 'asc' } }, { code: 'asc' }],
  });
  return products.map(({ code, name, archivedAt, category }) => ({
    category: category.name,
    code,
    name,
    archived: archivedAt !== null,
  }));
}
