import { setTimeout as sleep } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import type { Log } from '../core/log';
import { inSpan } from '../core/tracing';
import { isDatabaseUnavailable } from '../db/unavailable';
import { JOB_SCHEMA, openJobDatabase } from './job-database';

/** Recurring work, done by one server at a time. */
export interface Job {
  name: string;
  /**
   * The job is due once per interval of this length, however many servers there are. Intervals are aligned to the epoch. At most
   * two days: a finished job is not remembered for longer.
   */
  intervalMinutes: number;
  /** How long a run may take; 25 minutes by default, at most {@link MAX_RUN_MINUTES}. */
  runLimitMinutes?: number;
  /** How long after a failure the job is tried again, until its interval ends. By default, it is tried four times within minutes. */
  retryMinutes?: number;
  /**
   * @param run.since the start of the interval that this run is for, by the database's clock
   * @param run.signal aborts when the service stops or the time limit is reached; the next run does the rest
   */
  run(run: { since: Date; signal: AbortSignal }): Promise<void>;
}

export interface JobQueue {
  /** Resolves when the queue's tables exist and its workers run, or when the queue is stopped before that. */
  readonly ready: Promise<void>;
  /** Aborts the running jobs and waits up to `timeoutMs` for them to end. A job that is cut off runs again later. */
  stop(timeoutMs: number): Promise<void>;
}

interface QueueOptions {
  databaseUrl: string;
  log: Log;
  jobs: readonly Job[];
}

/** How often to check whether a job is due. */
const CHECK_INTERVAL_MS = 60_000;
const POLL_SECONDS = 30;
const DEFAULT_RUN_LIMIT_MINUTES = 25;
/** A run that has been aborted has this long to end, before its job is given to another server as never finished. */
const GRACE_MINUTES = 5;
/** pg-boss expires every job within 24 hours. */
const MAX_RUN_MINUTES = 23 * 60;
const RETRY_OPTIONS = { retryLimit: 3, retryDelay: 60, retryBackoff: true } as const;
const MAX_INTERVAL_MINUTES = 48 * 60;
/** A finished job marks its interval as done, so it is stored for longer than any interval. */
const RETENTION_SECONDS = (MAX_INTERVAL_MINUTES + 60) * 60;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
/** How long the shutdown waits for the statements that record how jobs ended. */
const RECORD_RESULT_TIMEOUT_MS = 1_000;

/**
 * Returns after how many seconds a job that a server took and never finished is given to another server. Sent with each job:
 * pg-boss ignores the limit of a queue that is given in minutes, and never changes a queue that exists.
 */
const expirySecondsOf = ({ runLimitMinutes = DEFAULT_RUN_LIMIT_MINUTES }: Job): number =>
  Math.ceil((runLimitMinutes + GRACE_MINUTES) * 60);

/**
 * Returns how a failed job is tried again: as its queue is set up, unless it has `retryMinutes`. Sent with each job, for the same
 * reason as its expiry.
 */
const retryOptionsOf = ({ intervalMinutes, retryMinutes }: Job): PgBoss.RetryOptions =>
  retryMinutes === undefined
    ? {}
    : {
        retryLimit: Math.ceil(intervalMinutes / retryMinutes),
        retryDelay: Math.round(retryMinutes * 60),
        retryBackoff: false,
      };

/** Returns the start of the job's interval that contains an instant. */
function intervalStart({ intervalMinutes }: Job, instant: Date): Date {
  const lengthMs = intervalMinutes * 60_000;
  return new Date(Math.floor(instant.getTime() / lengthMs) * lengthMs);
}

/**
 * Starts the background jobs in a pg-boss queue, in the schema `pgboss` of the service's own database. The queue starts
 * alongside the service and never delays it: while the database is unreachable, it waits, and logs that once.
 *
 * The first server to notice a new interval sends the jobs of that interval; the queue accepts one of each job per interval. So a
 * job that came due while no server was running runs as soon as one starts; the package's own cron would skip it.
 */
