/**
 * The request to stop a server as soon as nobody uses it. A process that should stop the server while others still use it writes
 * an empty file into the data folder; the last of the others finds it. It does not outlive the server.
 */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from './data-folder';

const pathIn = (dataFolder: DataFolder) => join(dataFolder.dir, 'postgres.stop-when-unused');

/** Asks the last process that uses the server to stop it. */
export async function writeStopRequest(dataFolder: DataFolder): Promise<void> {
  await writeFile(pathIn(dataFolder), '', { mode: 0o600 });
}

/** Returns whether a process has asked for the server to be stopped as soon as nobody uses it. */
export function hasStopRequest(dataFolder: DataFolder): boolean {
  return existsSync(pathIn(dataFolder));
}

/** Removes the request when it is being carried out, and before a server starts. */
export async function removeStopRequest(dataFolder: DataFolder): Promise<void> {
  await rm(pathIn(dataFolder), { force: true });
}
