import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../../src/server/core/log';
import { type Database, openDatabase } from '../../../src/server/db/client';
import { readHealth } from '../../../src/server/settings/service';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let folder: string;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  folder = await makeTemporaryFolder('backup-folder');
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolSize: 5, bulkPoolSize: 1, log: createLog('silent') });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await removeTemporaryFolder(folder);
});

it('health says why the folder of the backups cannot be read, and shows everything else', async () => {
  const backupSettings = { folder: path.join(folder, 'backups'), keep: 7 };
  const read = () =>
    readHealth(db, {
      version: '0.0.0',
      prismaDir: path.resolve('prisma'),
      limits: [],
      secrets: [],
      carrierProbe: null,
      textProviderProbe: null,
      backupSettings,
      upkeepMinutes: 60,
    });
  expect((await read()).backups).toEqual({ ...backupSettings, stored: [], problem: null });
  await writeFile(backupSettings.folder, 'a file in its place');
  const { backups, migrations } = await read();
  expect(backups).toEqual({ ...backupSettings, stored: [], problem: 'ENOTDIR' });
  expect(migrations).toMatchObject({ pending: [] });
});
