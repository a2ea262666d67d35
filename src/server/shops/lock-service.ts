import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import { takeLockIn } from '../db/locks/advisory-locks';
import * as sql from './shops.queries';

/*
 * The locks of shops, all held until the transaction ends. Every transaction locks the row of a shop before the names of all shops.
 * A transaction that holds the names therefore never waits for an import, and an import of one shop does not hold up changes of
 * another.
 */

interface NewNames {
  id: number;
  name?: string | undefined;
  shop_id?: string | null | undefined;
}

/**
 * Locks a shop for a change, so that no other transaction changes it, marks it for deletion or sets its currency. If the change
 * gives it another name or shop_id, also waits until no transaction that refers to the shop is running, such as an import or the
 * job that sums up its orders. That job later sets the shop's currency: locking the row in one step prevents a deadlock with it.
 */
export async function lockShopForChange(tx: Prisma.TransactionClient, input: NewNames): Promise<void> {
  const { id } = input;
  const shop = await tx.shop.findUnique({ where: { id }, select: { name: true, shopId: true } });
  // If another request renames it right now, this may lock too little. This request then waits for imports later, or fails with a
  // deadlock.
  const { name = shop?.name, shop_id: marketplaceShopId = shop?.shopId } = input;
  const isRenamed = name !== shop?.name || marketplaceShopId !== shop?.shopId;
  await (isRenamed ? sql.lockShop : sql.lockShopExceptNames).runIn(tx, { id });
}

/** Locks a shop before it is marked for deletion, as {@link lockShopForChange} does for a change that leaves its names alone. */
export async function lockShopForDeletion(client: pg.PoolClient, id: number): Promise<void> {
  await sql.lockShopExceptNames.run(client, { id });
}

/** Makes other transactions that give a name to a shop, or to a prompt that waits for one, wait. Lock the shop's row first. */
export async function lockShopNames(tx: Prisma.TransactionClient): Promise<void> {
  await takeLockIn(tx, 'shopNames');
}

/**
 * Finds a shop by its current name or a former one, and locks it against renaming and deletion. Does not wait for imports. Returns
 * null if no shop has the name.
 */
export async function lockShopByName(
  tx: Prisma.TransactionClient,
  name: string,
): Promise<{ id: number; name: string } | null> {
  const [shop] = await sql.lockShopByName.runIn(tx, { name });
  return shop ?? null;
}
