import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../core/log';
import { type Database, openDatabase, openPool } from './client';
import * as sql from './replica.queries';
import { isDatabaseUnavailable, isRefusedWrite } from './unavailable';

/** How long a read waits for the replica to catch up, in milliseconds. */
const CATCH_UP_MS = 200;
/** How long a check may wait for a connection or a result, in milliseconds. */
const CHECK_TIMEOUT_MS = 500;
/** How long the primary serves all reads after the replica was found behind or unavailable, in milliseconds. */
const BEHIND_PAUSE_MS = 1_000;
const UNAVAILABLE_PAUSE_MS = 5_000;
const MAX_CHECK_CONNECTIONS = 2;

/** A copy of the database that PostgreSQL keeps up to date, for reads (docs/replica.md). */
export interface Replica {
  /**
   * Returns the replica if it is known to have everything that was committed before this call, after waiting briefly for it to
   * catch up. Otherwise returns null; read from the primary then. Never throws.
   */
  findUpToDateDatabase(): Promise<Database | null>;
  close(): Promise<void>;
}

interface ReplicaOptions {
  url: string;
  /** The connections to the primary. */
  primary: pg.Pool;
  poolSize: number;
  bulkPoolSize: number;
  log: Log;
  /** Called for each read with whether the replica serves it. */
  onRead?: (fromReplica: boolean) => void;
}

type ReplicaState = 'ready' | 'behind' | 'foreign' | 'unavailable';

/**
 * Opens a replica. It connects on the first read. If it cannot be used, it is tried again after a pause; meanwhile the service
 * runs without it.
 */
export function openReplica({ url, primary, onRead, log, ...poolSizes }: ReplicaOptions): Replica {
  const database = openDatabase({ url, log, ...poolSizes, isReplica: true });
  const checkPool = openPool(url, {
    name: 'replica-check',
    isReplica: true,
    max: MAX_CHECK_CONNECTIONS,
    connectTimeoutMs: CHECK_TIMEOUT_MS,
    queryTimeoutMs: CHECK_TIMEOUT_MS,
    log,
  });
  let lastState: Exclude<ReplicaState, 'behind'> = 'ready';
  let pausedUntil = 0;
  let nextCheckPromise: Promise<boolean> | null = null;

  const recordState = (state: ReplicaState, error?: unknown) => {
    if (state !== 'ready')
      pausedUntil = performance.now() + (state === 'behind' ? BEHIND_PAUSE_MS : UNAVAILABLE_PAUSE_MS);
    // Being briefly behind is normal.
    if (state === lastState || state === 'behind') return;
    lastState = state;
    if (state === 'foreign')
      log.error('DATABASE_REPLICA_URL is not a replica of this database and is not used');
    else if (state === 'unavailable') log.warn({ err: error }, 'the replica cannot be read');
    else if (state === 'ready') log.info('the replica is in use again');
  };

  const checkReplica = async (): Promise<boolean> => {
    // If the primary is unavailable, the read itself will report that.
    const [targetPosition] = await sql.readPrimaryPosition.runPrepared(primary).catch(() => []);
    if (!targetPosition) return false;
    try {
      const state = await readState(checkPool, targetPosition);
      recordState(state);
      return state === 'ready';
    } catch (error) {
      recordState('unavailable', error);
      return false;
    }
  };

  /** Shares one check among all reads that begin at the same time. The check must not begin before the last of those reads. */
  const shareCheck = (): Promise<boolean> => {
    nextCheckPromise ??= new Promise((resolve) => {
      setImmediate(() => {
        nextCheckPromise = null;
        resolve(checkReplica());
      });
    });
    return nextCheckPromise;
  };

  return {
    async findUpToDateDatabase() {
      const fromReplica = performance.now() >= pausedUntil && (await shareCheck());
      onRead?.(fromReplica);
      return fromReplica ? database : null;
    },
    async close() {
      await Promise.all([database.close(), checkPool.end()]);
    },
  };
}

/** Returns the replica's state, after waiting briefly for it to reach a position in the primary's log. */
async function readState(
  replica: pg.Pool,
  targetPosition: sql.ReadPrimaryPositionRow,
): Promise<ReplicaState> {
  const deadline = performance.now() + CATCH_UP_MS;
  for (let pauseMs = 2; ; pauseMs *= 2) {
    const [state] = await sql.readReplicaState.runPrepared(replica, targetPosition);
    if (!state!.isReplica) return 'foreign';
    if (state!.hasReached) return 'ready';
    if (performance.now() + pauseMs > deadline) return 'behind';
    await sleep(pauseMs);
  }
}

/** PostgreSQL's and Prisma's codes for a read that the replica cancelled because it conflicted with changes from the primary. */
const CONFLICT_CODES = new Set(['40001', '40P01', 'P2034']);

/** Returns whether a read failed because of the replica, so that it may succeed on the primary. */
export function failedOnReplica(error: unknown): boolean {
  // A procedure that writes must not be declared as read-only; running it on the primary would hide that mistake.
  if (isRefusedWrite(error)) return false;
  if (isDatabaseUnavailable(error)) return true;
  if (!(error instanceof Error)) return false;
  return ('code' in error && CONFLICT_CODES.has(String(error.code))) || failedOnReplica(error.cause);
}
