import type { Prisma } from '../../generated/prisma/client';
import type { Database } from '../db/client';
import * as sql from './shops.queries';

/** Finds a shop by its current name or a former one. Returns null if no shop has it. */
export async function findShopByName(
  db: Database,
  name: string,
): Promise<{ id: number; name: string } | null> {
  const [shop] = await sql.findShopByName.run(db.pool, { name });
  return shop ?? null;
}

/**
 * Returns all names, current and former, of the shop that has or had this name, or just this name if there is no such shop. Used
 * to find records that store a shop's name.
 */
export async function listNamesOfShop(db: Database, name: string): Promise<string[]> {
  const rows = await sql.listNamesOfShop.run(db.pool, { name });
  return rows.length > 0 ? rows.map((row) => row.name) : [name];
}

/** Stores a shop's old name as a former one, and removes the new name from its own former names. */
export async function saveFormerName(
  tx: Prisma.TransactionClient,
  shopId: number,
  oldName: string,
  newName: string,
): Promise<void> {
  await tx.shopFormerName.deleteMany({ where: { shopId, name: newName } });
  await tx.shopFormerName.create({ data: { shopId, name: oldName } });
}

/** Gives the shop the prompt that is waiting under its name, if there is one. */
export async function adoptPrompt(tx: Prisma.TransactionClient, shopId: number, name: string): Promise<void> {
  await tx.prompt.updateMany({ where: { shopName: name }, data: { shopId, shopName: null } });
}
