import type { z } from 'zod';
import { type Actor, writeAuditEntry } from '../audit/service';
import type { Database } from '../db/client';
import { type ProductRow, type ProductSheet, readProducts } from './product-rows';
import { productChanges } from './product-schema';
import * as sql from './products.queries';

/** The result of a catalog import. */
export interface CatalogImportResult {
  inserted: number;
  updated: number;
  unchanged: number;
}

/** Longer than the usual `TRANSACTION_TIMEOUT_MS`, because an import may change many rows. */
const TRANSACTION_OPTIONS = { timeout: 60_000, maxWait: 10_000 };

/** The maximum number of changed products that the preview of an import shows and the audit log names. */
const MAX_LISTED_CHANGES = 200;

/**
 * Imports products, all or nothing. New codes are added, existing products get the row's category and name (a blank name keeps
 * the stored one), and archived products are restored. Importing the same rows again changes no product.
 *
 * @param sheet the rows of a file, header first: category, code and name in any order
 * @throws ServiceError `validation_failed` naming the bad rows
 */
export async function importProducts(
  db: Database,
  actor: Actor,
  sheet: ProductSheet,
): Promise<CatalogImportResult> {
  return db.prisma.$transaction(async (tx) => {
    // Blocks other changes to products and categories: no category of a row can be renamed during the import, and the audit entry
    // shows the values that the import really replaced.
    await sql.lockCategories.runIn(tx);
    await sql.lockProducts.runIn(tx);
    const products = await readValidProducts(tx, sheet);
    const productsJson = JSON.stringify(products);
    const [preview] = await sql.previewImport.runIn(tx, {
      productsJson,
      limit: MAX_LISTED_CHANGES,
    });
    const changes = productChanges.parse(preview!.changes);
    const [counts] = await sql.storeProducts.runIn(tx, { productsJson });
    const { inserted, updated } = counts!;
    const result = { inserted, updated, unchanged: products.length - inserted - updated };
    await writeAuditEntry(tx, actor, {
      action: 'catalog.import',
      recordType: 'catalog',
      recordId: 'products',
      before: {
        products: changes.flatMap(({ code, before }) => (before ? [{ code, ...before }] : [])),
      },
      after: { ...result, products: changes.map(({ code, after }) => ({ code, ...after })) },
    });
    return result;
  }, TRANSACTION_OPTIONS);
}

/** Reads the products from the rows. @throws ServiceError `validation_failed` if a row is bad or names an unknown category */
async function readValidProducts(
  db: Pick<Database['prisma'], 'category'>,
  sheet: ProductSheet,
): Promise<ProductRow[]> {
  const categories = await db.category.findMany({ select: { name: true }, orderBy: { position: 'asc' } });
  return readProducts(sheet, new Set(categories.map(({ name }) => name)));
}

/**
 * Returns what an import of these rows would do now; nothing is stored.
 *
 * @throws ServiceError `validation_failed` like the import itself
 */
export async function previewProducts(
  db: Database,
  sheet: ProductSheet,
): Promise<CatalogImportResult & { changes: z.output<typeof productChanges> }> {
  const products = await readValidProducts(db.prisma, sheet);
  const parameters = { productsJson: JSON.stringify(products), limit: MAX_LISTED_CHANGES };
  const [preview] = await sql.previewImport.run(db.pool, parameters);
  const { inserted, updated } = preview!;
  const changes = productChanges.parse(preview!.changes);
  return { inserted, updated, unchanged: products.length - inserted - updated, changes };
}

/** A product as the command `catalog list` shows it. */
export interface ListedProduct {
  category: string;
  code: string;
  name: string | null;
  archived: boolean;
}

/** Returns all products, including archived ones, sorted by category and code. */
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
