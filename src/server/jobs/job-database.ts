import type { Log } from '../core/log';
import { openPool } from '../db/client';
import { isDatabaseUnavailable } from '../db/unavailable';

/** There are few jobs: one connection to fetch and complete them and another to maintain the queue are enough. */
const MAX_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** Must exceed the 30 s that pg-boss waits for its lock when several servers start at once and create its tables. */
const QUERY_TIMEOUT_MS = 40_000;
const UNIQUE_VIOLATION_CODE = '23505';

/** The schema of the queue's tables in the service's own database. */
export const JOB_SCHEMA = 'pgboss';

/** Runs the queue package's statements. */
export interface JobDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** From now on, failing statements return nothing. A repeated failure is logged once until a statement succeeds again. */
  suppressErrors(): void;
  /** Waits for running statements, then closes the pool. */
  close(): Promise<void>;
}

/**
 * Opens a small pool for the queue. The queue package does not await some of its statements, such as the one that completes a
 * job, so a rejected promise would end the process; once errors are suppressed, no promise is rejected. The queue recovers from a
 * lost write: a job that is not recorded as done runs again.
 */
export function openJobDatabase(url: string, log: Log): JobDatabase {
  const pool = openPool(url, {
    name: 'jobs',
    max: MAX_CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    log,
  });
  const runningStatements = new Set<Promise<unknown>>();
  let suppressesErrors = false;
  let isClosing = false;
  let lastFailure = '';

  function logFailure(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A unique violation tells the queue that another server runs the job.
    if (isClosing || code === UNIQUE_VIOLATION_CODE) return;
    const isUnavailable = isDatabaseUnavailable(error);
    const failure = isUnavailable ? 'away' : String(error);
    if (failure === lastFailure) return;
    lastFailure = failure;
    if (isUnavailable) log.warn({ err: error }, 'background jobs wait for the database');
    else log.error({ err: error }, 'a statement of the job queue failed');
  }

  async function execute(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      const result = await pool.query(text, values);
      lastFailure = '';
      return result;
    } catch (error) {
      if (!suppressesErrors) throw error;
      logFailure(error);
      // No result at all, which the package treats as "nothing"; from empty rows it would read the first one.
      return undefined as unknown as { rows: unknown[] };
    }
  }

  return {
    executeSql(text, values) {
      const resultPromise = execute(text, values).finally(() => runningStatements.delete(resultPromise));
      runningStatements.add(resultPromise);
      return resultPromise;
    },
    suppressErrors() {
      suppressesErrors = true;
    },
    async close() {
      isClosing = true;
      await Promise.allSettled(runningStatements);
      await pool.end();
    },
  };
}
