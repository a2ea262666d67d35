import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { TEMPLATE } from './database-server';

/** A test file's own database, a clone of the migrated template. */
export interface TestDatabase {
  url: string;
  name: string;
  /** Runs SQL directly, outside the service. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

async function onServer<T>(
  work: (client: pg.Client) => Promise<T>,
  url: 'serverUrl' | 'superuserUrl' = 'serverUrl',
): Promise<T> {
  const client = new pg.Client({ connectionString: inject(url) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Drops a test's database, even if it is still in use. */
export async function dropDatabase(name: string): Promise<void> {
  await onServer((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`), 'superuserUrl');
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`));
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    name,
    query: async (sql, values) => (await pool.query(sql, values)).rows,
    async drop() {
      await pool.end();
      await dropDatabase(name);
    },
  };
}
