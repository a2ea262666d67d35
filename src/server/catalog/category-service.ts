import type { Prisma } from '../../generated/prisma/client';
import { requireUnchanged } from '../audit/edit-conflict-service';
import { type Actor, writeAuditEntry } from '../audit/service';
import { invalidField, notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from '../db/client';
import { isUniqueViolation } from '../db/unique-violation';
import * as sql from './catalog.queries';
import * as productSql from './products.queries';
import { BUILT_IN_CATEGORIES } from './schema';

/** A category and its product counts. */
export interface Category {
  id: number;
  name: string;
  position: number;
  /** Whether the API has a path of its own for the category. */
  listed: boolean;
  products: number;
  archived_products: number;
}

const isBuiltIn = (name: string) => (BUILT_IN_CATEGORIES as readonly string[]).includes(name);

/** Returns all categories in their stored order. */
export async function listCategories(db: Database): Promise<Category[]> {
  const rows = await sql.listCategories.run(db.pool);
  return rows.map((row) => ({ ...row, listed: isBuiltIn(row.name) }));
}

/** Serializes changes to categories, because some depend on all of them. Returns the categories in their stored order. */
async function lockCategories(
  tx: Prisma.TransactionClient,
): Promise<{ id: number; name: string; position: number }[]> {
  await sql.lockCategories.runIn(tx);
  return tx.category.findMany({ orderBy: [{ position: 'asc' }, { id: 'asc' }] });
}

function toDuplicateNameError(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return invalidField('name', createReason('catalog.categoryTaken'));
}

/** Returns why a category that an API path serves can be neither renamed nor deleted. */
const listedReason = (name: string) => createReason('catalog.listed', { path: `/api/legos-${name}` });

/**
 * Adds a category after all others.
 *
 * @throws ServiceError `validation_failed` if the name is taken, in any letter case
 */
export async function createCategory(db: Database, actor: Actor, name: string): Promise<void> {
  await db.prisma
    .$transaction(async (tx) => {
      const position = Math.max(0, ...(await lockCategories(tx)).map((category) => category.position)) + 1;
      const { id } = await tx.category.create({ data: { name, position } });
      await writeAuditEntry(tx, actor, {
        action: 'category.create',
        recordType: 'category',
        recordId: id,
        after: { name, position },
      });
    })
    .catch((error: unknown) => {
      throw toDuplicateNameError(error);
    });
}

/**
 * Renames a category.
 *
 * @throws ServiceError `not_found`; `conflict` if the stored name is neither the one in `shown` nor the new one;
 * `validation_failed` if the new name is taken, in any letter case, or if an API path serves the category: that path would
 * return an empty list from then on
 */
export async function renameCategory(
  db: Database,
  actor: Actor,
  { id, name, shown }: { id: number; name: string; shown?: { name?: string | undefined } | undefined },
): Promise<void> {
  await db.prisma
    .$transaction(async (tx) => {
      const category = (await lockCategories(tx)).find((candidate) => candidate.id === id);
      if (!category) throw notFound(createReason('answer.noCategory', { id }));
      const record = { recordType: 'category' as const, recordId: id };
      const stored = { name: category.name };
      await requireUnchanged(tx, actor, record, { shown, stored, newValues: { name } });
      if (category.name === name) return;
      if (isBuiltIn(category.name)) throw invalidField('name', listedReason(category.name));
      await tx.category.update({ where: { id }, data: { name } });
      await writeAuditEntry(tx, actor, {
        action: 'category.rename',
        ...record,
        before: stored,
        after: { name },
      });
    })
    .catch((error: unknown) => {
      throw toDuplicateNameError(error);
    });
}

/**
 * Deletes a category that has no products, not even archived ones.
 *
 * @throws ServiceError `not_found`; `validation_failed` if the category has products, or if an API path serves it
 */
export async function deleteCategory(db: Database, actor: Actor, id: number): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const category = (await lockCategories(tx)).find((candidate) => candidate.id === id);
    if (!category) throw notFound(createReason('answer.noCategory', { id }));
    const { name, position } = category;
    if (isBuiltIn(name)) throw invalidField('id', listedReason(name));
    // No product can enter the category between the count and the deletion.
    await productSql.lockProducts.runIn(tx);
    const count = await tx.product.count({ where: { categoryId: id } });
    if (count > 0) throw invalidField('id', createReason('catalog.categoryInUse', { count }));
    await tx.category.delete({ where: { id } });
    await writeAuditEntry(tx, actor, {
      action: 'category.delete',
      recordType: 'category',
      recordId: id,
      before: { name, position },
    });
  });
}

/**
 * Reorders the categories, and with them the public list of their names.
 *
 * @param ids the id of every category, each once
 * @throws ServiceError `validation_failed` if an id is missing, unknown or repeated
 */
export async function reorderCategories(db: Database, actor: Actor, ids: readonly number[]): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const categories = await lockCategories(tx);
    const nameById = new Map(categories.map((category) => [category.id, category.name]));
    const isComplete = ids.length === nameById.size && new Set(ids).size === ids.length;
    if (!isComplete || !ids.every((id) => nameById.has(id))) {
      const reason = createReason('catalog.order', { count: nameById.size });
      throw invalidField('ids', reason);
    }
    const namesBefore = categories.map(({ name }) => name);
    const namesAfter = ids.map((id) => nameById.get(id)!);
    if (namesBefore.every((name, index) => name === namesAfter[index])) return;
    await sql.reorderCategories.runIn(tx, { ids });
    await writeAuditEntry(tx, actor, {
      action: 'category.reorder',
      recordType: 'catalog',
      recordId: 'categories',
      before: { names: namesBefore },
      after: { names: namesAfter },
    });
  });
}
