import type { Prisma } from '../../generated/prisma/client';
import type { AuditAction } from '../audit/actions';
import { requireUnchanged } from '../audit/edit-conflict-service';
import { type Actor, writeAuditEntry } from '../audit/service';
import { invalidField, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import { decodeCursor, encodeCursor } from '../core/lists/cursor';
import type { Database } from '../db/client';
import { isUniqueViolation } from '../db/unique-violation';
import * as sql from './products.queries';

/** A stored product with the name of its category. */
export type Product = sql.LockProductRow;

interface ProductQuery {
  search?: string | undefined;
  category_id?: number | undefined;
  archived: 'no' | 'yes' | 'all';
  limit: number;
  cursor?: string | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the one character that PostgreSQL cannot store
const STORABLE_CODE = /^[^\u0000]{1,100}$/u;

/** Returns a page of products, sorted by code. */
export async function findProducts(db: Database, query: ProductQuery) {
  const [afterCode = null] = query.cursor ? decodeCursor(query.cursor, 'products', [STORABLE_CODE]) : [];
  const rows = await sql.listProducts.run(db.pool, {
    search: query.search ?? null,
    categoryId: query.category_id ?? null,
    archived: query.archived,
    afterCode,
    limit: query.limit + 1,
  });
  const products = rows.slice(0, query.limit);
  return {
    products,
    next: rows.length > query.limit ? encodeCursor('products', [products.at(-1)!.code]) : null,
  };
}

/** Locks the product until the transaction ends, so that the audit entry shows exactly what was replaced. */
async function lockProduct(tx: Prisma.TransactionClient, id: number): Promise<Product> {
  const [product] = await sql.lockProduct.runIn(tx, { id });
  if (product) return product;
  throw notFound(createReason('answer.noProduct', { id }));
}

const auditView = ({ code, name, category, archived_at }: Product) => ({
  code,
  name,
  category,
  archived: archived_at !== null,
});

async function requireCategory(tx: Prisma.TransactionClient, id: number) {
  const category = await tx.category.findUnique({ where: { id } });
  if (category) return category;
  throw invalidField('category_id', createReason('catalog.noCategory', { id }));
}

/**
 * Returns the error for a code that is taken, and any other error unchanged. An archived product keeps its code, because
 * importing the code restores the product.
 */
async function toDuplicateCodeError(db: Database, code: string, error: unknown): Promise<unknown> {
  if (!isUniqueViolation(error)) return error;
  const productWithCode = await db.prisma.product.findUnique({ where: { code } });
  const reason = productWithCode?.archivedAt
    ? createReason('catalog.archivedCode')
    : createReason('catalog.codeTaken');
  return invalidField('code', reason);
}

/**
 * Adds a product.
 *
 * @throws ServiceError `validation_failed` if the code is taken or the category does not exist
 */
export async function createProduct(
  db: Database,
  actor: Actor,
  input: { code: string; category_id: number; name?: string | null | undefined },
): Promise<Product> {
  return db.prisma
    .$transaction(async (tx) => {
      await sql.lockForProductChange.runIn(tx);
      const { name: category } = await requireCategory(tx, input.category_id);
      const { id, code, name, categoryId, archivedAt, updatedAt } = await tx.product.create({
        data: { code: input.code, categoryId: input.category_id, name: input.name ?? null },
      });
      const product: Product = {
        id,
        code,
        name,
        category_id: categoryId,
        category,
        archived_at: archivedAt,
        updated_at: updatedAt,
      };
      await writeAuditEntry(tx, actor, {
        action: 'product.create',
        recordType: 'product',
        recordId: id,
        after: auditView(product),
      });
      return product;
    })
    .catch(async (error: unknown) => {
      throw await toDuplicateCodeError(db, input.code, error);
    });
}

interface ProductUpdate {
  code?: string | undefined;
  category_id?: number | undefined;
  name?: string | null | undefined;
  archived?: boolean | undefined;
  /** The fields as a form showed them. */
  shown?: Partial<Pick<Product, 'code' | 'category_id' | 'name'>> | undefined;
}

/** Changes a product and writes an audit entry if anything differs. */
async function changeProduct(
  db: Database,
  actor: Actor,
  id: number,
  action: AuditAction,
  input: ProductUpdate,
): Promise<Product> {
  return db.prisma
    .$transaction(async (tx) => {
      await sql.lockForProductChange.runIn(tx);
      const storedProduct = await lockProduct(tx, id);
      const record = { recordType: 'product' as const, recordId: id };
      const { code, category_id, name, category } = storedProduct;
      await requireUnchanged(
        tx,
        actor,
        { ...record, loggedFields: { category } },
        { shown: input.shown, stored: { code, category_id, name }, newValues: input },
      );
      if (input.category_id !== undefined) await requireCategory(tx, input.category_id);
      const isUnchanged =
        (input.code ?? storedProduct.code) === storedProduct.code &&
        (input.category_id ?? storedProduct.category_id) === storedProduct.category_id &&
        (input.name === undefined || input.name === storedProduct.name) &&
        (input.archived ?? storedProduct.archived_at !== null) === (storedProduct.archived_at !== null);
      if (isUnchanged) return storedProduct;
      await tx.product.update({
        where: { id },
        data: {
          ...(input.code === undefined ? {} : { code: input.code }),
          ...(input.category_id === undefined ? {} : { categoryId: input.category_id }),
          ...(input.name === undefined ? {} : { name: input.name }),
          ...(input.archived === undefined ? {} : { archivedAt: input.archived ? new Date() : null }),
          updatedAt: new Date(),
        },
      });
      const product = await lockProduct(tx, id);
      await writeAuditEntry(tx, actor, {
        action,
        ...record,
        before: auditView(storedProduct),
        after: auditView(product),
      });
      return product;
    })
    .catch(async (error: unknown) => {
      throw input.code === undefined ? error : await toDuplicateCodeError(db, input.code, error);
    });
}

/**
 * Changes the given fields of a product.
 *
 * @throws ServiceError `not_found`; `conflict` if the stored value of a field to change is neither the one in `shown` nor the new
 * one; `validation_failed` if the code is taken or the category does not exist
 */
export function updateProduct(
  db: Database,
  actor: Actor,
  { id, ...input }: { id: number } & Omit<ProductUpdate, 'archived'>,
): Promise<Product> {
  return changeProduct(db, actor, id, 'product.update', input);
}

/** Removes a product from the public lists, or restores it. Repeating the call changes nothing. @throws ServiceError `not_found` */
export function setProductArchived(
  db: Database,
  actor: Actor,
  id: number,
  archived: boolean,
): Promise<Product> {
  return changeProduct(db, actor, id, archived ? 'product.archive' : 'product.restore', { archived });
}
