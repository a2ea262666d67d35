import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { findRunningServer } from '../../../../src/server/db/embedded';
import {
  createUsedDataDir,
  killAfterTest,
  killProcess,
  query,
  reserveDataDir,
  startDatabase,
  startInChild,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';
import { copyDataDir } from '../../../support/database/migrated-data-dir';
import { isRoot } from '../../../support/database/unprivileged-user';
import { readPostgresPid } from '../../../support/process/service-process';

/** Kills a server. Returns a function that leaves its postmaster.pid behind, with the id of another process. */
async function killServer(dataDir: string): Promise<(otherPid: number) => Promise<void>> {
  const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
  const lockContents = await readFile(lockFile, 'utf8');
  const pid = await readPostgresPid(dataDir);
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(async () => (await findRunningServer(dataDir)) === null, {
    timeout: 10_000,
    interval: 10,
  });
  return (otherPid) => writeFile(lockFile, lockContents.replace(String(pid), String(otherPid)));
}

stopDatabasesAfterTests();

describe('the database of a folder that was used before', () => {
  it('keeps its data and its port when it is stopped and started again', async () => {
    const dataDir = await createUsedDataDir();
    const firstDatabase = await startDatabase(dataDir);
    await query(firstDatabase.url, `CREATE TABLE brick AS SELECT 3001 AS number`);
    await firstDatabase.stop();
    const secondDatabase = await startDatabase(dataDir);
    expect(secondDatabase).toMatchObject({ isNewlyStarted: true, url: firstDatabase.url });
    expect(await query(secondDatabase.url, 'SELECT number FROM brick')).toEqual([{ number: 3001 }]);
  });

  it('is still running, and is reused, after the process that started it was killed', async () => {
    const dataDir = await createUsedDataDir();
    const { child, reportPromise } = await startInChild(dataDir);
    const { url } = await reportPromise;
    const pid = await readPostgresPid(dataDir);
    await killProcess(child);

    const database = await startDatabase(dataDir);
    expect(database).toMatchObject({ isNewlyStarted: false, url });
    expect(await readPostgresPid(dataDir)).toBe(pid);
    await database.stop();
    expect(await findRunningServer(dataDir)).toBeNull();
  });

  it('keeps running when Ctrl-C is pressed in the terminal of the process that started it', async () => {
    const dataDir = await createUsedDataDir();
    const { child, reportPromise } = await startInChild(dataDir);
    const { url } = await reportPromise;
    process.kill(-child.pid!, 'SIGINT'); // to the whole process group, as a terminal does
    await sleep(500);
    expect(await query(url!, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts with everything that was committed before the server was killed', async () => {
    const dataDir = await createUsedDataDir();
    const firstDatabase = await startDatabase(dataDir);
    await query(firstDatabase.url, `CREATE TABLE brick AS SELECT 3001 AS number`);
    process.kill(await readPostgresPid(dataDir), 'SIGKILL');

    const secondDatabase = await startDatabase(dataDir);
    expect(secondDatabase.isNewlyStarted).toBe(true);
    expect(await query(secondDatabase.url, 'SELECT number FROM brick')).toEqual([{ number: 3001 }]);
  });

  it('starts even if the process id of its killed server now belongs to another program', async () => {
    const dataDir = await createUsedDataDir();
    await startDatabase(dataDir);
    const leavePidOf = await killServer(dataDir);
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    const otherProgram = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    killAfterTest(otherProgram);
    await leavePidOf(otherProgram.pid!);

    expect((await startDatabase(dataDir)).isNewlyStarted).toBe(true);
    expect(otherProgram.exitCode).toBeNull();
  });

  it('starts even if the process id of its killed server now belongs to the server of another folder', async () => {
    const dataDir = await createUsedDataDir();
    await startDatabase(dataDir);
    const otherDataDir = await reserveDataDir();
    const otherDatabase = await startDatabase(otherDataDir);
    const leavePidOf = await killServer(dataDir);
    await leavePidOf(await readPostgresPid(otherDataDir));

    expect(await findRunningServer(dataDir)).toBeNull();
    const database = await startDatabase(dataDir);
    expect(database.isNewlyStarted).toBe(true);
    await database.stop();
    expect(await query(otherDatabase.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['just now', 0],
    ['before the clock was set back by an hour', 3600],
  ])('starts even if a crash left an empty postmaster.pid %s', async (_, secondsAhead) => {
    const dataDir = await createUsedDataDir();
    await (await startDatabase(dataDir)).stop();
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(lockFile, '');
    const { uid, gid } = await stat(join(dataDir, 'postgres'));
    await chown(lockFile, uid, gid);
    const time = Date.now() / 1000 + secondsAhead;
    await utimes(lockFile, time, time);
    expect((await startDatabase(dataDir)).isNewlyStarted).toBe(true);
  });

  it('can be started while it is still stopping', async () => {
    const dataDir = await createUsedDataDir();
    const firstDatabase = await startDatabase(dataDir);
    const stopPromise = firstDatabase.stop();
    const secondDatabase = await startDatabase(dataDir);
    await stopPromise;
    const thirdDatabase = await startDatabase(dataDir);
    expect(await query(thirdDatabase.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(thirdDatabase.port).toBe(secondDatabase.port);
  });

  it('takes another port if its own is in use', async () => {
    const dataDir = await createUsedDataDir();
    const firstDatabase = await startDatabase(dataDir);
    await firstDatabase.stop();
    const script = `require('net').createServer().listen(${firstDatabase.port}, '127.0.0.1', () => console.log('listening'))`;
    const listener = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    killAfterTest(listener);
    await once(listener.stdout, 'data');
    expect((await startDatabase(dataDir)).port).not.toBe(firstDatabase.port);
  });

  it('is created by the next start if the process died right after creating the cluster', async () => {
    const dataDir = await createUsedDataDir();
    const database = await startDatabase(dataDir);
    await query(database.url.replace(/brickdesk(?=\?)/, 'postgres'), 'DROP DATABASE brickdesk WITH (FORCE)');
    expect(await query((await startDatabase(dataDir)).url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is not started from a copy of its folder while it is running', async () => {
    const dataDir = await createUsedDataDir();
    const database = await startDatabase(dataDir);
    const copyDir = await reserveDataDir();
    await copyDataDir(dataDir, copyDir);
    await expect(startDatabase(copyDir)).rejects.toThrow(
      `belongs to the running server of ${join(dataDir, 'postgres')}`,
    );
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
