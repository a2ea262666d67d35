/**
 * The lock that keeps a second server from a cluster. PostgreSQL's own checks (the process id in postmaster.pid, and its shared
 * memory) see only what runs in the same container: a server in another one, on the same volume, seems to be a leftover. Two servers
 * destroy the cluster. So we lock a file, which containers share: the lock belongs to the open file, which PostgreSQL inherits from
 * us, and ends with the last of its processes.
 */
import { spawnSync } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder';

/** A lock that this process holds until it closes the file. Whoever inherits the file keeps holding it. */
export interface ClusterLock {
  /** The locked file, which the server inherits. */
  file: FileHandle;
}

/**
 * Locks the cluster for a server that is about to start. Returns null if another process has locked it, in this container or another
 * one. Node.js cannot lock files, so the program `flock` does it. Where there is none (macOS and Windows, which have no containers of
 * their own), the file is open but not locked, and PostgreSQL's own checks have to do.
 *
 * @param log receives a line if the cluster cannot be locked
 */
export async function tryToLockCluster(
  dataFolder: DataFolder,
  log: (line: string) => void,
): Promise<ClusterLock | null> {
  // This file is as old as the cluster and never replaced, and nobody would delete it as they might a lock file. It is opened for
  // writing because NFS locks no other files.
  const file = await open(join(dataFolder.cluster, 'PG_VERSION'), 'r+');
  // The file descriptor 3 of `flock` is the same open file as ours, so the lock stays with us when `flock` has ended.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file.fd],
  });
  if (status === 1) {
    await file.close();
    return null;
  }
  if (status !== 0) log(`the cluster is not locked against other containers: ${error?.message ?? stderr}`);
  return { file };
}