export function startJobs(options: QueueOptions): JobQueue {
  const { log, jobs } = options;
  for (const { name, intervalMinutes, runLimitMinutes = 0 } of jobs) {
    if (runLimitMinutes > MAX_RUN_MINUTES)
      throw new Error(
        `The background job ${name} may run for ${runLimitMinutes} minutes, but at most ${MAX_RUN_MINUTES} are possible.`,
      );
    if (intervalMinutes > MAX_INTERVAL_MINUTES)
      throw new Error(
        `The background job ${name} runs every ${intervalMinutes} minutes, but at most ${MAX_INTERVAL_MINUTES} are possible: after that, ` +
          'a finished job is forgotten and would run again. Run it daily and let it find out what is due.',
      );
  }
  const database = openJobDatabase(options.databaseUrl, log);
  const stopController = new AbortController();
  let boss: PgBoss | undefined;
  let checkTimer: NodeJS.Timeout | undefined;

  function createBoss(): PgBoss {
    const newBoss = new PgBoss({
      db: database,
      schema: JOB_SCHEMA,
      schedule: false,
      archiveCompletedAfterSeconds: RETENTION_SECONDS,
    });
    // Without a listener, an error would end the process; database failures have already been logged.
    newBoss.on('error', (error) => log.debug({ err: error }, 'job queue'));
    return newBoss;
  }

  async function runJob(
    job: Job,
    { createdOn, startedOn, expireInSeconds, retryCount, retryLimit }: PgBoss.JobWithMetadata<null>,
  ): Promise<void> {
    // A server of another version may have sent the job with a shorter limit, after which another server takes it.
    const limitSeconds = Math.min(Number(expireInSeconds), expirySecondsOf(job)) - GRACE_MINUTES * 60;
    const timeoutSignal = AbortSignal.timeout(Math.max(limitSeconds, 0) * 1000);
    const signal = AbortSignal.any([stopController.signal, timeoutSignal]);
    // The database's clock decides which interval a job is for, so use the job's creation time, not our own clock.
    const since = intervalStart(job, createdOn);
    const { intervalMinutes, retryMinutes } = job;
    const isAfterInterval = (ms: number) => ms >= since.getTime() + intervalMinutes * 60_000;
    // The run for the next interval takes its place.
    if (retryMinutes !== undefined && retryCount > 0 && isAfterInterval(startedOn.getTime())) return;
    const startMs = performance.now();
    try {
      await inSpan(`job ${job.name}`, { isRoot: true }, () => job.run({ since, signal }));
    } catch (error) {
      if (!stopController.signal.aborted && !isDatabaseUnavailable(error)) {
        const failedAt = startedOn.getTime() + performance.now() - startMs;
        const isLastTry =
          retryCount >= retryLimit ||
          (retryMinutes !== undefined && isAfterInterval(failedAt + retryMinutes * 60_000));
        log.warn(
          { err: error, job: job.name },
          isLastTry
            ? 'background job failed and is not tried again before its next run'
            : 'background job failed and will be retried',
        );
      }
      throw error;
    }
  }

  async function sendDueJobs(queue: PgBoss, workerIdByJob: ReadonlyMap<string, string>): Promise<void> {
    for (const job of jobs) {
      const jobId = await queue
        .send({
          name: job.name,
          options: {
            singletonSeconds: job.intervalMinutes * 60,
            expireInSeconds: expirySecondsOf(job),
            ...retryOptionsOf(job),
          },
        })
        // The failed statement has already been logged.
        .catch(() => null);
      const workerId = workerIdByJob.get(job.name);
      if (jobId && workerId) queue.notifyWorker(workerId);
    }
  }

  async function startBoss(): Promise<void> {
    const newBoss = createBoss();
    try {
      await newBoss.start();
      for (const { name } of jobs)
        await newBoss.createQueue(name, {
          name,
          policy: 'singleton',
          ...RETRY_OPTIONS,
        });
    } catch (error) {
      await newBoss.stop({ graceful: false }).catch(() => undefined);
      throw error;
    }
    database.suppressErrors();
    boss = newBoss;
    if (stopController.signal.aborted) return;
    const workerIdByJob = new Map<string, string>();
    await sendDueJobs(newBoss, workerIdByJob);
    for (const job of jobs) {
      const runQueuedJob = ([queuedJob]: PgBoss.JobWithMetadata<null>[]) => runJob(job, queuedJob!);
      const workOptions = { pollingIntervalSeconds: POLL_SECONDS, includeMetadata: true } as const;
      workerIdByJob.set(job.name, await newBoss.work(job.name, workOptions, runQueuedJob));
    }
    checkTimer = setInterval(() => void sendDueJobs(newBoss, workerIdByJob), CHECK_INTERVAL_MS);
    checkTimer.unref();
  }

  async function startWithRetries(): Promise<void> {
    for (
      let waitMs = FIRST_WAIT_MS;
      !stopController.signal.aborted;
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
    ) {
      try {
        return await startBoss();
      } catch (error) {
        if (waitMs === FIRST_WAIT_MS && !stopController.signal.aborted)
          log.warn({ err: error }, 'background jobs could not be started yet; retrying');
        await sleep(waitMs, undefined, { signal: stopController.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  const ready = startWithRetries();
  let shutdownPromise: Promise<void> | undefined;

  async function shutDown(timeoutMs: number): Promise<void> {
    clearInterval(checkTimer);
    stopController.abort();
    await ready;
    await boss?.stop({ graceful: true, wait: true, timeout: timeoutMs }).catch(() => undefined);
    await database.close();
  }

  return {
    ready,
    stop(timeoutMs) {
      shutdownPromise ??= shutDown(timeoutMs);
      // If the database has vanished, no statement completes, not even the one that records a job as cut off.
      return Promise.race([
        shutdownPromise,
        sleep(timeoutMs + RECORD_RESULT_TIMEOUT_MS, undefined, { ref: false }),
      ]);
    },
  };
}
