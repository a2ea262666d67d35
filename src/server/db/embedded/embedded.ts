/**
 * The embedded PostgreSQL server of one data folder.
 * A cluster is created under a temporary name and renamed into place, so that one of several processes wins and none leaves half a
 * cluster. A lock that the server holds for as long as it runs (cluster-lock.ts) ensures that only one runs, even if containers share
 * the folder; the other processes connect to it. So any number of processes may start at the same time, and any of them may be killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  locateBinaries,
  type PostgresBinaries,
  removeLeftovers,
  removeOtherVersions,
  runProgram,
} from './binaries';
import { ensureCluster, postgresError, prepareLog, readLogSince, readPreviousPort } from './cluster';
import { tryToLockCluster } from './cluster-lock';
import { type DataFolder, findDataFolder, prepareDataFolder } from './data-folder';
import { EmbeddedDatabaseError, folderError } from './errors';
import { findFreePort } from './free-port';
import { isRunning, postmasterPidPath, readPostmasterPid, removeStalePostmasterPid } from './postmaster';
import { checkServer } from './server-state';
import { hasStopRequest, removeStopRequest, writeStopRequest } from './stop-request';

/** Crash recovery replays up to max_wal_size of log, which takes minutes on a slow disk. */
const START_TIMEOUT_SECONDS = 300;
const FIND_TIMEOUT_SECONDS = 15;
/** How long the cluster may be locked without a server that we see. One that has just been started or killed is seen or gone sooner. */
const LOCKED_TIMEOUT_SECONDS = 15;
const STOP_TIMEOUT_SECONDS = 60;
export interface EmbeddedDatabase {
  /** `postgresql://brickdesk:…@127.0.0.1:port/brickdesk?sslmode=disable`, which contains the password. */
  url: string;
  port: number;
  /** False if the server was already running. */
  isNewlyStarted: boolean;
  /**
   * Stops the server for everyone who uses it; does nothing if it is already stopped.
   * @throws EmbeddedDatabaseError if it has not stopped after a minute.
   */
  stop(): Promise<void>;
  /** Asks the last process that uses the server to stop it. */
  requestStop(): Promise<void>;
  /** Returns whether a process has called `requestStop` since the server was started. */
  isStopRequested(): boolean;
}

/**
 * Returns this data folder's server: the one that is already running, or one that is started now, after creating its cluster if
 * needed. It listens on 127.0.0.1 only, outlives this process, and does not receive Ctrl-C. Several processes may call this at
 * the same time.
 *
 * @param options.port the port to start it on. By default that of the last start, or a free one if that is in use
 * @param options.log receives each step
 * @param options.announce receives what the administrator should know even without a log: a line before the system user that
 * runs PostgreSQL is created, and one if that fails. By default they are written to stderr
 * @throws EmbeddedDatabaseError with one line for the administrator if the folder, the binaries or the cluster cannot be used
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
  port?: number;
  log?: (line: string) => void;
  announce?: (line: string) => void;
}): Promise<EmbeddedDatabase> {
  const log = options.log ?? (() => undefined);
  const announce = options.announce ?? ((line) => process.stderr.write(`${line}\n`));
  const dataFolder = await prepareDataFolder(options.dataDir, announce);
  const binaries = await locateBinaries(dataFolder, log);
  try {
    await removeLeftovers(dataFolder);
    await ensureCluster(dataFolder, binaries, log);
    const database = await startOrReuseServer(dataFolder, binaries, options.port, log);
    if (database.isNewlyStarted) await removeOtherVersions(dataFolder, binaries, log);
    return database;
  } catch (error) {
    throw folderError(error, dataFolder.dir);
  }
}

/**
 * Returns this data folder's server if it is running, otherwise null. For commands, which must not `stop()` a server that the
 * service may be using. Waits up to 15 seconds for a server that is starting or stopping, but never starts one.
 *
 * @throws EmbeddedDatabaseError if the folder cannot be read, or the server does not respond.
 */
export async function findRunningServer(dataDir: string): Promise<EmbeddedDatabase | null> {
  const dataFolder = findDataFolder(dataDir);
  if (!dataFolder) return null;
  const deadline = Date.now() + FIND_TIMEOUT_SECONDS * 1000;
  for (;;) {
    const state = await checkServer(dataFolder).catch((error: unknown) => {
      throw folderError(error, dataFolder.dir);
    });
    if (state.kind === 'absent') return null;
    if (state.kind === 'ready') return createEmbeddedDatabase(dataFolder, state, false);
    if (Date.now() > deadline) throw notRespondingError(dataFolder, state.reason);
    await sleep(100);
  }
}

