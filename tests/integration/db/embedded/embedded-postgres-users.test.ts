import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EmbeddedDatabaseError,
  resolveDataDir,
  startEmbeddedDatabase,
} from '../../../../src/server/db/embedded';
import {
  createFolder,
  killProcess,
  projectFolder,
  reserveDataDir,
  startDatabase,
  startInChild,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';
import { findUnprivilegedUser, isRoot } from '../../../support/database/unprivileged-user';

stopDatabasesAfterTests();

const DATA_ROOT = '/var/lib/brickdesk';
const tsxUrl = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const moduleUrl = pathToFileURL(join(projectFolder, 'src/server/db/embedded/index.ts')).href;

/** Returns the data folder that an ordinary user gets in a working directory, or the message that refuses one. */
function resolveAsOrdinaryUser(cwd: string, dataDir?: string): { dir?: string; message?: string } {
  const script = `
    const { resolveDataDir } = await import(${JSON.stringify(moduleUrl)});
    try {
      console.log(JSON.stringify(resolveDataDir(${JSON.stringify({ cwd, dataDir })})));
    } catch ({ name, message }) {
      console.log(JSON.stringify({ name, message }));
    }`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', tsxUrl, '--input-type=module', '--eval', script],
    { ...findUnprivilegedUser(), cwd: projectFolder, encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

if (isRoot) {
  describe('the embedded database, started by root,', () => {
    it('runs as another user, who owns the cluster and the log, but not the data folder or the password', async () => {
      const dataDir = await reserveDataDir();
      await startDatabase(dataDir);
      const ownerPromises = ['', 'database-password', 'postgres', 'postgres.log'].map(
        async (name) => (await stat(join(dataDir, name))).uid,
      );
      const [folderOwner, passwordOwner, clusterOwner, logOwner] = await Promise.all(ownerPromises);
      expect([folderOwner, passwordOwner]).toEqual([0, 0]);
      expect(clusterOwner).not.toBe(0);
      expect(logOwner).toBe(clusterOwner);
    });

    it('refuses a configured data folder that the database user cannot access, names the parent folder that prevents it, and says what to do', async () => {
      const parent = await createFolder(0o700);
      const dataDir = join(parent, 'data');
      const messagePattern = new RegExp(
        `^The data folder ${dataDir} cannot be reached .*because ${parent} does not let it in.*"chmod o\\+x ${parent}".*DATA_DIR=/var/lib/brickdesk\\.$`,
      );
      expect(() => resolveDataDir({ dataDir, cwd: '/' })).toThrow(messagePattern);
      expect(() => resolveDataDir({ dataDir: 'data', cwd: parent })).toThrow(EmbeddedDatabaseError);
      await expect(startEmbeddedDatabase({ dataDir })).rejects.toThrow(messagePattern);
      expect(await readdir(parent)).toEqual([]);
    });

    it('uses a folder in /var/lib/brickdesk, the same one each time, if the database user cannot reach the default folder', async () => {
      const existedBefore = existsSync('/var/lib/brickdesk');
      const cwd = join(await createFolder(0o700), 'my shop');
      await mkdir(cwd);
      const { dir, isFallback } = resolveDataDir({ dataDir: undefined, cwd });
      expect(isFallback).toBe(true);
      expect(dirname(dir)).toBe('/var/lib/brickdesk');
      expect(basename(dir)).toMatch(/^my shop-[0-9a-f]{8}$/);
      expect(resolveDataDir({ dataDir: undefined, cwd })).toEqual({ dir, isFallback });
      try {
        const database = await startDatabase(dir);
        expect(database.isNewlyStarted).toBe(true);
        await database.stop();
        // Granting access to the default folder later must not lead to a second, empty database.
        await chmod(dirname(cwd), 0o755);
        expect(resolveDataDir({ dataDir: undefined, cwd })).toEqual({ dir, isFallback });
      } finally {
        await rm(dir, { recursive: true, force: true });
        if (!existedBefore) await rmdir('/var/lib/brickdesk');
      }
    });

    it('gives only the database user access to a private data folder, such as one created by mktemp -d', async () => {
      const dataDir = await createFolder(0o700);
      expect(resolveDataDir({ dataDir, cwd: '/' })).toEqual({ dir: dataDir, isFallback: false });
      const database = await startDatabase(dataDir);
      expect(database.isNewlyStarted).toBe(true);
      const { mode, gid } = await stat(dataDir);
      expect(mode & 0o777).toBe(0o710);
      expect(gid).toBe((await stat(join(dataDir, 'postgres'))).gid);
    });
  });

  describe('the embedded database, started by an ordinary user,', () => {
    const user = findUnprivilegedUser();

    it('runs as that user, even after root has stopped and restarted it', async () => {
      const dataDir = join(await createFolder(0o700, user), 'data');
      const { child, reportPromise } = await startInChild(dataDir, { user });
      const { url } = await reportPromise;
      expect(await reportPromise).toMatchObject({ isNewlyStarted: true, uid: user.uid });
      for (const name of ['', 'database-password', 'postgres', 'postgres.log']) {
        expect((await stat(join(dataDir, name))).uid).toBe(user.uid);
      }
      await killProcess(child);

      const database = await startDatabase(dataDir);
      expect(database).toMatchObject({ isNewlyStarted: false, url });
      await database.stop();
      const restartedDatabase = await startDatabase(dataDir); // by root again, but run as the user who owns the cluster
      expect(restartedDatabase.isNewlyStarted).toBe(true);
      expect((await stat(join(dataDir, 'postgres.log'))).uid).toBe(user.uid);
      await restartedDatabase.stop();
      expect(await (await startInChild(dataDir, { user })).reportPromise).toMatchObject({
        isNewlyStarted: true,
      });
    });

    it('reports in one line that the folder is not writable, or that the cluster belongs to another user', async () => {
      const inaccessibleFolderReport = await (await startInChild(await createFolder(), { user }))
        .reportPromise;
      expect(inaccessibleFolderReport.error?.name).toBe('EmbeddedDatabaseError');
      expect(inaccessibleFolderReport.error?.message).toMatch(
        /^The data folder .* cannot be read or written by this user: .+$/,
      );

      const dataDir = await reserveDataDir();
      await (await startDatabase(dataDir)).stop();
      await chmod(dataDir, 0o777);
      const foreignClusterReport = await (await startInChild(dataDir, { user })).reportPromise;
      expect(foreignClusterReport.error?.message).toMatch(
        /^The database in .* belongs to another user \(uid \d+\): .+$/,
      );
    });
  });

  describe('a working directory whose database root has put under /var/lib/brickdesk', () => {
    let hadDataRoot: boolean;
    let cwd: string;
    let rootDir: string;

    beforeEach(async () => {
      hadDataRoot = existsSync(DATA_ROOT);
      const parent = await createFolder(0o700);
      cwd = join(parent, 'shop');
      await mkdir(cwd);
      rootDir = resolveDataDir({ dataDir: undefined, cwd }).dir;
      await (await startDatabase(rootDir)).stop();
      await chmod(parent, 0o755);
    });
    afterEach(async () => {
      await rm(rootDir, { recursive: true, force: true });
      if (!hadDataRoot) await rmdir(DATA_ROOT);
    });

    it('gets no second database from an ordinary user, who is told where the first is', () => {
      const dir = join(cwd, '.data');
      expect(resolveAsOrdinaryUser(cwd)).toEqual({
        name: 'EmbeddedDatabaseError',
        message: `There is no database in ${dir}: root started the service here, and its database is in ${rootDir}. Run this as root or, for a new database, set DATA_DIR=${dir}.`,
      });
      expect(resolveAsOrdinaryUser(cwd, '.data')).toEqual({ dir, isFallback: false });
      expect(resolveDataDir({ dataDir: undefined, cwd })).toEqual({ dir: rootDir, isFallback: true });
    });

    it('is refused to everyone once it has another in .data, unless DATA_DIR chooses one of them', async () => {
      const dir = join(cwd, '.data');
      await mkdir(join(dir, 'postgres'), { recursive: true });
      const message = `There are two databases, in ${dir} and in ${rootDir}, where root put it: set DATA_DIR to the one to use, or move the other away.`;
      expect(() => resolveDataDir({ dataDir: undefined, cwd })).toThrow(message);
      expect(resolveAsOrdinaryUser(cwd)).toEqual({ name: 'EmbeddedDatabaseError', message });
      for (const dataDir of [dir, rootDir])
        expect(resolveDataDir({ dataDir, cwd })).toEqual({ dir: dataDir, isFallback: false });
    });
  });
}
