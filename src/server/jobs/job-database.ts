import type { Log } from '../core/log';
import { isDatabaseAway } from '../core/postgres';
import { openPool } from '../db/client';

/** Jobs are few and wait for each other; one connection fetches and completes while the other keeps the queue in order. */
const CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than the queue itself waits for the lock under which servers that start together make its tables. */
const ANSWER_TIMEOUT_MS = 40_000;
const DOUBLED = '23505';

/** What the queue's package runs its statements on. */
export interface JobDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** From now on a statement that fails answers nothing, and the log says so once until one goes well. */
  beQuiet(): void;
  /** Waits for the statements that are under way. */
  close(): Promise<void>;
}

/**
 * The queue's own small pool. The package leaves promises of its statements alone (such as that a job is done), so that one that
 * is rejected would end the process: while a service runs, none is. What was not written is made up for by the queue itself: a
 * job that is not known to be done is done again.
 */
export function openJobDatabase(url: string, log: Log): JobDatabase {
  const pool = openPool(url, {
    name: 'jobs',
    max: CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    log,
  });
  const running = new Set<Promise<unknown>>();
  let quiet = false;
  let closing = false;
  let complaint = '';

  function complain(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // That is how the queue finds that another server runs the job.
    if (closing || code === DOUBLED) return;
    const away = isDatabaseAway(error);
    const about = away ? 'away' : String(error);
    if (about === complaint) return;
    complaint = about;
    if (away) log.warn({ err: error }, 'background jobs wait for the database');
    else log.error({ err: error }, 'a statement of the job queue failed');
  }

  async function execute(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    try {
      const result = await pool.query(text, values);
      complaint = '';
      return result;
    } catch (error) {
      if (!quiet) throw error;
      complain(error);
      // No answer at all, which the package takes for "nothing", where empty rows would make it look for a first one.
      return undefined as unknown as { rows: unknown[] };
    }
  }

  return {
    executeSql(text, values) {
      const execution = execute(text, values).finally(() => running.delete(execution));
      running.add(execution);
      return execution;
    },
    beQuiet() {
      quiet = true;
    },
    async close() {
      closing = true;
      await Promise.allSettled(running);
      await pool.end();
    },
  };
}