async function startOrReuseServer(
  dataFolder: DataFolder,
  binaries: PostgresBinaries,
  requiredPort: number | undefined,
  log: (line: string) => void,
) {
  const deadline = Date.now() + START_TIMEOUT_SECONDS * 1000;
  let hasStarted = false;
  let failureCount = 0;
  let lockedSince: number | null = null;
  let lastReason = '';
  for (;;) {
    const state = await checkServer(dataFolder);
    if (state.kind === 'ready') {
      log(`PostgreSQL ${hasStarted ? 'started' : 'was already running'} on 127.0.0.1:${state.port}`);
      return createEmbeddedDatabase(dataFolder, state, hasStarted);
    }
    if (state.kind === 'absent') {
      const choosePort = async () =>
        requiredPort ?? (await findFreePort(failureCount === 0 ? await readPreviousPort(dataFolder) : 0));
      const start = await startServer(dataFolder, binaries, choosePort, log);
      hasStarted = start.outcome === 'started';
      if (start.outcome === 'locked') {
        lockedSince ??= Date.now();
        if (Date.now() - lockedSince > LOCKED_TIMEOUT_SECONDS * 1000) throw inUseElsewhereError(dataFolder);
      } else lockedSince = null;
      if (start.outcome === 'failed' && ++failureCount === 3)
        throw postgresError('did not start', dataFolder, start.output);
      if (!hasStarted) await sleep(200); // Another process may have been faster, or the port may just have been taken.
      continue;
    }
    lockedSince = null;
    if (Date.now() > deadline) throw notRespondingError(dataFolder, state.reason);
    if (state.reason !== lastReason) log(`waiting for PostgreSQL: ${state.reason}`);
    lastReason = state.reason;
    await sleep(100);
  }
}

type StartResult = { outcome: 'started' | 'locked' } | { outcome: 'failed'; output: string };

/** Starts the server and waits until it is ready, unless another process has locked the cluster. */
async function startServer(
  dataFolder: DataFolder,
  binaries: PostgresBinaries,
  choosePort: () => Promise<number>,
  log: (line: string) => void,
): Promise<StartResult> {
  const lock = await tryToLockCluster(dataFolder, log);
  if (!lock) return { outcome: 'locked' };
  try {
    await removeStalePostmasterPid(dataFolder);
    await removeStopRequest(dataFolder);
    const logSize = await prepareLog(dataFolder);
    const port = await choosePort();
    // pg_ctl passes these options to a shell, so they contain only constants and a number, not the folder's name.
    const serverOptions = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    const folderArgs = ['-D', 'postgres', '-l', 'postgres.log'];
    const args = ['start', '-w', '-t', String(START_TIMEOUT_SECONDS), ...folderArgs, '-o', serverOptions];
    const programOptions = { detached: true, inheritedFd: lock.file.fd };
    const { code, output } = await runProgram(binaries.pgCtl, args, dataFolder, programOptions);
    if (code === 0) return { outcome: 'started' };
    return { outcome: 'failed', output: `${output}\n${await readLogSince(dataFolder, logSize)}` };
  } finally {
    await lock.file.close();
  }
}

async function stopServer(dataFolder: DataFolder): Promise<void> {
  const postmaster = await readPostmasterPid(dataFolder);
  if (!postmaster || !isRunning(postmaster, dataFolder)) return;
  await removeStopRequest(dataFolder);
  const { pgCtl } = await locateBinaries(dataFolder, () => undefined);
  // Not "pg_ctl stop", which waits until the lock file is gone and so would also wait for a server that another process starts.
  const { output } = await runProgram(pgCtl, ['kill', 'INT', String(postmaster.pid)], dataFolder, {
    detached: true,
  });
  const deadline = Date.now() + STOP_TIMEOUT_SECONDS * 1000;
  while (isRunning(postmaster, dataFolder)) {
    if (Date.now() > deadline) throw postgresError('did not stop', dataFolder, output);
    await sleep(50);
  }
}

function createEmbeddedDatabase(
  dataFolder: DataFolder,
  state: { port: number; url: string },
  isNewlyStarted: boolean,
): EmbeddedDatabase {
  return {
    url: state.url,
    port: state.port,
    isNewlyStarted,
    stop: () => stopServer(dataFolder),
    requestStop: () => writeStopRequest(dataFolder),
    isStopRequested: () => hasStopRequest(dataFolder),
  };
}

function notRespondingError(dataFolder: DataFolder, reason: string): EmbeddedDatabaseError {
  const failure = `is running according to ${postmasterPidPath(dataFolder)} but does not respond`;
  return postgresError(failure, dataFolder, `FATAL: ${reason}`);
}

function inUseElsewhereError(dataFolder: DataFolder): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `The database in ${dataFolder.cluster} is in use by a PostgreSQL server that this process cannot see, such as one in another container: run commands in that container (docker exec), or stop it before another one uses this folder.`,
  );
}
