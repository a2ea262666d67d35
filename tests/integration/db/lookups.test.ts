import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Database, openDatabase } from '../../../src/server/db/client';
import { Lookups } from '../../../src/server/db/lookups';
import { isDatabaseUnavailable } from '../../../src/server/db/unavailable';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(() => {
  db = openDatabase({ url: database.url, poolSize: 2, bulkPoolSize: 1, log: createLog('silent') });
});
afterEach(() => db.close());
afterAll(() => database.drop());

const queryPid = async (text = 'SELECT pg_backend_pid() AS pid', lookups = db.lookups): Promise<unknown> =>
  (await lookups.query({ text })).rows[0]!.pid;
/** Occupies a connection for three seconds, and returns its process id. */
const runSlowLookup = (lookups?: Lookups) => queryPid('SELECT pg_backend_pid() AS pid, pg_sleep(3)', lookups);
/** On a busy machine, a result, or even the next line of a test, may take longer than a lookup usually waits. */
const createPatientLookups = () => new Lookups(db.lookups.pool, db.pool, 60_000);
/** Waits until both connections are busy with slow lookups. */
const waitUntilBothBusy = () =>
  expect
    .poll(() =>
      database.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE application_name = 'brickdesk-lookups' AND query LIKE '%pg_sleep%' AND state = 'active'`,
      ),
    )
    .toHaveLength(2);

it('hundreds of lookups at once share two connections, and each gets its own result', async () => {
  const text = 'SELECT $1::int AS n, pg_backend_pid() AS pid';
  const lookups = createPatientLookups();
  const resultPromises = Array.from({ length: 300 }, (_, n) =>
    lookups.query({ name: 'lookup', text, values: [n] }),
  );
  const rows = (await Promise.all(resultPromises)).map((result) => result.rows[0]!);
  expect(rows.map(({ n }) => n)).toEqual(rows.map((_, n) => n));
  expect(new Set(rows.map(({ pid }) => pid)).size).toBe(2);
});

it('a failed lookup does not affect the lookups before and after it', async () => {
  const resultPromises = Array.from({ length: 20 }, (_, n) =>
    db.lookups.query({ name: 'divide', text: 'SELECT 8 / $1::int AS n', values: [n % 4] }),
  );
  const results = await Promise.allSettled(resultPromises);
  for (const [n, result] of results.entries()) {
    if (n % 4 === 0) expect(String((result as PromiseRejectedResult).reason)).toContain('division by zero');
    else
      expect((result as PromiseFulfilledResult<{ rows: unknown[] }>).value.rows).toEqual([
        { n: Math.trunc(8 / (n % 4)) },
      ]);
  }
});

it('a slow lookup does not hold up later ones', async () => {
  const completedKinds: string[] = [];
  const slowLookups = [runSlowLookup(), runSlowLookup()].map((lookup) =>
    lookup.then(() => completedKinds.push('slow')),
  );
  await waitUntilBothBusy();
  const laterLookups = Array.from({ length: 5 }, () => queryPid().then(() => completedKinds.push('later')));
  await Promise.all([...slowLookups, ...laterLookups]);
  expect(completedKinds).toEqual([...Array(5).fill('later'), 'slow', 'slow']);
});

it('lookups on a lost connection fail as if the database were unreachable, and later lookups get another connection', async () => {
  const pidBefore = await queryPid();
  const lookups = createPatientLookups();
  const lostLookups = [
    runSlowLookup(lookups),
    runSlowLookup(lookups),
    queryPid(undefined, lookups),
    queryPid(undefined, lookups),
  ];
  const outcomesPromise = Promise.allSettled(lostLookups);
  await waitUntilBothBusy();
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'brickdesk-lookups' AND datname = current_database()`,
  );
  const outcomes = await outcomesPromise;
  expect(
    outcomes.map((outcome) => outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason)),
  ).toEqual([true, true, true, true]);
  expect(await queryPid()).not.toBe(pidBefore);
});

it('after a write was refused, no lookup uses a connection that was open then, even if other lookups were using the connection', async () => {
  const runningLookups = [runSlowLookup(), runSlowLookup()];
  await waitUntilBothBusy();
  const client = await db.pool.connect();
  await client.query('BEGIN READ ONLY');
  await expect(client.query('DELETE FROM categories')).rejects.toThrow('read-only transaction');
  await client.query('ROLLBACK');
  client.release();
  // Each of the two old connections is replaced once it has been released.
  const newPids = await Promise.all([queryPid(), queryPid()]);
  const oldPids = await Promise.all(runningLookups);
  expect(newPids.filter((pid) => oldPids.includes(pid))).toEqual([]);
});

it('while no connection can be opened, every lookup fails because the database is unavailable', async () => {
  const unreachableDatabase = openDatabase({
    url: database.url.replace(/:\d+\//, ':1/'),
    poolSize: 1,
    bulkPoolSize: 1,
    log: createLog('silent'),
  });
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => unreachableDatabase.lookups.query({ text: 'SELECT 1' })),
  );
  expect(
    results.map((result) => result.status === 'rejected' && isDatabaseUnavailable(result.reason)),
  ).toEqual(Array(5).fill(true));
  await expect(unreachableDatabase.lookups.query({ text: 'SELECT 1' })).rejects.toThrow('ECONNREFUSED');
  await unreachableDatabase.close();
});
