import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createBackup } from '../../../src/server/backup/create-service';
import { verifyBackup } from '../../../src/server/backup/read-file';
import { restoreBackup } from '../../../src/server/backup/restore-service';
import { listStoredTables } from '../../../src/server/backup/tables';
import {
  listShippedMigrations,
  migrate,
  readMigrationStatus,
} from '../../../src/server/db/migration/migrate';
import { REFERENCE_TABLES, seedReferenceData } from '../../../src/server/runtime/reference-data';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { dropDatabase } from '../../support/database/test-database';
import { readFixtureRows } from '../../support/fixtures';
import { startTestService, type TestService } from '../../support/service/test-service';

const PRISMA_DIR = path.resolve('prisma');
const VERSION = '0.0.0';
let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await makeTemporaryFolder('backup');
  const importResponse = await service.importRows(readFixtureRows('us'), { excel_format: true });
  expect(importResponse.status).toBe(200);
  const callback = {
    event: 'x',
    data: { tracking_number: 'LX123456789CN', status: 'delivered', description: 'a\tb\nc\\.d' },
  };
  expect((await service.send('/api/v1/tracks', { body: callback })).status).toBe(200);
  await waitForDelayedWrites();
});
afterAll(async () => {
  await service?.close();
  await removeTemporaryFolder(folder);
});

/** Waits for the writes that the service makes shortly after responding. */
async function waitForDelayedWrites(): Promise<void> {
  const { searchIndexer, keyUse, keyCalls } = service.app.services;
  await Promise.all([searchIndexer.finishIndexing(), keyUse.waitForWrites(), keyCalls.flush()]);
}

const writeBackup = (file: string) =>
  createBackup(file, { databaseUrl: service.database.url, version: VERSION });

interface OpenDatabase {
  url: string;
  client: pg.Client;
}

/** The database that a test restores into. */
let targetDatabase: OpenDatabase;
let databaseCount = 0;

