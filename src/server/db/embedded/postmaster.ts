/** Reads postmaster.pid, in which PostgreSQL says which process is the server of a cluster, and checks that this is still so. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder';
import { codeOf } from './errors';

/** How old an empty postmaster.pid must be to be the leftover of a crash, rather than of a server that is just starting. */
const LEFTOVER_AGE_MS = 5000;

/** What postmaster.pid says about a server. */
export interface PostmasterPid {
  pid: number;
  folder: string;
  port: number;
}

/** Returns the path of a cluster's postmaster.pid. */
export function postmasterPidPath(dataFolder: DataFolder): string {
  return join(dataFolder.cluster, 'postmaster.pid');
}

/** Reads postmaster.pid; returns null if there is none. Numbers are NaN if the file is incomplete. */
export async function readPostmasterPid(dataFolder: DataFolder): Promise<PostmasterPid | null> {
  const text = await readFile(postmasterPidPath(dataFolder), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [pid = '', folder = '', , port = ''] = text.split('\n');
  return { pid: Number.parseInt(pid, 10), folder, port: Number.parseInt(port, 10) };
}

/** Returns whether postmaster.pid is empty and so new that a server may be about to write it. */
export function isBeingWritten(postmaster: PostmasterPid, dataFolder: DataFolder): boolean {
  if (!Number.isNaN(postmaster.pid)) return false;
  const stats = statSync(postmasterPidPath(dataFolder), { throwIfNoEntry: false });
  // The clock may have been set back since, so that the file seems to come from the future.
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) <= LEFTOVER_AGE_MS;
}

/**
 * Returns whether the server that postmaster.pid names is running. After a restart of the machine, its process id may belong to
 * another program, or to the server of another cluster.
 */
export function isRunning({ pid, folder }: PostmasterPid, dataFolder: DataFolder): boolean {
  if (!isPostgresProcess(pid)) return false;
  // If this folder is a copy, the file names the server of the original. Its caller reports that.
  return [dataFolder.cluster, folder].some((cluster) => runsIn(pid, cluster, dataFolder));
}

/**
 * Removes a postmaster.pid whose process id now belongs to another process (common after a container was killed), or that a
 * crash left empty. PostgreSQL would refuse to start because of either; it removes other leftovers itself.
 */
export async function removeStalePostmasterPid(dataFolder: DataFolder): Promise<void> {
  const postmaster = await readPostmasterPid(dataFolder);
  if (!postmaster || isRunning(postmaster, dataFolder) || isBeingWritten(postmaster, dataFolder)) return;
  if (Number.isNaN(postmaster.pid) || isAlive(postmaster.pid))
    await rm(postmasterPidPath(dataFolder), { force: true });
}

/** Returns whether a process with that id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/**
 * Returns whether a PostgreSQL server runs under that process id, rather than a zombie or another process that got the id
 * later. Returns true if the system cannot tell.
 */
function isPostgresProcess(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  if (hasProcFolder()) {
    const statFile = `/proc/${pid}/stat`;
    return existsSync(statFile) && /^\d+ \(postgres\) [^ZX]/.test(readFileSync(statFile, 'latin1'));
  }
  const result = spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
  return result.status !== 0 || result.stdout.includes('postgres');
}

/**
 * Returns whether the PostgreSQL process with that id is the server of `cluster`: a server's working directory is its cluster.
 * Returns true if the system cannot tell.
 */
function runsIn(pid: number, cluster: string, { user }: DataFolder): boolean {
  if (!hasProcFolder()) return true;
  const workingDirectory = `/proc/${pid}/cwd`;
  try {
    const [actual, expected] = [statSync(workingDirectory), statSync(cluster)];
    return actual.dev === expected.dev && actual.ino === expected.ino;
  } catch (error) {
    if (codeOf(error) !== 'EACCES') return false; // The process, or the folder that the file names, is gone.
    // Our server may be closed to root in a container, but not to its own user.
    if (user) return spawnSync('test', [workingDirectory, '-ef', cluster], user).status === 0;
    // A process of another user cannot be our server.
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.();
  }
}

const hasProcFolder = () => existsSync('/proc/self/stat');
