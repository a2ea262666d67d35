import type pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import { lock, lockById, lockShared } from './advisory-locks.queries';

/**
 * All advisory locks. Each ends with its transaction, since PgBouncer hands connections from one transaction to another, and is
 * taken by a statement of its own: a statement that waits and then reads would read what was there before it waited.
 */
const KEYS = {
  /** Servers that start wait for the one that migrates and seeds the database. */
  migration: 4_271_905_233,
  /** First starts wait for each other, so that one of them makes the first owner. */
  firstOwner: 4_271_905_234,
  /** Whoever makes or rotates the signing key waits for the others who do. */
  signingKey: 4_271_905_235,
  /** Merges of tracking events share it, and a change of the status mappings holds it alone: no merge uses an outdated mapping. */
  statusMappings: 4_271_905_236,
} as const;

/** Locks of one shop each, by the shop's id. Whoever takes several takes them in the order of the ids. */
const SHOP_KEYS = {
  /** Everything that changes a shop's orders by import waits for each other. */
  shopImports: 20_261,
  /** Whoever sums up a shop's days waits for each other. */
  shopDays: 20_262,
} as const;

type Connection = Pick<pg.ClientBase, 'query'>;

/** Waits for a lock and holds it until the transaction ends. */
export async function takeLock(client: Connection, name: keyof typeof KEYS): Promise<void> {
  await lock.runPrepared(client, { key: KEYS[name] });
}

/** The same in a transaction of Prisma. */
export async function takeLockIn(
  tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  name: keyof typeof KEYS,
): Promise<void> {
  await lock.runIn(tx, { key: KEYS[name] });
}

/** Shares a lock until the transaction ends: waits only for those who hold it alone. */
export async function shareLock(client: Connection, name: keyof typeof KEYS): Promise<void> {
  await lockShared.runPrepared(client, { key: KEYS[name] });
}

/** Waits for a shop's lock and holds it until the transaction ends. */
export async function takeShopLock(
  client: Connection,
  name: keyof typeof SHOP_KEYS,
  shopId: number,
): Promise<void> {
  await lockById.runPrepared(client, { key: SHOP_KEYS[name], id: shopId });
}
