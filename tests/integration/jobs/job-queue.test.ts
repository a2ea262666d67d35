import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Job, type JobQueue, startJobs } from '../../../src/server/jobs/job-queue';
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

it('a job whose interval is longer than finished jobs are remembered is refused', () => {
  const job: Job = { name: 'weekly', intervalMinutes: 7 * 24 * 60, run: () => Promise.resolve() };
  expect(() => startJobs({ databaseUrl: database.url, log: createLog('silent'), jobs: [job] })).toThrow(
    'The background job weekly runs every 10080 minutes, but at most 2880 are possible',
  );
});
