/** The files of one cluster: creates it once, with its password, and reads the files that PostgreSQL writes about itself. */
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chown, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, type Programs, run, runsPostgres, temporaryName } from './binaries';
import { codeOf, EmbeddedDatabaseError, type Place } from './place';

/** The role that the service uses: it owns its database, but is not a superuser. */
export const ROLE = 'brickdesk';
/** Used only to create that role, its database and the extension. */
export const SUPERUSER = 'postgres';
const MAX_LOG_BYTES = 10 * 1024 * 1024;
const DETAIL_LENGTH = 4000;

/** Settings written to postgresql.conf when the cluster is created; the operator may change them there. */
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
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** The contents of postmaster.pid. */
export interface PostmasterPid {
  pid: number;
  folder: string;
  port: number;
}

/**
 * Creates the cluster if there is none. If several processes do so at the same time, one wins and all succeed; one that is
 * killed leaves only a temporary folder.
 *
 * @throws EmbeddedDatabaseError if the folder contains something else, or a cluster of another major version.
 */
export async function ensureCluster(
  place: Place,
  programs: Programs,
  log: (line: string) => void,
): Promise<void> {
  const versionFile = join(place.cluster, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    if (existsSync(place.cluster) && (await readdir(place.cluster)).length > 0) {
      throw new EmbeddedDatabaseError(
        `${place.cluster} is not empty and is not a PostgreSQL database (it has no PG_VERSION): move it away or choose another DATA_DIR.`,
      );
    }
    log(`creating the database in ${place.cluster}`);
    await createCluster(place, programs);
  }
  const version = (await readFile(versionFile, 'utf8')).trim();
  if (version === programs.major) return;
  throw new EmbeddedDatabaseError(
    `The database in ${place.cluster} was created by PostgreSQL ${version}, but the installed programs are PostgreSQL ${programs.major}: dump it with the old version and load it into a new DATA_DIR, or install the old version.`,
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

/** Reads postmaster.pid; returns null if there is none. Numbers are NaN if the file is incomplete. */
export async function readLock(place: Place): Promise<PostmasterPid | null> {
  const text = await readIfExists(join(place.cluster, 'postmaster.pid'));
  if (text === null) return null;
  const [pid = '', folder = '', , port = ''] = text.split('\n');
  return { pid: Number.parseInt(pid, 10), folder, port: Number.parseInt(port, 10) };
}

/**
 * Removes a postmaster.pid whose process id now belongs to another program (usual after a container was killed), or that a
 * crash left empty. PostgreSQL would refuse to start because of either; it removes other leftovers itself.
 */
export async function removeForeignLock(place: Place): Promise<void> {
  const lock = await readLock(place);
  if (!lock || runsPostgres(lock.pid)) return;
  const path = join(place.cluster, 'postmaster.pid');
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const isForeign = Number.isNaN(lock.pid) ? age > 5000 : isAlive(lock.pid);
  if (isForeign) await rm(path, { force: true });
}

/** Returns the port of the last start, which PostgreSQL stores in postmaster.opts, or 0. */
export async function readPreviousPort(place: Place): Promise<number> {
  const options = (await readIfExists(join(place.cluster, 'postmaster.opts'))) ?? '';
  return Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0);
}

/**
 * Returns the size of the server's log before a start. Creates the file for PostgreSQL's user; renames one that is too large.
 */
export async function sizeOfLog(place: Place): Promise<number> {
  const before = statSync(place.logFile, { throwIfNoEntry: false });
  if (before && before.size > MAX_LOG_BYTES) await rename(place.logFile, `${place.logFile}.1`);
  const file = await open(place.logFile, 'a', 0o600);
  try {
    if (place.user) await file.chown(place.user.uid, place.user.gid);
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

/** Returns what the server has logged since its log was `size` bytes long. */
export async function readLogSince(place: Place, size: number): Promise<string> {
  return (await readFile(place.logFile)).subarray(size).toString('utf8');
}

/**
 * Describes a failure of PostgreSQL in one line, based on the last error in its output. `detail` is the end of the output.
 */
export function describeFailure(what: string, place: Place, output: string): EmbeddedDatabaseError {
  const detail = output.trim().slice(-DETAIL_LENGTH);
  const errors = [...output.matchAll(/(?:FATAL|PANIC|ERROR|error):\s+(.+)/g)].map((match) => match[1]);
  let reason = errors.at(-1) ?? detail.split('\n').at(-1) ?? 'no reason given';
  if (/No space left on device|Disk quota exceeded/.test(output)) reason = 'the disk is full, make room';
  if (/Read-only file system/.test(output)) reason = 'the file system is read-only, choose another DATA_DIR';
  const log = existsSync(place.logFile) ? ` (log: ${place.logFile})` : '';
  return new EmbeddedDatabaseError(`PostgreSQL ${what} in ${place.cluster}: ${reason}${log}.`, { detail });
}

async function createCluster(place: Place, programs: Programs): Promise<void> {
  await createPassword(place.passwordFile);
  const password = await createPassword(place.superuserPasswordFile);
  const temporary = temporaryName(place.cluster);
  const passwordCopy = `${temporary}.pw`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await writeFile(passwordCopy, password, { mode: 0o600, flag: 'wx' });
    if (place.user) {
      for (const path of [temporary, passwordCopy]) await chown(path, place.user.uid, place.user.gid);
    }
    const role = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordCopy}`];
    const settings = SETTINGS.map((setting) => `--set=${setting}`);
    const args = [`--pgdata=${temporary}`, ...LOCALE, ...role, ...settings];
    const { code, output } = await run(programs.initdb, args, place);
    if (code !== 0) throw describeFailure('could not create a database', place, output);
    await rename(temporary, place.cluster);
    await flushFolder(place.dir);
  } catch (error) {
    const alreadyExists = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
    if (!alreadyExists) throw error;
  } finally {
    await rm(passwordCopy, { force: true });
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Creates a password for this data folder, once; several processes that do so at the same time all get the same one. */
async function createPassword(passwordFile: string): Promise<string> {
  const temporary = temporaryName(passwordFile);
  try {
    await writeFile(temporary, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, passwordFile);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return await readPassword(passwordFile);
}

/** Makes a rename in this folder survive a power loss. Windows has no such call and does not need it. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
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
