import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listBackups, takeDailyBackup } from '../../../src/server/backup/daily-service';
import { createLog } from '../../../src/server/core/log';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await makeTemporaryFolder('daily-backup');
});
afterEach(() => removeTemporaryFolder(folder));

const dailyOptions = () => ({ databaseUrl: database.url, version: '0.0.0', log: createLog('silent') });

describe('a new backup', () => {
  it('made by the daily job deletes abandoned partial files and the oldest backups beyond the configured number, but no other file', async () => {
    const dir = path.join(folder, 'daily');
    const takeBackup = (day: number) =>
      takeDailyBackup(
        { folder: dir, keep: 2 },
        { ...dailyOptions(), now: new Date(Date.UTC(2026, 10, day, 3)) },
      );
    await takeBackup(20);
    await writeFile(path.join(dir, 'mine.sql.gz'), 'mine');
    const abandonedFile = path.join(dir, 'brickdesk-20261101T030000Z.sql.gz.0123abcd.part');
    await writeFile(abandonedFile, 'half');
    await utimes(abandonedFile, new Date(0), new Date(0));
    await takeBackup(21);
    await takeBackup(22);
    expect((await listBackups(dir)).map(({ name }) => name)).toEqual([
      'brickdesk-20261122T030000Z.sql.gz',
      'brickdesk-20261121T030000Z.sql.gz',
    ]);
    expect((await readdir(dir)).sort()).toEqual([
      'brickdesk-20261121T030000Z.sql.gz',
      'brickdesk-20261122T030000Z.sql.gz',
      'mine.sql.gz',
    ]);
    expect(await listBackups(path.join(dir, 'none'))).toEqual([]);
  });

  describe('made by the daily job', () => {
    const now = new Date(Date.UTC(2026, 10, 22, 3));
    const takeBackup = (dir: string, keep: number) =>
      takeDailyBackup({ folder: dir, keep }, { ...dailyOptions(), now });

    it('stays, and replaces those that were written while a clock was ahead before any other', async () => {
      const dir = path.join(folder, 'clock-ahead');
      await mkdir(dir);
      const names = ['20261120', '20261121', '20270101', '20270102', '20270103'].map(
        (day) => `brickdesk-${day}T030000Z.sql.gz`,
      );
      for (const name of names) await writeFile(path.join(dir, name), '');
      await takeBackup(dir, 4);
      const expectedNames = ['20261122', '20261121', '20261120', '20270103'].map(
        (day) => `brickdesk-${day}T030000Z.sql.gz`,
      );
      expect((await listBackups(dir, now)).map(({ name }) => name)).toEqual(expectedNames);
    });

    it('neither deletes nor counts backups by hand', async () => {
      const dir = path.join(folder, 'by-hand');
      await mkdir(dir);
      const names = ['brickdesk-20261122T020000Z-manual.sql.gz', 'brickdesk-20261121T030000Z.sql.gz'];
      for (const name of names) await writeFile(path.join(dir, name), '');
      await takeBackup(dir, 2);
      expect((await listBackups(dir, now)).map(({ name }) => name)).toEqual([
        'brickdesk-20261122T030000Z.sql.gz',
        ...names,
      ]);
    });
  });
});

it('a daily backup succeeds if old files cannot be deleted, deletes the others, and logs which remain and why', async () => {
  const day = (number: number) => `brickdesk-202611${number}T030000Z.sql.gz`;
  const partialName = `${day(10)}.0123abcd.part`;
  // Not even root can delete a folder as a file.
  for (const name of [day(11), partialName]) await mkdir(path.join(folder, name));
  await utimes(path.join(folder, partialName), new Date(0), new Date(0));
  for (const name of [day(10), day(12), day(21)]) await writeFile(path.join(folder, name), '');
  let logText = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logText += chunk;
      done();
    },
  });
  const { file } = await takeDailyBackup(
    { folder, keep: 2 },
    {
      databaseUrl: database.url,
      version: '0.0.0',
      now: new Date('2026-11-22T03:00:00Z'),
      log: createLog('warn', sink),
    },
  );
  expect(path.basename(file)).toBe(day(22));
  expect((await readdir(folder)).sort()).toEqual([partialName, day(11), day(21), day(22)]);
  const entries = logText
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries).toMatchObject(
    [day(11), partialName].map((name) => ({
      msg: 'old backup cannot be deleted',
      file: path.join(folder, name),
      err: { code: 'ERR_FS_EISDIR' },
    })),
  );
});
