import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Database, openDatabase } from '../../../src/server/db/client';
import { inTransaction } from '../../../src/server/db/transaction';
import { isDatabaseUnavailable } from '../../../src/server/db/unavailable';
import {
  countWaitingStatements,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/test-database';

const SELECT_VIEWS = 'SELECT id FROM saved_views';
const STATEMENTS: [name: string, run: (db: Database) => Promise<unknown>][] = [
  ['a transaction', ({ pool }) => inTransaction(pool, (client) => client.query(SELECT_VIEWS))],
  ['a Prisma transaction', ({ prisma }) => prisma.$transaction((tx) => tx.savedView.count())],
  ['a single statement', ({ pool }) => pool.query(SELECT_VIEWS)],
  ['a single Prisma statement', ({ prisma }) => prisma.savedView.count()],
  [
    'lookups',
    ({ lookups }) => Promise.all(Array.from({ length: 8 }, () => lookups.query({ text: SELECT_VIEWS }))),
  ],
];

/** As on Windows, where PostgreSQL cannot notice that a connection was closed. */
const STOP_CONNECTION_CHECKS = `
  DO $$ BEGIN EXECUTE
    format('ALTER ROLE CURRENT_USER IN DATABASE %I SET client_connection_check_interval TO 0', current_database());
  END $$`;

describe.each([
  ['on a server that notices closed connections', 'SELECT', '2s'],
  ['on a server that does not notice closed connections', STOP_CONNECTION_CHECKS, '0'],
])('%s', (_description, prepareSql, interval) => {
  let database: TestDatabase;
  let db: Database;
  /** Holds a lock on the table that the statements read. */
  let lockingClient: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(prepareSql);
  });
  beforeEach(async () => {
    const queryTimeoutsMs = { work: 500, bulk: 500 };
    const log = createLog('silent');
    db = openDatabase({ url: database.url, poolSize: 3, bulkPoolSize: 1, log, queryTimeoutsMs });
    lockingClient = new pg.Client({ connectionString: database.url });
    await lockingClient.connect();
    await lockingClient.query('BEGIN; LOCK TABLE saved_views IN ACCESS EXCLUSIVE MODE');
  });
  afterEach(async () => {
    await lockingClient.end();
    await db.close();
  });
  afterAll(() => database.drop());

  it(`connections have a client_connection_check_interval of ${interval}`, async () => {
    // With the default timeouts: on a busy machine, this statement may take longer than those that are to time out.
    const patientDb = openDatabase({
      url: database.url,
      poolSize: 1,
      bulkPoolSize: 1,
      log: createLog('silent'),
    });
    const { rows } = await patientDb.pool.query('SHOW client_connection_check_interval');
    await patientDb.close();
    expect(rows).toEqual([{ client_connection_check_interval: interval }]);
  });

  it.each(STATEMENTS)('a lock wait in %s ends when the statement times out', async (_name, run) => {
    const error = await run(db).catch((thrown: unknown) => thrown);
    expect(isDatabaseUnavailable(error), String(error)).toBe(true);
    await expect.poll(() => countWaitingStatements(database)).toBe(0);
  });
});
