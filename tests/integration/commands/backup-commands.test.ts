import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningServer } from '../../../src/server/db/embedded';
import { listShippedMigrations } from '../../../src/server/db/migration/migrate';
import { fillAuditLog, waitUntilAuditLogIsRead } from '../../support/database/large-backup';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { type CommandLine, openCommandLine } from '../../support/process/command-line';
import { runCommand, spawnCommand } from '../../support/process/run-command';
import { startBlackHoleProxy } from '../../support/stand-ins/black-hole-proxy';

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
  // Not the name of a daily backup, so that the daily job neither deletes nor counts it.
  expect(name).toMatch(/^brickdesk-\d{8}T\d{6}Z-manual\.sql\.gz$/);
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

it('a command that needs something in the database creates none in a mistyped data folder, and says so', async () => {
  for (const args of [
    ['backup', 'create'],
    ['account', 'list'],
    ['db', 'status'],
  ]) {
    const result = await run('mistyped', ...args);
    expect([result.code, result.stderr]).toEqual([
      1,
      `There is no database in ${dataDirOf('mistyped')}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database.\n`,
    ]);
  }
  expect(await readdir(folder)).not.toContain('mistyped');
});

it('a command that needs no secret works with a damaged one, and creates none', async () => {
  const secretFile = path.join(dataDirOf('old'), 'nextauth-secret');
  await rm(secretFile, { force: true });
  expect((await run('old', 'account', 'list')).code).toBe(0);
  expect(await readdir(dataDirOf('old'))).not.toContain('nextauth-secret');
  await writeFile(secretFile, 'damaged');
  const { code, stderr } = await run('old', 'backup', 'create', path.join(folder, 'rescue.sql.gz'));
  expect([code, stderr]).toEqual([0, '']);
});

describe('backup create', () => {
  let commandLine: CommandLine;
  beforeAll(async () => {
    commandLine = await openCommandLine();
  });
  afterAll(() => commandLine.close());

  it('says why its file cannot be written', async () => {
    const errorOf = async (file: string) => (await commandLine.run('backup', 'create', file)).stderr;
    expect(await errorOf('package.json/x.gz')).toBe(
      `${path.resolve('package.json/x.gz')} cannot be written: part of its path is a file.\n`,
    );
    const reason =
      process.getuid?.() === 0
        ? 'no file can be created there'
        : 'this user has no permission to write there';
    for (const file of ['/proc/x.gz', '/proc/nope/x.gz'])
      expect(await errorOf(file)).toBe(`${file} cannot be written: ${reason}.\n`);
    expect(await errorOf(commandLine.folder)).toBe(
      `${commandLine.folder} is a folder. Add the name of the new file.\n`,
    );
    const longFile = path.join(commandLine.folder, 'x'.repeat(250));
    expect(await errorOf(longFile)).toBe(`${longFile} cannot be written: its name is too long.\n`);
  });

  it('says that a database has no tables of Brickdesk', async () => {
    const url = new URL(commandLine.database.url);
    url.pathname = '/postgres';
    const file = path.join(commandLine.folder, 'empty.sql.gz');
    const { code, stderr } = await runCommand(['backup', 'create', file], {
      ...commandLine.env,
      DATABASE_URL: url.href,
    });
    expect([code, stderr]).toEqual([
      1,
      "The database has no tables of Brickdesk, so there is nothing to back up. Check DATABASE_URL or DATA_DIR: they must be the service's.\n",
    ]);
    expect(await readdir(commandLine.folder)).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('that is ended by %s leaves no file behind, and says so', async (signal, exitCode) => {
    await fillAuditLog(commandLine.database);
    const proxy = await startBlackHoleProxy(commandLine.database.url);
    const dir = path.join(commandLine.folder, signal);
    const child = spawnCommand(['backup', 'create', path.join(dir, 'x.sql.gz')], {
      ...commandLine.env,
      DATABASE_URL: proxy.url,
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    const exitPromise = new Promise<number | null>((resolve) => child.on('close', resolve));
    await expect
      .poll(() => readdir(dir).catch(() => []), { interval: 5 })
      .toEqual([expect.stringMatching(/^x\.sql\.gz\.[0-9a-f]{8}\.part$/)]);
    await waitUntilAuditLogIsRead(commandLine.database);
    proxy.stopForwarding();
    child.kill(signal);
    await expect.poll(() => readdir(dir)).toEqual([]);
    proxy.resumeForwarding();
    expect(await exitPromise).toBe(exitCode);
    expect(stderr).toBe(`Created the folder ${dir}.\nInterrupted. No backup was written.\n`);
    expect(await readdir(dir)).toEqual([]);
    await proxy.remove();
  });
});
