import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryPath } from '../../../../src/server/core/new-file';
import { removeLeftovers } from '../../../../src/server/db/embedded/binaries';

/** Larger than any process id. */
const DEAD_PID = 2 ** 31 - 1;

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-leftovers-'));
});
afterAll(() => rm(dir, { recursive: true }));

it('temporary files of killed processes are removed, whatever their target; all other files are kept', async () => {
  const dataFolder = {
    dir,
    cluster: path.join(dir, 'postgres'),
    logFile: path.join(dir, 'postgres.log'),
    passwordFile: path.join(dir, 'database-password'),
    superuserPasswordFile: path.join(dir, 'database-superuser-password'),
    user: null,
  };
  const nameOf = (target: string, pid: number) =>
    path.basename(temporaryPath(target)).replace(`-${process.pid}-`, `-${pid}-`);
  const leftovers = [
    nameOf('nextauth-secret', DEAD_PID),
    nameOf('database-password', DEAD_PID),
    `${nameOf('postgres', DEAD_PID)}.pw`,
  ];
  const old = nameOf('nextauth-secret', process.pid);
  const kept = [
    nameOf('nextauth-secret', process.pid),
    'nextauth-secret',
    'backups',
    'orders.new-1.csv',
    `.new-${DEAD_PID}-0123abcd`,
  ];
  for (const name of [...leftovers, old, ...kept]) await writeFile(path.join(dir, name), '');
  const leftFolder = nameOf('postgres', DEAD_PID);
  await mkdir(path.join(dir, leftFolder, 'base'), { recursive: true });
  const anHourAgo = Date.now() / 1000 - 3600;
  await utimes(path.join(dir, old), anHourAgo, anHourAgo);

  await removeLeftovers(dataFolder);
  expect((await readdir(dir)).sort()).toEqual([...kept].sort());
});
