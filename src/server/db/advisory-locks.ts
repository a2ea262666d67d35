import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import { lock, lockById, lockShared, tryLock } from './advisory-locks.queries';

/**
 * All advisory locks. Each ends with its transaction, because PgBouncer hands connections from one transaction to another. Each
 * is taken by a separate statement: a statement that waits and then reads would read the state from before it waited.
 */
const KEYS = {
  /** Starting servers wait for the one that migrates and seeds the database. */
  migration: 4_271_905_233,
  /** First starts wait for each other, so that only one creates the first owner. */
  firstOwner: 4_271_905_234,
  /** Serializes creating and rotating the signing key. */
  signingKey: 4_271_905_235,
  /** Shared by merges of tracking events, exclusive for a change of the status mappings: no merge uses an outdated mapping. */
  statusMappings: 4_271_905_236,
  /** Shared by all who use an embedded server, exclusive for who stops it: nobody loses it while they work. */
  embeddedServer: 4_271_905_237,
} as const;

/** Locks per shop, by the shop's id. Take several in the order of the ids. */
const SHOP_KEYS = {
  /** Serializes everything that changes a shop's orders by import. */
  shopImports: 20_261,
  /** Serializes summing up a shop's days. */
  shopDays: 20_262,
  /** Serializes the batches in which a shop is deleted, so that one that finds nothing has seen what others deleted. */
  shopDeletion: 20_263,
} as const;

type Connection = Pick<pg.ClientBase, 'query'>;

/** Waits for a lock and holds it until the transaction ends. */
export async function takeLock(client: Connection, name: keyof typeof KEYS): Promise<void> {
  await lock.runPrepared(client, { key: KEYS[name] });
}

/** The same in a Prisma transaction. */
export async function takeLockIn(
  tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  name: keyof typeof KEYS,
): Promise<void> {
  await lock.runIn(tx, { key: KEYS[name] });
}

/** Shares a lock until the transaction ends: waits only for exclusive holders. */
export async function shareLock(client: Connection, name: keyof typeof KEYS): Promise<void> {
  await lockShared.runPrepared(client, { key: KEYS[name] });
}

/** Takes a lock until the transaction ends if nobody has it. Returns whether it was taken. */
export async function tryToTakeLock(client: Connection, name: keyof typeof KEYS): Promise<boolean> {
  const [lock] = await tryLock.runPrepared(client, { key: KEYS[name] });
  return lock?.locked === true;
}

/** Waits for a shop's lock and holds it until the transaction ends. */
export async function takeShopLock(
  client: Connection,
  name: keyof typeof SHOP_KEYS,
  shopId: number,
): Promise<void> {
  await lockById.runPrepared(client, { key: SHOP_KEYS[name], id: shopId });
}
