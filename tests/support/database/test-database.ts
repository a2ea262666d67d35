import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, inject } from 'vitest';
import {
  createDistributedDatabase,
  dropDatabaseOnEachNode,
  urlOfDatabase,
  withConnection,
} from './cluster-database';
import { TEMPLATE_DATABASE } from './database-server';

/** A test file's own database: a clone of the migrated template or, on a cluster, a newly created and distributed one. */
export interface TestDatabase {
  url: string;
  name: string;
  /** Runs SQL directly, outside the service. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

/** Returns how many statements in a database are waiting for a lock; on a cluster, on any of its servers. */
export async function countWaitingStatements(database: Pick<TestDatabase, 'query'>): Promise<number> {
  const activityView = inject('workers').length > 0 ? 'citus_stat_activity' : 'pg_stat_activity';
  const [row] = await database.query<{ waiting_count: number }>(
    `SELECT count(*)::int AS waiting_count FROM ${activityView}
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return row!.waiting_count;
}

/** Opens a connection that does not lose a deadlock: PostgreSQL ends the other transaction. The caller closes it. */
export async function openUnyieldingConnection({ name }: Pick<TestDatabase, 'name'>): Promise<pg.Client> {
  // Only a superuser may postpone the search for a deadlock.
  const client = new pg.Client({ connectionString: urlOfDatabase(inject('superuserUrl'), name) });
  await client.connect();
  await client.query(`SET deadlock_timeout TO '1min'`);
  return client;
}

/**
 * Returns how many deadlocks there were in a database, also those after which a transaction was run again. Closes all other
 * connections, because a connection reports its deadlocks late. On a cluster, where deadlocks are expected
 * (docs/distribution.md), always returns 0.
 */
export async function countDeadlocks(database: Pick<TestDatabase, 'query'>): Promise<number> {
  if (inject('workers').length > 0) return 0;
  const isOtherConnection =
    "datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
  await expect
    .poll(() =>
      database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${isOtherConnection}`),
    )
    .toEqual([]);
  const [row] = await database.query<{ deadlock_count: number }>(
    'SELECT deadlocks::int AS deadlock_count FROM pg_stat_database WHERE datname = current_database()',
  );
  return row!.deadlock_count;
}

/** Stores a shop in the database at a URL, for a test that is not about creating shops, and returns its id. */
export function insertShop(url: string, name: string): Promise<number> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ id: number }>('INSERT INTO shops (name) VALUES ($1) RETURNING id', [
      name,
    ]);
    return rows[0]!.id;
  });
}

/** Drops a test's database, even if it is still in use. */
export async function dropDatabase(name: string): Promise<void> {
  await dropDatabaseOnEachNode(inject('superuserUrl'), inject('workers'), name);
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const [serverUrl, workers] = [inject('serverUrl'), inject('workers')];
  if (workers.length > 0) await createDistributedDatabase(serverUrl, workers, name);
  else
    await withConnection(serverUrl, (client) =>
      // Twice as fast on the tests' own server, which has fsync off: by default every block is written to the write-ahead log.
      client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE_DATABASE} STRATEGY FILE_COPY`),
    );
  const url = urlOfDatabase(serverUrl, name);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined);
  return {
    url,
    name,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async drop() {
      await pool.end();
      await dropDatabase(name);
    },
  };
}
