/** Finds out whether the server of a data folder runs and can be used. */
import { postgresError, ROLE, readPassword } from './cluster';
import type { DataFolder } from './data-folder';
import { DATABASE, ensureDatabase } from './database';
import { codeOf, EmbeddedDatabaseError } from './errors';
import { isBeingWritten, isRunning, postmasterPidPath, readPostmasterPid } from './postmaster';

/** SQLSTATEs of a server that is starting, stopping or full, or whose database another process is creating. */
const TEMPORARY_ERROR_CODES = [
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '3D000',
  '42P04',
  '42710',
  '23505',
  '55006',
];

/** The state of a folder's server: absent, busy (starting or stopping), or ready. */
export type ServerState =
  | { kind: 'absent' }
  | { kind: 'busy'; reason: string }
  | { kind: 'ready'; port: number; url: string };

/** Returns the state of the folder's server. If it runs without the database, as at the first start, creates the database. */
export async function checkServer(dataFolder: DataFolder): Promise<ServerState> {
  const postmaster = await readPostmasterPid(dataFolder);
  if (!postmaster) return { kind: 'absent' };
  const pidFile = postmasterPidPath(dataFolder);
  if (isBeingWritten(postmaster, dataFolder)) return { kind: 'busy', reason: `${pidFile} is empty` };
  if (!isRunning(postmaster, dataFolder)) return { kind: 'absent' };
  if (postmaster.folder.normalize() !== dataFolder.cluster.normalize()) {
    throw new EmbeddedDatabaseError(
      `${pidFile} belongs to the running server of ${postmaster.folder} (process ${postmaster.pid}): stop that one, or remove the file if this folder is a copy.`,
    );
  }
  const password = await readPassword(dataFolder.passwordFile);
  try {
    await ensureDatabase(postmaster.port, password, dataFolder);
    // The server has no TLS, which PGSSLMODE, meant for another database, would require.
    const url = `postgresql://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${postmaster.port}/${DATABASE}?sslmode=disable`;
    return { kind: 'ready', port: postmaster.port, url };
  } catch (error) {
    if (codeOf(error) === '28P01') {
      throw new EmbeddedDatabaseError(
        `The password in ${dataFolder.passwordFile} is not that of the database in ${dataFolder.cluster}: restore that file from a backup.`,
        { cause: error },
      );
    }
    return toBusyState(error, dataFolder);
  }
}

/** Returns the busy state for a failed connection or a temporary error of the server. Throws for any other error of the server. */
function toBusyState(error: unknown, dataFolder: DataFolder): ServerState {
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  const isPermanent = /^[0-9X][0-9A-Z]{4}$/.test(code) && !TEMPORARY_ERROR_CODES.includes(code);
  if (isPermanent) throw postgresError('cannot be used', dataFolder, `FATAL: ${reason}`);
  return { kind: 'busy', reason };
}
