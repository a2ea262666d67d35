import type pg from 'pg';

const CONNECTION_LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  // Prisma's codes: not reachable, timed out (two), closed by the server, no free connection in the pool, too many connections.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2037',
]);

/** Messages of `pg` errors without a code: the connection timed out, was lost, or stopped responding. */
const LOST_MESSAGES =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (?:has encountered a connection error|was closed)|Unable to start a transaction in the given time/;

/** PostgreSQL's code for a write in a read-only transaction. */
export const READ_ONLY = '25006';

/**
 * Returns whether the error means that the database cannot be used now: a network error, a timeout, PostgreSQL's classes 08
 * (connection), 57P (shutdown) and 53 (no resources), or a primary that has become a standby and refuses to write.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (CONNECTION_LOST.has(code) || /^(08|57P|53)/.test(code)) return true;
  if (LOST_MESSAGES.test(error.message) || refusesWrite(error)) return true;
  return error.cause !== undefined && isDatabaseUnavailable(error.cause);
}

const refusesWrite = (error: Error): boolean =>
  ('code' in error && error.code === READ_ONLY) || prismaCode(error) === READ_ONLY;

/** Returns whether the error, or one of its causes, is a write that a read-only database refused. */
export function isRefusedWrite(error: unknown): boolean {
  return error instanceof Error && (refusesWrite(error) || isRefusedWrite(error.cause));
}

/** Returns PostgreSQL's code of an error for which Prisma has no code. */
function prismaCode(error: Error): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return meta?.driverAdapterError?.cause?.originalCode;
}

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

/** How many times a transaction is attempted in all if it ends in a deadlock between the servers of a cluster. */
const ATTEMPTS = 3;
const DISTRIBUTED_DEADLOCK = /distributed deadlock/;

/**
 * Like {@link inTransaction}, for work that locks tracking numbers: runs it again after a deadlock between the servers of a
 * cluster. On one server, transactions lock numbers in the same order and never deadlock; the servers of a cluster lock theirs
 * concurrently (docs/distribution.md). The work must have no effect outside the database.
 */
export async function inRetriedTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Error) || !DISTRIBUTED_DEADLOCK.test(error.message))
        throw error;
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

async function transact<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  end: 'COMMIT' | 'ROLLBACK',
  begin = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection lost between two statements emits this event; without a listener it would end the process.
  const onLost = (error: Error) => {
    broken = error;
  };
  client.on('error', onLost);
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', onLost);
    client.release(broken);
  }
}
