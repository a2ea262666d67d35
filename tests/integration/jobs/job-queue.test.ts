import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Job, type JobQueue, startJobs } from '../../../src/server/jobs/job-queue';
import { jobsOf } from '../../../src/server/runtime/job-list';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
let queue: JobQueue | undefined;
let intervalStarts: Date[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  intervalStarts = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await queue?.stop(5_000);
});
afterAll(() => database.drop());

const HOUR_MS = 3_600_000;

/** Starts a queue with one hourly job, which adds the start of the interval that it is run for to `intervalStarts`. */
function startQueue(name: string): JobQueue {
  const job: Job = {
    name,
    intervalMinutes: 60,
    run: async ({ since }) => {
      intervalStarts.push(since);
    },
  };
  queue = startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] });
  return queue;
}

/** Returns the starts of the intervals in which the database accepted the job, by the clock of the database. */
const readAcceptedIntervalStarts = async (name: string) =>
  (
    await database.query<{ since: Date }>(
      `SELECT singleton_on AT TIME ZONE 'UTC' AS since FROM pgboss.job WHERE name = $1 ORDER BY 1`,
      [name],
    )
  ).map(({ since }) => since);

it.each([-5, 5])(
  "a job runs for the current interval by the database's clock, even if the server's clock is %i hours off",
  async (hours) => {
    const name = `clock${hours}`;
    vi.setSystemTime(Date.now() + hours * HOUR_MS);
    await startQueue(name).ready;
    await vi.waitUntil(() => intervalStarts.length > 0, { timeout: 10_000 });
    expect(intervalStarts).toEqual(await readAcceptedIntervalStarts(name));
  },
);

it('a job that no server ran in its interval runs for that interval later', async () => {
  await startQueue('late').ready;
  await vi.waitUntil(() => intervalStarts.length > 0, { timeout: 10_000 });
  await queue!.stop(5_000);
  await database.query(
    `UPDATE pgboss.job SET state = 'created', created_on = created_on - interval '3 hours',
            singleton_on = singleton_on - interval '3 hours', completed_on = NULL
      WHERE name = 'late'`,
  );
  intervalStarts = [];
  await startQueue('late').ready;
  await vi.waitUntil(() => intervalStarts.length > 0, { timeout: 10_000 });
  expect(intervalStarts[0]).toEqual((await readAcceptedIntervalStarts('late'))[0]);
});

/** Starts a queue with a job that runs until its signal aborts, and returns when that happens. */
async function runUntilAborted(name: string, runLimitMinutes?: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const run: Job['run'] = async ({ signal }) => {
      signal.addEventListener('abort', () => resolve());
      await once(signal, 'abort');
    };
    const job: Job = { name, intervalMinutes: 60, runLimitMinutes, run };
    queue = startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] });
  });
}

it('a run is aborted at the time limit of its job', async () => {
  await runUntilAborted('limited', 1 / 60);
});

it('a run of a job that was sent with a shorter limit, as by an older server, is aborted before another server takes it', async () => {
  await startQueue('older').ready;
  await vi.waitUntil(() => intervalStarts.length > 0, { timeout: 10_000 });
  await queue!.stop(5_000);
  await database.query(
    `UPDATE pgboss.job SET state = 'created', completed_on = NULL, expire_in = '301 seconds' WHERE name = 'older'`,
  );
  await runUntilAborted('older', 60);
});

it('a job is given to another server five minutes after its time limit, also in a queue of an older version', async () => {
  await startQueue('default').ready;
  const readExpiry = (name: string) =>
    database.query(`SELECT extract(epoch FROM expire_in)::int AS seconds FROM pgboss.job WHERE name = $1`, [
      name,
    ]);
  expect(await readExpiry('default')).toEqual([{ seconds: 30 * 60 }]);
  await queue!.stop(5_000);
  await database.query('DELETE FROM pgboss.job');
  const job: Job = {
    name: 'default',
    intervalMinutes: 60,
    runLimitMinutes: 12 * 60,
    run: () => Promise.resolve(),
  };
  queue = startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] });
  await queue.ready;
  expect(await readExpiry('default')).toEqual([{ seconds: (12 * 60 + 5) * 60 }]);
});

it('the daily backup may run for twelve hours, which a large database needs', () => {
  const backupSettings = { folder: '/backups', keep: 7, databaseUrl: database.url, version: '0.0.0' };
  const jobs = jobsOf({} as Parameters<typeof jobsOf>[0], { backupSettings } as Parameters<typeof jobsOf>[1]);
  expect(jobs.find(({ name }) => name === 'backup')?.runLimitMinutes).toBe(12 * 60);
});

it('a job whose time limit is longer than jobs can be kept for is refused', () => {
  const job: Job = {
    name: 'slow',
    intervalMinutes: 60,
    runLimitMinutes: 24 * 60,
    run: () => Promise.resolve(),
  };
  expect(() => startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] })).toThrow(
    'The background job slow may run for 1440 minutes, but at most 1380 are possible.',
  );
});

it('a job whose interval is longer than finished jobs are remembered is refused', () => {
  const job: Job = { name: 'weekly', intervalMinutes: 7 * 24 * 60, run: () => Promise.resolve() };
  expect(() => startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] })).toThrow(
    'The background job weekly runs every 10080 minutes, but at most 2880 are possible',
  );
});
