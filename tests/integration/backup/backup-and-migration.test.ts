import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBackup } from '../../../src/server/backup/create-service';
import { verifyBackup } from '../../../src/server/backup/read-file';
import { beginSnapshot } from '../../../src/server/backup/snapshot';
import { createLog } from '../../../src/server/core/log';
import { openDatabase } from '../../../src/server/db/client';
import { migrate } from '../../../src/server/db/migration/migrate';
import { createShop } from '../../../src/server/shops/account-service';
import { fillAuditLog, waitUntilAuditLogIsRead } from '../../support/database/large-backup';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';
import { TEST_ACTOR } from '../../support/service/test-service';
import { type BlackHoleProxy, startBlackHoleProxy } from '../../support/stand-ins/black-hole-proxy';

const MIGRATION = '99999999999999_next';
const SHOP_COUNT = 3;
/** Rewrites the table: after that, a transaction with an older snapshot sees no rows in it. */
const REWRITE_SQL = 'ALTER TABLE shops ADD COLUMN next bigint GENERATED ALWAYS AS (id + 1) STORED';
let folder: string;
/** The project's migrations, and one more that rewrites a table. */
let prismaDir: string;
let database: TestDatabase;
let lines: string[];
const clients: pg.Client[] = [];

beforeAll(async () => {
  folder = await makeTemporaryFolder('backup-and-migration');
  prismaDir = path.join(folder, 'prisma');
  await cp('prisma', prismaDir, { recursive: true });
  await mkdir(path.join(prismaDir, 'migrations', MIGRATION));
  await writeFile(path.join(prismaDir, 'migrations', MIGRATION, 'migration.sql'), `${REWRITE_SQL};`);
});
afterAll(() => removeTemporaryFolder(folder));

beforeEach(async () => {
  database = await createTestDatabase();
  await database.query(
    `INSERT INTO shops (name) SELECT 'Shop ' || n FROM generate_series(1, ${SHOP_COUNT}) AS n`,
  );
  lines = [];
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, statement_timeout: 20_000 });
  await client.connect();
  clients.push(client);
  return client;
}

const startBackup = (name: string, databaseUrl = database.url) =>
  createBackup(path.join(folder, name), {
    databaseUrl,
    version: '0.0.0',
    onWait: (line: string) => lines.push(line),
  });

const startMigration = () =>
  migrate(database.url, prismaDir, undefined, { onWait: (line: string) => lines.push(line) });

/** Returns how many statements of a program wait for a lock on a table. */
const countLockWaits = async (programName: string) =>
  (
    await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'
          AND application_name = $1`,
      [programName],
    )
  ).length;

/** Starts a backup whose connection stalls while it is reading tables, as that of a large backup does on a slow network. */
async function startStalledBackup(
  name: string,
): Promise<{ proxy: BlackHoleProxy; written: Promise<unknown> }> {
  await fillAuditLog(database);
  const proxy = await startBlackHoleProxy(database.url);
  const written = startBackup(name, proxy.url);
  await waitUntilAuditLogIsRead(database);
  proxy.stopForwarding();
  return { proxy, written };
}

describe('a backup', () => {
  it('that begins while tables are being rewritten waits, and contains their rows', async () => {
    const otherClient = await connect();
    await otherClient.query('BEGIN; LOCK TABLE countries IN ACCESS EXCLUSIVE MODE');
    const backupPromise = startBackup('waiting.sql.gz');
    await expect
      .poll(async () => lines.length + (await countLockWaits('brickdesk-backup')))
      .toBeGreaterThan(0);
    await (await connect()).query(REWRITE_SQL);
    await otherClient.query('COMMIT');
    await backupPromise;
    expect((await verifyBackup(path.join(folder, 'waiting.sql.gz'))).rows.shops).toBe(SHOP_COUNT);
    expect(lines).toEqual(['Waiting until no table is being changed by a migration or by hand.']);
  });

  it('makes a change of a table by hand wait until it is written', async () => {
    const { proxy, written } = await startStalledBackup('by-hand.sql.gz');
    const client = await connect();
    await client.query(`SET lock_timeout = '500ms'`);
    await expect(client.query(REWRITE_SQL)).rejects.toThrow(/lock timeout/);
    proxy.resumeForwarding();
    await written;
    await client.query(REWRITE_SQL);
    await proxy.remove();
  });
});

it('a shop can be created while a backup holds its snapshot', async () => {
  const backupClient = await connect();
  await beginSnapshot(backupClient, {});
  const db = openDatabase({ url: database.url, poolSize: 1, bulkPoolSize: 1, log: createLog('silent') });
  await createShop(db, TEST_ACTOR, { name: 'New shop' });
  await db.close();
  expect(await database.query(`SELECT FROM shops WHERE name = 'New shop'`)).toHaveLength(1);
  // The snapshot was held until here.
  expect((await backupClient.query('SELECT FROM shops')).rowCount).toBe(SHOP_COUNT);
});

describe('a migration', () => {
  it('waits for a running backup, says so, and meanwhile locks no table', async () => {
    const { proxy, written } = await startStalledBackup('running.sql.gz');
    const migrationPromise = startMigration();
    await expect
      .poll(async () => lines.length + (await countLockWaits('')), { interval: 20 })
      .toBeGreaterThan(0);
    expect(await (await connect()).query('SELECT FROM shops')).toMatchObject({ rowCount: SHOP_COUNT });
    expect(lines).toEqual(['Waiting for a backup to finish before the tables are migrated.']);
    proxy.resumeForwarding();
    await written;
    expect(await migrationPromise).toEqual([MIGRATION]);
    expect((await verifyBackup(path.join(folder, 'running.sql.gz'))).rows.shops).toBe(SHOP_COUNT);
    await proxy.remove();
  });

  it('gives way to other statements when a table stays locked, as by a backup of 0.28.0, and tries again', async () => {
    const reader = await connect();
    await reader.query('BEGIN; SELECT FROM shops');
    const migrationPromise = startMigration();
    await expect.poll(() => countLockWaits(''), { interval: 20 }).toBe(1);
    // Waits behind the migration until that gives up.
    expect(await (await connect()).query('SELECT FROM shops')).toMatchObject({ rowCount: SHOP_COUNT });
    await expect
      .poll(() => lines)
      .toEqual([
        'A table that a migration changes is in use, as by a backup. The migration is tried again until it succeeds.',
      ]);
    await reader.query('COMMIT');
    expect(await migrationPromise).toEqual([MIGRATION]);
  });

  it('makes a backup that begins meanwhile wait, which then contains the rows of the migrated tables', async () => {
    const reader = await connect();
    await reader.query('BEGIN; SELECT FROM shops');
    const migrationPromise = startMigration();
    await expect.poll(() => countLockWaits(''), { interval: 20 }).toBe(1);
    const backupPromise = startBackup('after.sql.gz');
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(1);
    await reader.query('COMMIT');
    await migrationPromise;
    await backupPromise;
    const { rows, migrations } = await verifyBackup(path.join(folder, 'after.sql.gz'));
    expect([rows.shops, migrations.at(-1)]).toEqual([SHOP_COUNT, MIGRATION]);
  });
});
