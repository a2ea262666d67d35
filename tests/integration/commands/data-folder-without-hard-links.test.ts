import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { runCommand } from '../../support/process/run-command';

const PRELOAD = path.resolve('tests/support/process/without-hard-links.mjs');
let dir: string;
const run = (...args: string[]) =>
  runCommand(args, {
    DATA_DIR: dir,
    NODE_OPTIONS: `--import ${PRELOAD}`,
    BACKUP_DIR: path.join(dir, 'kept'),
  });

beforeAll(async () => {
  dir = await makeTemporaryFolder('no-links');
});
afterAll(async () => {
  await (await findRunningServer(dir))?.stop();
  await removeTemporaryFolder(dir);
});

it('a disk without hard links can hold the data folder and backups, of which none replaces another', async () => {
  const createResult = await run('account', 'create', '--name', 'First');
  expect([createResult.code, createResult.stderr]).toEqual([0, '']);
  const file = path.join(dir, 'kept', 'once.sql.gz');
  const backupResult = await run('backup', 'create', file);
  expect([backupResult.code, backupResult.stderr]).toEqual([
    0,
    `Created the folder ${path.dirname(file)}.\n`,
  ]);
  const contents = await readFile(file);
  expect((await run('backup', 'create', file)).stderr).toBe(`${file} already exists. Choose another file.\n`);
  expect(await readFile(file)).toEqual(contents);
  expect(await readdir(path.join(dir, 'kept'))).toEqual(['once.sql.gz']);
  expect((await run('backup', 'verify', file)).code).toBe(0);
  expect((await readdir(dir)).filter((name) => name.includes('.new-'))).toEqual([]);
});
