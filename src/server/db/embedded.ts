/**
 * The embedded PostgreSQL server of one data folder.
 *
 * There is no lock of our own. A cluster is made under another name and renamed into place, so of several makers one
 * wins and none leaves half a cluster; PostgreSQL's own postmaster.pid sees to it that one server runs; and whoever
 * did not start it connects to it. So any number of processes may start at once, and any of them may be killed.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAlive, locatePrograms, type Programs, removeLeftovers, run, temporaryName } from './embedded-binaries';
import * as places from './embedded-place';
import { codeOf, EmbeddedDatabaseError, type Place } from './embedded-place';

export { EmbeddedDatabaseError, resolveDataDir } from './embedded-place';

/** The name of the role, a superuser of this server, and of the database. */
const NAME = 'brickdesk';
/** Crash recovery replays up to max_wal_size of log, which a slow disk needs minutes for. */
const START_SECONDS = 300;
const FIND_SECONDS = 15;
const STOP_SECONDS = 60;
const LARGEST_LOG = 10 * 1024 * 1024;

/** Written into postgresql.conf once, where the operator may change them. */
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

export interface EmbeddedDatabase {
  /** `postgresql://brickdesk:…@127.0.0.1:port/brickdesk`: holds the password. */
  url: string;
  port: number;
  /** False where a server that was already running is used. */
  started: boolean;
  /**
   * Stops the server for everyone who uses it; does nothing where it is already stopped.
   * @throws EmbeddedDatabaseError where it has not stopped after a minute.
   */
  stop(): Promise<void>;
}

/** What there is to see of a folder's server: none, one that cannot be talked to yet or any more, or one in use. */
type Seen = { is: 'absent' } | { is: 'busy'; why: string } | { is: 'ready'; port: number; url: string };

/**
 * The running server of this data folder, with its database: the one that already runs, or else a new one, which is
 * made first where there is none. It listens on 127.0.0.1 only, outlives this process, and is not reached by Ctrl-C.
 * Safe to call in several processes at once.
 *
 * @throws EmbeddedDatabaseError with one line for the operator where the folder, the programs or the cluster in it
 *   cannot be used; what PostgreSQL said about it is in `detail`.
 */
export async function startEmbedded(options: {
  dataDir: string;
  log?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const place = await places.preparePlace(options.dataDir);
  const programs = await locatePrograms(place, log);
  try {
    await removeLeftovers(place);
    if (!existsSync(join(place.cluster, 'PG_VERSION'))) await makeCluster(place, programs, log);
    await refuseOtherVersion(place, programs);
    return await startOrReuse(place, programs, log);
  } catch (error) {
    throw places.folderError(error, place.dir);
  }
}

/**
 * The server of this data folder if it runs now, else null; for commands that are used while the service runs, which
 * must not `stop()` it. Waits some seconds for one that is starting or stopping, and starts none.
 *
 * @throws EmbeddedDatabaseError where the folder cannot be read, or the server cannot be talked to.
 */
export async function findRunning(dataDir: string): Promise<EmbeddedDatabase | null> {
  const place = places.existingPlace(dataDir);
  if (!place) return null;
  const deadline = Date.now() + FIND_SECONDS * 1000;
  for (;;) {
    const seen = await observe(place);
    if (seen.is === 'absent') return null;
    if (seen.is === 'ready') return handle(place, seen, false);
    if (Date.now() > deadline) throw notTalking(place, seen.why);
    await sleep(100);
  }
}

async function startOrReuse(place: Place, programs: Programs, log: (line: string) => void) {
  const deadline = Date.now() + START_SECONDS * 1000;
  let started = false;
  let failures = 0;
  let waitingFor = '';
  for (;;) {
    const seen = await observe(place);
    if (seen.is === 'ready') {
      log(`PostgreSQL ${started ? 'started' : 'was already running'} on 127.0.0.1:${seen.port}`);
      return handle(place, seen, started);
    }
    if (seen.is === 'absent') {
      const complaint = await start(place, programs, failures === 0);
      started = complaint === null;
      if (complaint !== null && ++failures === 3) throw failed('did not start', place, complaint);
      if (!started) await sleep(200); // another process may have been faster, or the port was taken just now
      continue;
    }
    if (Date.now() > deadline) throw notTalking(place, seen.why);
    if (seen.why !== waitingFor) log(`waiting for PostgreSQL: ${seen.why}`);
    waitingFor = seen.why;
    await sleep(100);
  }
}

/** Starts the server and waits until it is ready; returns what was said about it where it was not. */
async function start(place: Place, programs: Programs, tryPreviousPort: boolean): Promise<string | null> {
  await removeForeignLock(place);
  await prepareLog(place);
  const logged = statSync(place.logFile).size;
  const port = await freePort(tryPreviousPort ? await previousPort(place) : 0);
  // pg_ctl hands these words to a shell: they are constants and a number, and the folder's name is not among them.
  const own = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  const how = ['start', '-w', '-t', String(START_SECONDS), '-D', 'postgres', '-l', 'postgres.log', '-o', own];
  const { code, output } = await run(programs.pgCtl, how, place, { detached: true });
  if (code === 0) return null;
  const log = await readFile(place.logFile);
  return `${output}\n${log.subarray(logged).toString('utf8')}`;
}

async function makeCluster(place: Place, programs: Programs, log: (line: string) => void): Promise<void> {
  if (existsSync(place.cluster) && (await readdir(place.cluster)).length > 0) {
    throw new EmbeddedDatabaseError(
      `${place.cluster} is not empty and is no PostgreSQL database (it has no PG_VERSION): move it away or choose another DATA_DIR.`,
    );
  }
  log(`creating the database in ${place.cluster}`);
  const password = await makePassword(place);
  const temporary = temporaryName(place.cluster);
  const passwordCopy = `${temporary}.pw`;
  try {
    await mkdir(temporary, { mode: 0o700 });
    await writeFile(passwordCopy, password, { mode: 0o600, flag: 'wx' });
    if (place.user) {
      for (const path of [temporary, passwordCopy]) await chown(path, place.user.uid, place.user.gid);
    }
    // The built-in locale is the same on every machine, whatever locales the system has.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const role = [`--username=${NAME}`, '--auth=scram-sha-256', `--pwfile=${passwordCopy}`];
    const settings = SETTINGS.map((setting) => `--set=${setting}`);
    const args = [`--pgdata=${temporary}`, ...locale, ...role, ...settings];
    const { code, output } = await run(programs.initdb, args, place);
    if (code !== 0) throw failed('could not make a database', place, output);
    await rename(temporary, place.cluster);
    await flush(place.dir);
  } catch (error) {
    const wasMadeByAnother = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));
    if (!wasMadeByAnother) throw error;
  } finally {
    await rm(passwordCopy, { force: true });
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The password of this data folder, made once: of several makers all get the same. */
async function makePassword(place: Place): Promise<string> {
  const temporary = temporaryName(place.passwordFile);
  try {
    await writeFile(temporary, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, place.passwordFile);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return await readPassword(place);
}

async function readPassword(place: Place): Promise<string> {
  try {
    return (await readFile(place.passwordFile, 'utf8')).trim();
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `The password of the database cannot be read from ${place.passwordFile} (${codeOf(cause)}): put that file back from a backup, or run this as the user that the service runs as.`,
      { cause },
    );
  }
}
