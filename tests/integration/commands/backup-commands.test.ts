import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { listShippedMigrations } from '../../../src/server/db/migration/migrate';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { runCommand } from '../../support/process/run-command';

let folder: string;
const dataDirOf = (name: string) => path.join(folder, name);
const run = (name: string, ...args: string[]) => runCommand(args, { DATA_DIR: dataDirOf(name) });

beforeAll(async () => {
  folder = await makeTemporaryFolder('backup-commands');
});
afterAll(async () => {
  for (const name of ['old', 'new']) await (await findRunningServer(dataDirOf(name)))?.stop();
  await removeTemporaryFolder(folder);
});

it('a backup of one data folder can be verified, and then restored into another, but only once', {
  timeout: 120_000,
}, async () => {
  expect((await run('old', 'account', 'create', '--name', 'Fox & Co')).code).toBe(0);
  const createResult = await run('old', 'backup', 'create');
  expect([createResult.code, createResult.stderr]).toEqual([0, '']);
  const [name] = await readdir(path.join(dataDirOf('old'), 'backups'));
  const file = path.join(dataDirOf('old'), 'backups', name!);
  expect(createResult.stdout).toContain(`Wrote ${file}.\n`);
  expect(createResult.stdout).toMatch(/rows in \d+ tables\n.*It does not contain the secret/);

  const verifyResult = await run('new', 'backup', 'verify', file, '--json');
  const migrations = await listShippedMigrations('prisma');
  expect(migrations[0]).toMatch(/_init$/);
  expect(verifyResult.json).toMatchObject({ rows: { shops: 1 }, migrations });

  const restoreResult = await run('new', 'backup', 'restore', file);
  expect([restoreResult.code, restoreResult.stderr]).toEqual([0, '']);
  expect((await run('new', 'account', 'list', '--json')).json).toMatchObject([{ name: 'Fox & Co' }]);
  expect((await run('new', 'db', 'status', '--json')).json).toMatchObject({ pending: [], failed: [] });

  const secondRestoreResult = await run('new', 'backup', 'restore', file, '--json');
  expect(secondRestoreResult.code).toBe(1);
  expect(secondRestoreResult.json.error.message).toMatch(
    /^The database is not empty: its table \w+ has rows/,
  );
  expect((await run('new', 'backup', 'verify', 'package.json')).stderr).toBe(
    'The file is not a backup of Brickdesk, or is damaged.\n',
  );
});
