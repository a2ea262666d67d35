import type pg from 'pg';
import type { Prisma } from '../../../generated/prisma/client';
import { lock, lockById, lockShared, tryLock, tryLockShared } from './advisory-locks.queries';

/**
 * The advisory locks that do not belong to a shop. Every advisory lock ends with its transaction, because PgBouncer passes a
 * connection on after each transaction. Each is taken in a statement of its own: a statement that waits for a lock and then
 * reads would see the state from before it waited.
 */
const LOCK_KEYS = {
  /** Starting servers wait for the one that migrates and seeds the database; distributing the tables takes this lock too. */
  migration: 4_271_905_233,
  /** Servers that start on a new database wait for each other, so that only one creates the first owner. */
  firstOwner: 4_271_905_234,
  /** Serializes creating and rotating the signing key. */
  signingKey: 4_271_905_235,
  /** Shared by merges of tracking events, exclusive for changes of the status mappings, so that no merge uses an old mapping. */
  statusMappings: 4_271_905_236,
  /** Shared by processes that use an embedded server, exclusive for one that stops it, so that none stops a server in use. */
  embeddedServer: 4_271_905_237,
  /** Serializes what gives a name to a shop or to a prompt that waits for one. Lock the rows of shops first (shops/lock-service.ts). */
  shopNames: 4_271_905_238,
  /**
   * Shared by backups, exclusive for migrations and for distributing the tables, which wait for running backups before they lock any
   * table: whatever waits for a table's lock makes every other statement on that table wait behind it.
   */
  tableChanges: 4_271_905_239,
} as const;

/** The locks that each shop has, taken by its id. Take the locks of several shops in the order of their ids. */
const SHOP_LOCK_KEYS = {
  /** Serializes a shop's imports and their undoing. */
  shopImports: 20_261,
  /** Serializes computing a shop's daily totals. */
  shopDays: 20_262,
  /** Serializes the batches of a shop's deletion: a batch that finds no rows knows that no other batch is still deleting any. */
  shopDeletion: 20_263,
} as const;

type Connection = Pick<pg.ClientBase, 'query'>;

/** Waits for a lock and holds it until the transaction ends. */
export async function takeLock(client: Connection, name: keyof typeof LOCK_KEYS): Promise<void> {
  await lock.runPrepared(client, { key: LOCK_KEYS[name] });
}

/** Like {@link takeLock}, in a Prisma transaction. */
export async function takeLockIn(
  tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  name: keyof typeof LOCK_KEYS,
): Promise<void> {
  await lock.runIn(tx, { key: LOCK_KEYS[name] });
}

/** Takes a lock in shared mode until the transaction ends. Waits if another transaction holds it exclusively or is waiting to. */
export async function takeSharedLock(client: Connection, name: keyof typeof LOCK_KEYS): Promise<void> {
  await lockShared.runPrepared(client, { key: LOCK_KEYS[name] });
}

/** If a lock is free, takes it until the transaction ends. Returns whether it was taken. */
export async function tryToTakeLock(client: Connection, name: keyof typeof LOCK_KEYS): Promise<boolean> {
  const [row] = await tryLock.runPrepared(client, { key: LOCK_KEYS[name] });
  return row?.locked === true;
}

/**
 * Like {@link tryToTakeLock}, in shared mode. Also returns false if another transaction waits for the lock exclusively, so that
 * shared holders that follow each other do not keep it waiting.
 */
export async function tryToTakeSharedLock(
  client: Connection,
  name: keyof typeof LOCK_KEYS,
): Promise<boolean> {
  const [row] = await tryLockShared.runPrepared(client, { key: LOCK_KEYS[name] });
  return row?.locked === true;
}

/** Waits for a shop's lock and holds it until the transaction ends. */
export async function takeShopLock(
  client: Connection,
  name: keyof typeof SHOP_LOCK_KEYS,
  shopId: number,
): Promise<void> {
  await lockById.runPrepared(client, { key: SHOP_LOCK_KEYS[name], id: shopId });
}
