import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeDailyBackup } from '../../../src/server/backup/daily-service';
import { createLog } from '../../../src/server/core/log';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await makeTemporaryFolder('daily-backup');
});
afterAll(async () => {
  await removeTemporaryFolder(folder);
  await database.drop();
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
