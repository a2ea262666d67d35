import { setTimeout as sleep } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import type { Log } from '../core/log';
import { isDatabaseAway } from '../core/postgres';
import { openJobDatabase } from './job-database';

/** Work that is done again and again, by one server at a time. */
export interface Job {
  name: string;
  /** Once in each such span of time, however many servers there are. Spans begin with the epoch's. */
  everyMinutes: number;
  /**
   * @param run.since when the span began that it is done for
   * @param run.signal is aborted when the service stops, or the time is up: what is left is for a later time
   */
  run(run: { since: Date; signal: AbortSignal }): Promise<void>;
}

export interface JobQueue {
  /** Whether the queue is ready: its tables are there and its workers run. */
  readonly ready: Promise<void>;
  /** Lets the running job end, as long as `timeoutMs` at most; one that is cut off is done again later. */
  stop(timeoutMs: number): Promise<void>;
}

interface QueueOptions {
  databaseUrl: string;
  log: Log;
  jobs: readonly Job[];
  /** How often it is looked whether a job is due. */
  lookEveryMs?: number;
}

const LOOK_EVERY_MS = 60_000;
const POLL_SECONDS = 30;
/** A job that a server took and never ended is given to another after this. */
const EXPIRE_MINUTES = 30;
const RUN_LIMIT_MS = (EXPIRE_MINUTES - 5) * 60_000;
const RETRIES = { retryLimit: 3, retryDelay: 60, retryBackoff: true } as const;
/** Jobs that are done stand for "done in this span", so they are kept for longer than any span. */
const KEEP_SECONDS = 49 * 60 * 60;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** How long the end waits for statements that tell how the jobs ended. */
const LET_GO_MS = 1_000;

interface JobData {
  since: string;
}

function spanOf({ everyMinutes }: Job): Date {
  const length = everyMinutes * 60_000;
  return new Date(Math.floor(Date.now() / length) * length);
}

/**
 * Starts the background jobs, in a pg-boss queue in the schema `pgboss` of the service's own database. It comes up beside the
 * service and never in its way: while the database is away it waits, and says so once.
 *
 * Jobs are sent by whichever server first finds that a span of time has begun; the queue takes one a span. So a job that no
 * server was awake for is done when one wakes up, which the package's own cron would leave out.
 */
export function startJobs(options: QueueOptions): JobQueue {
  const { log, jobs } = options;
  const database = openJobDatabase(options.databaseUrl, log);
  const stopping = new AbortController();
  let boss: PgBoss | undefined;
  let looking: NodeJS.Timeout | undefined;

  function makeBoss(): PgBoss {
    const made = new PgBoss({
      db: database,
      schema: 'pgboss',
      schedule: false,
      archiveCompletedAfterSeconds: KEEP_SECONDS,
    });
    // Without a listener it would end the process; what fails in the database has been logged where it failed.
    made.on('error', (error) => log.debug({ err: error }, 'job queue'));
    return made;
  }

  async function perform(job: Job, data: JobData | null): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(RUN_LIMIT_MS)]);
    const since = data ? new Date(data.since) : spanOf(job);
    try {
      await job.run({ since, signal });
    } catch (error) {
      if (!stopping.signal.aborted && !isDatabaseAway(error))
        log.warn({ err: error, job: job.name }, 'background job failed; it is tried again');
      throw error;
    }
  }

  async function sendDue(to: PgBoss, workers: ReadonlyMap<string, string>): Promise<void> {
    for (const job of jobs) {
      const data: JobData = { since: spanOf(job).toISOString() };
      const sent = await to
        .send(job.name, data, { singletonSeconds: job.everyMinutes * 60 })
        // The database was away, and the log says so.
        .catch(() => null);
      const worker = workers.get(job.name);
      if (sent && worker) to.notifyWorker(worker);
    }
  }

  async function begin(): Promise<void> {
    const starting = makeBoss();
    try {
      await starting.start();
      for (const { name } of jobs)
        await starting.createQueue(name, {
          name,
          policy: 'singleton',
          expireInMinutes: EXPIRE_MINUTES,
          ...RETRIES,
        });
    } catch (error) {
      await starting.stop({ graceful: false }).catch(() => undefined);
      throw error;
    }
    database.beQuiet();
    boss = starting;
    if (stopping.signal.aborted) return;
    const workers = new Map<string, string>();
    await sendDue(starting, workers);
    for (const job of jobs) {
      const work = async ([taken]: PgBoss.Job<JobData>[]) => perform(job, taken?.data ?? null);
      workers.set(job.name, await starting.work(job.name, { pollingIntervalSeconds: POLL_SECONDS }, work));
    }
    looking = setInterval(() => void sendDue(starting, workers), options.lookEveryMs ?? LOOK_EVERY_MS);
    looking.unref();
  }

  async function keepBeginning(): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !stopping.signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await begin();
      } catch (error) {
        if (wait === FIRST_WAIT_MS && !stopping.signal.aborted)
          log.warn({ err: error }, 'background jobs could not be started yet; it is tried again');
        await sleep(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  const ready = keepBeginning();
  let ended: Promise<void> | undefined;

  async function end(timeoutMs: number): Promise<void> {
    clearInterval(looking);
    stopping.abort();
    await ready;
    await boss?.stop({ graceful: true, wait: true, timeout: timeoutMs }).catch(() => undefined);
    await database.close();
  }

  return {
    ready,
    stop(timeoutMs) {
      ended ??= end(timeoutMs);
      // A database that has vanished answers no statement, not even that a job is cut off.
      return Promise.race([ended, sleep(timeoutMs + LET_GO_MS, undefined, { ref: false })]);
    },
  };
}
