import { readFileSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

/** A file system in memory, which Linux has by default. */
const MEMORY_FOLDER = '/dev/shm';
/** More than all tests need at the same time. */
const MIN_FREE_BYTES = 4_000_000_000;

/** Returns whether there is enough free memory for the tests' data, in a file system from which programs can be run. */
function hasFreeMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const mount = mounts.findLast((line) => line.split(' ')[1] === MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES && !/\bnoexec\b/.test(mount ?? 'noexec');
  } catch {
    return false;
  }
}

/**
 * The folder of the tests' folders: TMPDIR if that is set, otherwise one in memory if there is enough, otherwise the system's. A
 * new database consists of a thousand files, which some disks take half a second to create.
 */
const ROOT = process.env.TMPDIR || !hasFreeMemory() ? tmpdir() : MEMORY_FOLDER;

/** Creates a folder that PostgreSQL's user may enter, even if root runs the tests. */
export async function makeTemporaryFolder(name: string): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(ROOT, `brickdesk-${name}-`)));
  await chmod(folder, 0o755);
  return folder;
}

export function removeTemporaryFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