async function openNewDatabase(): Promise<OpenDatabase> {
  const name = `restored_${process.pid}_${++databaseCount}`;
  const serverClient = new pg.Client({ connectionString: inject('serverUrl') });
  await serverClient.connect();
  await serverClient.query(`CREATE DATABASE ${name}`);
  await serverClient.end();
  const url = new URL(inject('serverUrl'));
  url.pathname = `/${name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return { url: url.href, client };
}

async function dropOpenDatabase({ url, client }: OpenDatabase): Promise<void> {
  await client.end();
  await dropDatabase(new URL(url).pathname.slice(1));
}

beforeEach(async () => {
  targetDatabase = await openNewDatabase();
});
afterEach(() => dropOpenDatabase(targetDatabase));

const restoreIntoTarget = (file: string) =>
  restoreBackup(file, {
    databaseUrl: targetDatabase.url,
    prismaDir: PRISMA_DIR,
    referenceTables: REFERENCE_TABLES,
    afterMigration: (client) => seedReferenceData(client, PRISMA_DIR),
  });

/** Returns every row of every table as text, by table. */
async function readAllRows(client: pg.Client): Promise<Record<string, string[]>> {
  const rowsByTable: Record<string, string[]> = {};
  for (const { name } of await listStoredTables(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
    rowsByTable[name] = rows.map(({ row }) => row);
  }
  return rowsByTable;
}

async function readServiceContents(): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  try {
    return await readAllRows(client);
  } finally {
    await client.end();
  }
}

describe('a backup that is restored', () => {
  it('fills a database with the same rows and sequence values, so that no id is issued twice', async () => {
    const file = path.join(folder, 'all.sql.gz');
    // Issues one id from each sequence, because some tables have no rows.
    await service.database.query('SELECT nextval(sequencename::regclass) FROM pg_sequences');
    const createdBackup = await writeBackup(file);
    expect(await verifyBackup(file)).toEqual({ ...createdBackup, file: undefined, bytes: undefined });
    const contents = await restoreIntoTarget(file);
    expect(contents.rows.orders).toBe(37);
    expect(await readAllRows(targetDatabase.client)).toEqual(await readServiceContents());
    const lastIdsSql = `SELECT sequencename, last_value FROM pg_sequences ORDER BY 1`;
    const lastIds = await service.database.query(lastIdsSql);
    expect(lastIds.length).toBeGreaterThan(20);
    expect((await targetDatabase.client.query(lastIdsSql)).rows).toEqual(lastIds);
  });

  it('is consistent even if imports are stored while it is written', async () => {
    const file = path.join(folder, 'busy.sql.gz');
    let isImporting = true;
    const importsPromise = (async () => {
      for (let orderIndex = 1; isImporting; orderIndex++) {
        const rows = Array.from({ length: 40 }, (_, itemIndex) => ({
          receipt_id: `9${orderIndex}`,
          transaction_id: `${orderIndex}${itemIndex}`,
          sale_date: '08/22/2026',
          quantity: 1,
          price: 1,
        }));
        expect((await service.importRows(rows)).status).toBe(200);
      }
    })();
    await writeBackup(file);
    isImporting = false;
    await importsPromise;
    await restoreIntoTarget(file);
    const { rows } = await targetDatabase.client.query(`
      SELECT count(*) FILTER (WHERE item_count <> 40)::int AS partial_count FROM (
        SELECT count(*) AS item_count FROM orders o JOIN order_items i ON i.order_id = o.id
         WHERE o.receipt_id LIKE '9%' AND length(o.receipt_id) < 6 GROUP BY o.id) AS item_counts`);
    expect(rows).toEqual([{ partial_count: 0 }]);
  });

  it('can be from an older version, whose tables are then migrated', async () => {
    const [firstMigration, ...laterMigrations] = await listShippedMigrations(PRISMA_DIR);
    expect(laterMigrations.length).toBeGreaterThan(0);
    const olderDatabase = await openNewDatabase();
    await migrate(olderDatabase.url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR), {
      onlyNames: [firstMigration!],
    });
    await olderDatabase.client.query(`INSERT INTO shops (name) VALUES ('Old & Co')`);
    const file = path.join(folder, 'older.sql.gz');
    await createBackup(file, { databaseUrl: olderDatabase.url, version: '0.4.0' });
    await dropOpenDatabase(olderDatabase);
    expect((await restoreIntoTarget(file)).migrations).toEqual([firstMigration]);
    expect((await targetDatabase.client.query('SELECT name FROM shops')).rows).toEqual([
      { name: 'Old & Co' },
    ]);
    expect(
      await readMigrationStatus(targetDatabase.client, [firstMigration!, ...laterMigrations]),
    ).toMatchObject({
      pending: [],
      failed: [],
    });
  });

  it('can go into a database that has only tables and reference data from the migrations, but not into one with other rows', async () => {
    const file = path.join(folder, 'over-reference-data.sql.gz');
    await waitForDelayedWrites();
    await writeBackup(file);
    await migrate(targetDatabase.url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR));
    await restoreIntoTarget(file);
    const contents = await readServiceContents();
    expect(await readAllRows(targetDatabase.client)).toEqual(contents);
    await expect(restoreIntoTarget(file)).rejects.toThrow(
      /The database is not empty: its table \w+ has rows/,
    );
    expect(await readAllRows(targetDatabase.client)).toEqual(contents);
  });
});

describe('a backup file', () => {
  const expectRefusal = async (file: string, messagePattern: RegExp) => {
    await expect(verifyBackup(file)).rejects.toThrow(messagePattern);
    await expect(restoreIntoTarget(file)).rejects.toThrow(messagePattern);
    const { rows } = await targetDatabase.client.query(
      `SELECT count(*)::int AS table_count FROM pg_tables WHERE schemaname = 'public'`,
    );
    expect(rows).toEqual([{ table_count: 0 }]);
  };

  it('is refused if it is truncated, extended, altered, missing or of another kind, and the database stays empty', async () => {
    const intactBackup = await readFile(path.join(folder, 'all.sql.gz'));
    const file = path.join(folder, 'bad.sql.gz');
    await writeFile(file, intactBackup);
    await truncate(file, intactBackup.length - 20);
    await expectRefusal(file, /damaged: its end is missing/);
    await writeFile(file, intactBackup);
    await appendFile(file, gzipSync('DROP TABLE orders;\n'));
    await expectRefusal(file, /there is data after its last line/);
    await writeFile(
      file,
      gzipSync(gunzipSync(intactBackup).toString('utf8').replace('Test shop', 'Best shop')),
    );
    await expectRefusal(file, /its contents have changed/);
    await writeFile(file, 'plain text');
    await expectRefusal(file, /not a backup of Brickdesk/);
    await expectRefusal(path.join(folder, 'none.sql.gz'), /There is no file/);
  });

  it('is refused if it was written by a version with migrations unknown to this one', async () => {
    const file = path.join(folder, 'newer.sql.gz');
    await service.database.query(`INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, started_at)
      VALUES ('newer', 'x', now(), '99990101000000_newer', now())`);
    await writeBackup(file);
    await service.database.query(`DELETE FROM _prisma_migrations WHERE id = 'newer'`);
    await expect(restoreIntoTarget(file)).rejects.toThrow(
      /a migration that this version does not know \(99990101000000_newer\)/,
    );
  });
});

describe('a new backup', () => {
  it('never replaces a file, and leaves nothing behind when it is aborted', async () => {
    const dir = path.join(folder, 'own');
    const file = path.join(dir, 'once.sql.gz');
    await writeBackup(file);
    const contentsBefore = await readFile(file);
    await expect(writeBackup(file)).rejects.toThrow(/already exists\. Choose another file/);
    expect(await readFile(file)).toEqual(contentsBefore);
    const abortedCreationPromise = createBackup(path.join(dir, 'ended.sql.gz'), {
      databaseUrl: service.database.url,
      version: VERSION,
      signal: AbortSignal.abort(),
    });
    await expect(abortedCreationPromise).rejects.toThrow(/abort/i);
    expect(await readdir(dir)).toEqual(['once.sql.gz']);
  });
});
