/**
 * Which folders a system user may traverse, and how the data folder is opened to one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder';
import type { SystemUser } from './system-user';

/** Returns the outermost folder on the way to `path` that this user may not traverse, or null. */
export function findBlockingFolder(path: string, user: SystemUser): string | null {
  let folder = realpathSync(nearestExistingPath(path));
  if (!statSync(folder).isDirectory()) folder = dirname(folder);
  let blocker: string | null = null;
  for (let currentFolder = folder; ; currentFolder = dirname(currentFolder)) {
    const canTraverse =
      isPermitted(statSync(currentFolder), user, 1) || isPermittedBySystem(currentFolder, user);
    if (!canTraverse) blocker = currentFolder;
    if (currentFolder === dirname(currentFolder)) return blocker;
  }
}

function nearestExistingPath(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

/** Returns whether the mode bits grant this user all of `mode` (4 read, 2 write, 1 execute or traverse). */
export function isPermitted(stats: Stats, user: SystemUser, mode: number): boolean {
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & mode) === mode;
}

/** Returns whether the system lets the user traverse the folder: an access control list may allow it where mode bits do not. */
function isPermittedBySystem(folder: string, user: SystemUser): boolean {
  return spawnSync('test', ['-x', folder], { uid: user.uid, gid: user.gid }).status === 0;
}

/** Like `findBlockingFolder`, but ignores a data folder owned by root: `allowTraversal` opens it. */
export function findFolderBlockingDataDir(dir: string, user: SystemUser): string | null {
  const blocker = findBlockingFolder(dir, user);
  const isRootOwnedDataDir =
    blocker && existsSync(dir) && blocker === realpathSync(dir) && statSync(dir).uid === 0;
  return isRootOwnedDataDir ? null : blocker;
}

/** Lets the user traverse root's data folder: through its group if that has no rights yet, otherwise by opening it to all. */
export async function allowTraversal(dir: string, user: SystemUser): Promise<void> {
  const stats = await stat(dir);
  if (isPermitted(stats, user, 1)) return;
  const isGroupUnused = (stats.mode & 0o070) === 0;
  if (isGroupUnused) await chown(dir, stats.uid, user.gid);
  await chmod(dir, (stats.mode & 0o7777) | (isGroupUnused ? 0o010 : 0o001));
}

/** Creates the folder and its missing parents with exactly this mode, whatever the umask. */
export async function makeFolderWithMode(dir: string, mode: number): Promise<void> {
  const firstCreatedFolder = await makeFolder(dir, mode);
  if (!firstCreatedFolder) return;
  for (let folder = dir; folder.length >= firstCreatedFolder.length; folder = dirname(folder))
    await chmod(folder, mode);
}
