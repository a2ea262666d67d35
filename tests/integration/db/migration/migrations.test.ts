import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import {
  listShippedMigrations,
  migrate,
  readMigrationStatus,
} from '../../../../src/server/db/migration/migrate';
import { seedReferenceData } from '../../../../src/server/runtime/reference-data';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../../support/database/temporary-folder';
import { createTestDatabase, dropDatabase, type TestDatabase } from '../../../support/database/test-database';

const PRISMA_DIR = path.resolve('prisma');
let databaseName: string;
let url: string;
let client: pg.Client;

async function runOnMaintenanceDatabase(sql: string): Promise<void> {
  const serverClient = new pg.Client({ connectionString: inject('serverUrl') });
  await serverClient.connect();
  await serverClient.query(sql);
  await serverClient.end();
}

beforeEach(async () => {
  databaseName = `empty_${process.pid}_${Math.trunc(performance.now() * 1000)}`;
  await runOnMaintenanceDatabase(`CREATE DATABASE ${databaseName}`);
  const databaseUrl = new URL(inject('serverUrl'));
  databaseUrl.pathname = `/${databaseName}`;
  url = databaseUrl.href;
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await dropDatabase(databaseName);
});

const seed = (connection: pg.Client) => seedReferenceData(connection, PRISMA_DIR);
const countRows = async (table: string) =>
  Number((await client.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

describe('migrate', () => {
  it('creates all tables in an empty database, and changes nothing the second time', async () => {
    const names = await listShippedMigrations(PRISMA_DIR);
    expect(await readMigrationStatus(client, names)).toEqual({
      applied: [],
      pending: names,
      failed: [],
      unknown: [],
      unknownFailed: [],
    });
    expect(await migrate(url, PRISMA_DIR, seed)).toEqual(names);
    expect(await readMigrationStatus(client, names)).toEqual({
      applied: names,
      pending: [],
      failed: [],
      unknown: [],
      unknownFailed: [],
    });
    expect(await countRows('orders')).toBe(0);
    expect(await migrate(url, PRISMA_DIR, seed)).toEqual([]);
  });

  it('migrates once if it is called several times at once; the other calls wait', async () => {
    const names = await listShippedMigrations(PRISMA_DIR);
    const results = await Promise.all([1, 2, 3].map(() => migrate(url, PRISMA_DIR, seed)));
    expect(results.filter((applied) => applied.length > 0)).toEqual([names]);
    expect(await countRows('_prisma_migrations')).toBe(names.length);
    expect(await countRows('categories')).toBe(5);
  });

  it('reruns a migration that was interrupted and left nothing behind', async () => {
    const names = await listShippedMigrations(PRISMA_DIR);
    await migrate(url, PRISMA_DIR, seed);
    const lastMigration = names.at(-1)!;
    // As after a crash: the first migration was started, but its transaction was never committed.
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.query(`CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL,
      finished_at timestamptz, migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', 'x', $1)`,
      [names[0]],
    );
    expect((await readMigrationStatus(client, names)).failed).toEqual([names[0]]);
    expect(await migrate(url, PRISMA_DIR, seed)).toEqual(names);
    expect((await readMigrationStatus(client, names)).applied.at(-1)).toBe(lastMigration);
  });

  it('changes nothing when a migration fails, says why, and continues once the cause has been fixed', async () => {
    const folder = await makeTemporaryFolder('migrations');
    try {
      await cp(PRISMA_DIR, folder, { recursive: true });
      const nextMigration = '99999999999999_next';
      await mkdir(path.join(folder, 'migrations', nextMigration));
      const script = 'CREATE TABLE made_by_next (id int); ALTER TABLE shops ADD COLUMN next int;';
      await writeFile(path.join(folder, 'migrations', nextMigration, 'migration.sql'), script);
      await migrate(url, PRISMA_DIR, seed);
      await client.query('ALTER TABLE shops ADD COLUMN next int');
      await expect(migrate(url, folder, seed)).rejects.toThrow(
        /A migration failed and has changed nothing: .*already exists/,
      );
      const { rows } = await client.query(`SELECT to_regclass('made_by_next') AS created_table`);
      expect(rows).toEqual([{ created_table: null }]);
      await client.query('ALTER TABLE shops DROP COLUMN next');
      expect(await migrate(url, folder, seed)).toEqual([nextMigration]);
    } finally {
      await removeTemporaryFolder(folder);
    }
  });

  it('applies its migrations although one that only another version has failed, as when a release replaces it', async () => {
    const folder = await makeTemporaryFolder('migrations');
    try {
      await cp(PRISMA_DIR, folder, { recursive: true });
      const nextMigration = '99999999999999_next';
      await mkdir(path.join(folder, 'migrations', nextMigration));
      await writeFile(
        path.join(folder, 'migrations', nextMigration, 'migration.sql'),
        'CREATE TABLE made_by_next (id int);',
      );
      await migrate(url, PRISMA_DIR, seed);
      const replacedMigration = '99999999999998_replaced';
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('replaced', 'x', $1)`,
        [replacedMigration],
      );
      const names = await listShippedMigrations(folder);
      expect(await readMigrationStatus(client, names)).toMatchObject({
        pending: [nextMigration],
        failed: [],
        unknown: [],
        unknownFailed: [replacedMigration],
      });
      expect(await migrate(url, folder, seed)).toEqual([nextMigration]);
      expect(await readMigrationStatus(client, names)).toMatchObject({ unknown: [], unknownFailed: [] });
    } finally {
      await removeTemporaryFolder(folder);
    }
  });

  it('refuses a database with a different migration history, says so, and leaves its rows alone', async () => {
    await migrate(url, PRISMA_DIR, seed);
    await client.query(`UPDATE _prisma_migrations SET migration_name = '20260101000000_init'`);
    await expect(migrate(url, PRISMA_DIR, seed)).rejects.toThrow(
      /created by another version of Brickdesk \(migration 20260101000000_init\).*Start with an empty database/,
    );
    expect(await countRows('categories')).toBe(5);
  });

  it('accepts the database of a newer version, and names the migrations that it does not know', async () => {
    await migrate(url, PRISMA_DIR, seed);
    await client.query(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at)
      VALUES ('newer', 'x', now(), '99990101000000_newer', now())`);
    const newerNames: string[] = [];
    const onNewer = (names: readonly string[]) => newerNames.push(...names);
    expect(await migrate(url, PRISMA_DIR, seed, { onNewer })).toEqual([]);
    expect(newerNames).toEqual(['99990101000000_newer']);
  });

  it('refuses a database that belongs to another program, and adds no tables to it', async () => {
    await client.query('CREATE TABLE theirs (id integer)');
    await expect(migrate(url, PRISMA_DIR, seed)).rejects.toThrow(/contains tables that are not Brickdesk's/);
    const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    expect(rows).toEqual([{ tablename: 'theirs' }]);
  });

  it('leaves no connection open', async () => {
    await migrate(url, PRISMA_DIR, seed);
    const readOtherConnections = () =>
      client.query(`SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`, [
        databaseName,
      ]);
    await expect.poll(async () => (await readOtherConnections()).rows).toEqual([]);
  });

  it("leaves users' changes to the reference data alone", async () => {
    await migrate(url, PRISMA_DIR, seed);
    await client.query(`DELETE FROM country_aliases WHERE alias = 'Holland'`);
    await client.query(`UPDATE categories SET name = 'heads' WHERE name = 'head'`);
    await migrate(url, PRISMA_DIR, seed);
    expect((await client.query(`SELECT 1 FROM country_aliases WHERE alias = 'Holland'`)).rows).toEqual([]);
    expect(await countRows('categories')).toBe(5);
  });
});

it('the schema has not changed since its last migration', async () => {
  const lastMigration = (await listShippedMigrations(PRISMA_DIR)).at(-1)!;
  const migratedSchema = readFileSync(
    path.join(PRISMA_DIR, 'migrations', lastMigration, 'schema.prisma'),
    'utf8',
  );
  expect(
    readFileSync(path.join(PRISMA_DIR, 'schema.prisma'), 'utf8'),
    'run npm run db:migration -- <name>',
  ).toBe(migratedSchema);
});

describe('the tables', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('have, for each foreign key, an index that begins with the columns of the key', async () => {
    const keysWithoutIndex = await database.query(`
      SELECT c.conrelid::regclass::text AS table, c.conname FROM pg_constraint c
       WHERE c.contype = 'f' AND NOT EXISTS (
         SELECT FROM pg_index i WHERE i.indrelid = c.conrelid
            AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`);
    expect(keysWithoutIndex).toEqual([]);
  });

  it('store instants with a time zone, amounts as numeric, and nothing as floating-point numbers', async () => {
    const columns = await database.query<{ name: string; type: string }>(`
      SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> '_prisma_migrations'`);
    const types = new Set(columns.map((column) => column.type));
    for (const wrongType of ['timestamp without time zone', 'real', 'double precision', 'money'])
      expect(types).not.toContain(wrongType);
    const amountColumns = columns.filter(
      ({ name: column }) =>
        /price|amount|_total|shipping|tax|discount$|spend$|spent|revenue$/.test(column) &&
        !/updated|total_(orders|views|visits)/.test(column),
    );
    expect(amountColumns.length).toBeGreaterThan(10);
    for (const { name: column, type } of amountColumns) expect(type, column).toBe('numeric');
  });

  it('include an audit log to which entries can only be added', async () => {
    await database.query(
      `INSERT INTO audit_log (actor_kind, actor, action, record_type, record_id) VALUES ('system', 'a', 'b', 'c', 'd')`,
    );
    for (const sql of [`UPDATE audit_log SET actor = 'x'`, 'DELETE FROM audit_log', 'TRUNCATE audit_log']) {
      await expect(database.query(sql), sql).rejects.toThrow('append-only');
    }
    expect(await database.query('SELECT actor FROM audit_log')).toEqual([{ actor: 'a' }]);
  });
});
