import type pg from 'pg';

/**
 * Runs `work` in one transaction on one connection. Any error rolls back and is thrown to the caller; a broken connection is
 * discarded rather than returned to the pool.
 *
 * @param setting a setting for the transaction, such as `work_mem TO '1MB'`
 */
export function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  setting?: string,
): Promise<T> {
  return transact(pool, work, 'COMMIT', setting && `BEGIN; SET LOCAL ${setting}`);
}

/** How many times a transaction is attempted in all if it conflicts with another one. */
const MAX_ATTEMPTS = 3;
/** PostgreSQL's codes for a transaction that it ended because of another one: it could not be serialized, or was in a deadlock. */
const CONFLICT_CODES = new Set(['40001', '40P01']);
/** Citus's message, which may reach us without the code. */
const DISTRIBUTED_DEADLOCK = /distributed deadlock/;

const lostConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && CONFLICT_CODES.has(String(error.code))) || DISTRIBUTED_DEADLOCK.test(error.message));

/**
 * Like {@link inTransaction}, but runs the work again if PostgreSQL ends it because of a deadlock. Transactions of one server lock
 * everything in the same order (docs/README.md), so that they should not deadlock, but a server of the last release may run beside
 * this one and use another order, and the servers of a cluster lock tracking numbers concurrently (docs/distribution.md). The work
 * must have no effect outside the database.
 *
 * @param setting as of {@link inTransaction}
 */
export async function inRetriedTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  setting?: string,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work, setting);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !lostConflict(error)) throw error;
    }
  }
}

/** Like {@link inTransaction}, but always rolls back; for previews of a change. */
export function inRolledBackTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return transact(pool, work, 'ROLLBACK');
}

/** Runs `work` in a read-only transaction that sees the database as it was at its first query, without later changes. */
export function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(client);
  });
}

async function transact<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  endCommand: 'COMMIT' | 'ROLLBACK',
  beginCommand = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  let fatalError: Error | undefined;
  // A connection lost between two statements emits this event; without a listener it would end the process.
  const onLost = (error: Error) => {
    fatalError = error;
  };
  client.on('error', onLost);
  try {
    await client.query(beginCommand);
    const result = await work(client);
    await client.query(endCommand);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      fatalError = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', onLost);
    client.release(fatalError);
  }
}
