import type { Database } from '../db/client';
import * as sql from './shops.queries';

export type ShopTransaction = Parameters<Parameters<Database['prisma']['$transaction']>[0]>[0];

/** SQL for the id of the shop that has the name in `name`, or had it before. */
export const shopOfName = (name: string): string =>
  `(SELECT id FROM shops WHERE name = ${name} UNION ALL SELECT shop_id FROM shop_former_names WHERE name = ${name})`;

/** The shop that a name reaches, present or former; null where it is no shop's. */
export async function findShopByName(
  db: Database,
  name: string,
): Promise<{ id: number; name: string } | null> {
  const [shop] = await sql.findShopByName.run(db.pool, { name });
  return shop ?? null;
}

/** The names under which a shop has been known, or the name itself where it is no shop's: for records that keep a name. */
export async function namesOfShop(db: Database, name: string): Promise<string[]> {
  const rows = await sql.listNamesOfShop.run(db.pool, { name });
  return rows.length > 0 ? rows.map((row) => row.name) : [name];
}

/** Keeps the name that a shop gives up, and takes the new one from its own former names. */
export async function keepFormerName(
  tx: ShopTransaction,
  shopId: number,
  former: string,
  name: string,
): Promise<void> {
  await tx.shopFormerName.deleteMany({ where: { shopId, name } });
  await tx.shopFormerName.create({ data: { shopId, name: former } });
}

/** Gives a shop the prompt that waits under its name, if one does. */
export async function adoptPrompt(tx: ShopTransaction, shopId: number, name: string): Promise<void> {
  await tx.prompt.updateMany({ where: { shopName: name }, data: { shopId, shopName: null } });
}
