import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Job, type JobQueue, startJobs } from '../../../src/server/jobs/job-queue';
import { jobsOf } from '../../../src/server/runtime/job-list';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
let queue: JobQueue | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => queue?.stop(5_000));
afterAll(() => database.drop());

/**
 * The length of the jobs' intervals: two days or a little less, so that no interval ends, by the database's clock, during a test or
 * during the wait for a retry.
 */
const INTERVAL_MINUTES = [48, 47, 46]
  .map((hours) => hours * 60)
  .find((minutes) => minutes - ((Date.now() / 60_000) % minutes) > 10)!;

/** A job that fails until it is told to succeed, and what its queue has logged about it. */
interface FailingJob {
  start(): JobQueue;
  /** Starts the queue, runs the job once, and stops the queue. */
  runOnce(): Promise<void>;
  succeed(): void;
  /** The starts of the intervals that the job has run for. */
  intervalStarts: Date[];
  readLogMessages(): string[];
}

function createFailingJob(name: string, retryMinutes?: number): FailingJob {
  const intervalStarts: Date[] = [];
  let isSucceeding = false;
  let logText = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logText += chunk;
      done();
    },
  });
  const job: Job = {
    name,
    intervalMinutes: INTERVAL_MINUTES,
    ...(retryMinutes === undefined ? {} : { retryMinutes }),
    run: async ({ since }) => {
      intervalStarts.push(since);
      if (!isSucceeding) throw new Error('the disk is full');
    },
  };
  const start = () => {
    queue = startJobs({ databaseUrl: database.url, log: createLog('warn', sink), jobs: [job] });
    return queue;
  };
  return {
    start,
    intervalStarts,
    succeed: () => {
      isSucceeding = true;
    },
    async runOnce() {
      const runCount = intervalStarts.length;
      const startedQueue = start();
      await startedQueue.ready;
      await vi.waitUntil(() => intervalStarts.length > runCount, { timeout: 20_000 });
      await startedQueue.stop(5_000);
    },
    readLogMessages: () =>
      logText
        .split('\n')
        .filter((line) => line.includes('background job failed'))
        .map((line) => JSON.parse(line).msg),
  };
}

const readRetries = (name: string) =>
  database.query<{ state: string; minutes: number }>(
    `SELECT state, round(extract(epoch FROM start_after - started_on) / 60)::int AS minutes
       FROM pgboss.job WHERE name = $1 ORDER BY created_on`,
    [name],
  );

it('a failed job with a retry time is tried again after it, until its interval ends', async () => {
  const job = createFailingJob('retried', 1);
  await job.runOnce();
  expect(await readRetries('retried')).toEqual([{ state: 'retry', minutes: 1 }]);
  // As after failing for almost the whole interval.
  await database.query(
    `UPDATE pgboss.job SET start_after = now() - interval '1 s', retry_count = $1 WHERE name = 'retried'`,
    [INTERVAL_MINUTES - 2],
  );
  await job.runOnce();
  expect(await readRetries('retried')).toEqual([{ state: 'retry', minutes: 1 }]);
  expect(job.readLogMessages()).toEqual([
    'background job failed and will be retried',
    'background job failed and will be retried',
  ]);
});

it('a failure after which a job is not tried again is logged as such', async () => {
  const job = createFailingJob('given-up');
  for (let attempt = 1; attempt <= 4; attempt++) {
    await job.runOnce();
    await database.query(
      `UPDATE pgboss.job SET start_after = now() - interval '1 s' WHERE name = 'given-up'`,
    );
  }
  expect(await readRetries('given-up')).toMatchObject([{ state: 'failed' }]);
  expect(job.readLogMessages()).toEqual([
    ...Array.from({ length: 3 }, () => 'background job failed and will be retried'),
    'background job failed and is not tried again before its next run',
  ]);
});

it('a job is not tried again once its interval has ended, because it runs for the next one', async () => {
  const job = createFailingJob('outdated', 1);
  await job.runOnce();
  await database.query(
    `UPDATE pgboss.job SET start_after = now() - interval '1 s', created_on = created_on - interval '2 days',
            singleton_on = singleton_on - interval '2 days' WHERE name = 'outdated'`,
  );
  job.succeed();
  await job.start().ready;
  await vi.waitUntil(async () => (await readRetries('outdated'))[0]?.state === 'completed', {
    timeout: 20_000,
  });
  await queue!.stop(5_000);
  await job.runOnce();
  expect(job.intervalStarts).toEqual([job.intervalStarts[0], job.intervalStarts[0]]);
});

it('the daily backup is tried again every hour of its day', () => {
  const backupSettings = { folder: '/backups', keep: 7, databaseUrl: database.url, version: '0.0.0' };
  const jobs = jobsOf({} as Parameters<typeof jobsOf>[0], { backupSettings } as Parameters<typeof jobsOf>[1]);
  expect(jobs.find(({ name }) => name === 'backup')).toMatchObject({
    intervalMinutes: 24 * 60,
    retryMinutes: 60,
  });
});
