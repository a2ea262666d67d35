import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../core/log';
import { isDatabaseUnavailable, isRefusedWrite } from '../core/postgres';
import { type Database, openDatabase, openPool } from './client';
import * as sql from './replica.queries';

/** How long a read waits for the replica to catch up, in milliseconds. */
const CATCH_UP_MS = 200;
/** How long a check may wait for a connection or a result, in milliseconds. */
const CHECK_TIMEOUT_MS = 500;
/** How long the primary serves all reads after the replica was behind, or was not there, in milliseconds. */
const BEHIND_PAUSE_MS = 1_000;
const AWAY_PAUSE_MS = 5_000;
const CHECK_CONNECTIONS = 2;

/** A copy of the database that PostgreSQL keeps up to date, for reads (docs/replica.md). */
export interface Replica {
  /**
   * Returns the replica if it shows everything that was committed before this call, after waiting a moment for it. Otherwise
   * null: the primary has to be read. Never throws.
   */
  upToDate(): Promise<Database | null>;
  close(): Promise<void>;
}

interface ReplicaOptions {
  url: string;
  /** The connections of the primary. */
  primary: pg.Pool;
  poolSize: number;
  bulkPoolSize: number;
  log: Log;
  /** Called for each read with whether the replica serves it. */
  onRead?: (fromReplica: boolean) => void;
}

type State = 'ready' | 'behind' | 'foreign' | 'away';

/**
 * Opens a replica. Nothing connects before the first read, and a replica that cannot be used is tried again after a pause, so
 * that the service runs without it.
 */
export function openReplica({ url, primary, onRead, log, ...sizes }: ReplicaOptions): Replica {
  const database = openDatabase({ url, log, ...sizes, isReplica: true });
  const positions = openPool(url, {
    name: 'replica-check',
    isReplica: true,
    max: CHECK_CONNECTIONS,
    connectTimeoutMs: CHECK_TIMEOUT_MS,
    queryTimeoutMs: CHECK_TIMEOUT_MS,
    log,
  });
  let last: Exclude<State, 'behind'> = 'ready';
  let pausedUntil = 0;
  let next: Promise<boolean> | null = null;

  const note = (state: State, error?: unknown) => {
    if (state !== 'ready')
      pausedUntil = performance.now() + (state === 'behind' ? BEHIND_PAUSE_MS : AWAY_PAUSE_MS);
    // Being behind for a moment is ordinary.
    if (state === last || state === 'behind') return;
    last = state;
    if (state === 'foreign')
      log.error('DATABASE_REPLICA_URL is not a replica of this database: it is not read');
    else if (state === 'away') log.warn({ err: error }, 'the replica cannot be read');
    else if (state === 'ready') log.info('the replica is read again');
  };

  const check = async (): Promise<boolean> => {
    // If the primary is away, its own read says so.
    const [target] = await sql.primaryPosition.runPrepared(primary).catch(() => []);
    if (!target) return false;
    try {
      const state = await stateOf(positions, target);
      note(state);
      return state === 'ready';
    } catch (error) {
      note('away', error);
      return false;
    }
  };

  /** One check for all reads that begin together: it must begin after each of them has. */
  const checkTogether = (): Promise<boolean> => {
    next ??= new Promise((resolve) => {
      setImmediate(() => {
        next = null;
        resolve(check());
      });
    });
    return next;
  };

  return {
    async upToDate() {
      const fromReplica = performance.now() >= pausedUntil && (await checkTogether());
      onRead?.(fromReplica);
      return fromReplica ? database : null;
    },
    async close() {
      await Promise.all([database.close(), positions.end()]);
    },
  };
}

/** Waits a moment for the replica to reach a position of the primary's log. */
async function stateOf(replica: pg.Pool, target: sql.PrimaryPositionRow): Promise<State> {
  const deadline = performance.now() + CATCH_UP_MS;
  for (let pause = 2; ; pause *= 2) {
    const [state] = await sql.replicaState.runPrepared(replica, target);
    if (!state!.isReplica) return 'foreign';
    if (state!.hasReached) return 'ready';
    if (performance.now() + pause > deadline) return 'behind';
    await sleep(pause);
  }
}

/**
 * A replica ends a read that needs rows which have been removed on the primary meanwhile. The codes are PostgreSQL's, and
 * Prisma's for them.
 */
const CONFLICTS = new Set(['40001', '40P01', 'P2034']);

/** Returns whether a read failed because of the replica, so that it may succeed on the primary. */
export function failedOnReplica(error: unknown): boolean {
  // A procedure that writes must not declare that it only reads: running it on the primary would hide that.
  if (isRefusedWrite(error)) return false;
  if (isDatabaseUnavailable(error)) return true;
  if (!(error instanceof Error)) return false;
  return ('code' in error && CONFLICTS.has(String(error.code))) || failedOnReplica(error.cause);
}
