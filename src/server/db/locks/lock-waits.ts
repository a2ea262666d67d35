import pLimit, { type LimitFunction } from 'p-limit';
import type pg from 'pg';
import { ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { inRetriedTransaction } from '../transaction';
import { isDatabaseUnavailable } from '../unavailable';

/** How long a transaction waits for each lock, and a callback's for its turn while others time out waiting for locks. */
const MAX_WAIT_MS = 3_000;
export const LOCK_TIMEOUT_CODE = '55P03';
/** The settings of a transaction that waits for each lock for a few seconds. On a cluster, the locks are on its workers. */
export const LIMITED_WAIT_SETTINGS = `citus.propagate_set_commands TO 'local'; SET LOCAL lock_timeout TO '${MAX_WAIT_MS}ms'`;

/** The turns of a pool's transactions, whatever they are for: half of its connections stay free. */
interface Turns {
  limit: LimitFunction;
  /** When a transaction last timed out waiting for a lock or for the database. */
  lastTimeoutAt: number;
}

const turnsByPool = new WeakMap<pg.Pool, Turns>();

function turnsOf(pool: pg.Pool): Turns {
  const turns = turnsByPool.get(pool) ?? {
    limit: pLimit(Math.max(1, Math.floor(pool.options.max / 2))),
    lastTimeoutAt: Number.NEGATIVE_INFINITY,
  };
  turnsByPool.set(pool, turns);
  return turns;
}

function createBusyError(cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', createReason('service.numbersBusy'), {
    headers: { 'Retry-After': '60' },
    cause,
  });
}

/**
 * Like {@link inRetriedTransaction}, for callbacks and carriers' answers to queries, which lock tracking numbers. An import locks
 * those of its file until it has stored everything, and any number of callbacks and answers may wait for it. Together, they take at
 * most half of the pool's connections, so that requests for anything else do not wait for the import. Callbacks and answers about
 * other numbers may have to wait for their turn.
 *
 * @throws ServiceError `service_unavailable` after waiting too long for a lock, or for a turn while others time out waiting for
 * locks; nothing has changed
 */
export function inTransactionWithLimitedWait<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const turns = turnsOf(pool);
  const queuedAt = performance.now();
  return turns.limit(async () => {
    // A burst of callbacks takes its time too, but does not fail.
    if (performance.now() - queuedAt > MAX_WAIT_MS && turns.lastTimeoutAt > queuedAt) throw createBusyError();
    try {
      return await inRetriedTransaction(pool, work, LIMITED_WAIT_SETTINGS);
    } catch (error) {
      const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT_CODE;
      if (isLocked || isDatabaseUnavailable(error)) turns.lastTimeoutAt = performance.now();
      throw isLocked ? createBusyError(error) : error;
    }
  });
}
