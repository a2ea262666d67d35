/** Creates a cluster once, with its passwords, and reads the files that PostgreSQL writes about itself. */
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecretFile, temporaryPath } from '../../core/new-file';
import { type PostgresBinaries, runProgram } from './binaries';
import type { DataFolder } from './data-folder';
import { codeOf, EmbeddedDatabaseError } from './errors';

/** The role that the service uses: it owns its database, but is not a superuser. */
export const ROLE = 'brickdesk';
/** Used only to create that role, its database and the extension. */
export const SUPERUSER = 'postgres';
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const MAX_DETAIL_LENGTH = 4000;

/** Settings written to postgresql.conf when the cluster is created; the administrator may change them there. */
const SETTINGS = [
  'max_connections=100',
  'shared_buffers=128MB',
  'max_wal_size=2GB',
  'fsync=on',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'lc_messages=C',
];
/** The built-in locale is the same on every machine, whatever locales the system has. */
const LOCALE_ARGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/**
 * Creates the cluster if there is none. If several processes do so at the same time, all succeed and use the same cluster; a
 * killed process leaves no incomplete one.
 *
 * @throws EmbeddedDatabaseError if the folder contains something else, or a cluster of another major version
 */
export async function ensureCluster(
  dataFolder: DataFolder,
  binaries: PostgresBinaries,
  log: (line: string) => void,
): Promise<void> {
  const versionFile = join(dataFolder.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (existsSync(dataFolder.cluster) && (await readdir(dataFolder.cluster)).length > 0) {
      throw new EmbeddedDatabaseError(
        `${dataFolder.cluster} is not empty and is not a PostgreSQL database (it has no PG_VERSION): move it away or choose another DATA_DIR.`,
      );
    }
    log(`creating the database in ${dataFolder.cluster}`);
    await createCluster(dataFolder, binaries);
  }
  const version = (await readFile(versionFile, 'utf8')).trim();
  if (version === binaries.majorVersion) return;
  throw new EmbeddedDatabaseError(
    `The database in ${dataFolder.cluster} was created by PostgreSQL ${version}, but the installed binaries are PostgreSQL ${binaries.majorVersion}: dump it with the old version and load it into a new DATA_DIR, or install the old version.`,
  );
}

/** @throws EmbeddedDatabaseError if the file is missing or cannot be read. */
export async function readPassword(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The password of the database cannot be read from ${file} (${codeOf(cause)}): restore that file from a backup, or run this as the user that the service runs as.`,
      { cause },
    );
  }
}

/** Returns the port of the last start, which PostgreSQL stores in postmaster.opts, or 0. */
export async function readPreviousPort(dataFolder: DataFolder): Promise<number> {
  const options = (await readIfExists(join(dataFolder.cluster, 'postmaster.opts'))) ?? '';
  return Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0);
}

/**
 * Prepares the server's log for a start and returns its size: creates the file for PostgreSQL's user, and renames one that is too
 * large.
 */
export async function prepareLog(dataFolder: DataFolder): Promise<number> {
  const stats = statSync(dataFolder.logFile, { throwIfNoEntry: false });
  if (stats && stats.size > MAX_LOG_BYTES) await rename(dataFolder.logFile, `${dataFolder.logFile}.1`);
  const fileHandle = await open(dataFolder.logFile, 'a', 0o600);
  try {
    if (dataFolder.user) await fileHandle.chown(dataFolder.user.uid, dataFolder.user.gid);
    return (await fileHandle.stat()).size;
  } finally {
    await fileHandle.close();
  }
}

/** Returns what the server has logged since its log was `size` bytes long. */
export async function readLogSince(dataFolder: DataFolder, size: number): Promise<string> {
  return (await readFile(dataFolder.logFile)).subarray(size).toString('utf8');
}

/**
 * Returns an error whose message describes a failure of PostgreSQL in one line: a full or read-only disk, otherwise the last
 * error in its output. The error's `detail` is the end of the output.
 *
 * @param failure what PostgreSQL did, such as `did not start`
 */
export function postgresError(
  failure: string,
  dataFolder: DataFolder,
  output: string,
): EmbeddedDatabaseError {
  const detail = output.trim().slice(-MAX_DETAIL_LENGTH);
  const errorMessages = [...output.matchAll(/(?:FATAL|PANIC|ERROR|error):\s+(.+)/g)].map((match) => match[1]);
  let reason = errorMessages.at(-1) ?? detail.split('\n').at(-1) ?? 'no reason given';
  if (/No space left on device|Disk quota exceeded/.test(output)) reason = 'the disk is full, make room';
  if (/Read-only file system/.test(output)) reason = 'the file system is read-only, choose another DATA_DIR';
  const logHint = existsSync(dataFolder.logFile) ? ` (log: ${dataFolder.logFile})` : '';
  return new EmbeddedDatabaseError(`PostgreSQL ${failure} in ${dataFolder.cluster}: ${reason}${logHint}.`, {
    detail,
  });
}

async function createCluster(dataFolder: DataFolder, binaries: PostgresBinaries): Promise<void> {
  await createPassword(dataFolder.passwordFile);
  const password = await createPassword(dataFolder.superuserPasswordFile);
  const temporaryFolder = temporaryPath(dataFolder.cluster);
  const passwordCopyFile = `${temporaryFolder}.pw`;
  try {
    await mkdir(temporaryFolder, { mode: 0o700 });
    await writeFile(passwordCopyFile, password, { mode: 0o600, flag: 'wx' });
    if (dataFolder.user) {
      for (const path of [temporaryFolder, passwordCopyFile])
        await chown(path, dataFolder.user.uid, dataFolder.user.gid);
    }
    const superuserArgs = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordCopyFile}`];
    const settingArgs = SETTINGS.map((setting) => `--set=${setting}`);
    const args = [`--pgdata=${temporaryFolder}`, ...LOCALE_ARGS, ...superuserArgs, ...settingArgs];
    const { code, output } = await runProgram(binaries.initdb, args, dataFolder);
    if (code !== 0) throw postgresError('could not create a database', dataFolder, output);
    await rename(temporaryFolder, dataFolder.cluster);
    await flushFolder(dataFolder.dir);
  } catch (error) {
    const alreadyExists = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
    if (!alreadyExists) throw error;
  } finally {
    await rm(passwordCopyFile, { force: true });
    await rm(temporaryFolder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Creates a password for this data folder, once; several processes that do so at the same time all get the same one. */
async function createPassword(passwordFile: string): Promise<string> {
  await createSecretFile(passwordFile, randomBytes(24).toString('hex'));
  return await readPassword(passwordFile);
}

/** Makes a rename in this folder survive a power loss. Windows has no such call and does not need it. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folderHandle = await open(folder, 'r');
  try {
    await folderHandle.sync();
  } finally {
    await folderHandle.close();
  }
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
