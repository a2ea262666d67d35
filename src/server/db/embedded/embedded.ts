/**
 * The embedded PostgreSQL server of one data folder.
 * Starting it takes no lock of our own. A cluster is created under a temporary name and renamed
 * into place, so that one of several processes wins and none leaves half a cluster. PostgreSQL's own postmaster.pid ensures that
 * only one server runs; the other processes connect to it. So any number of processes may start at the same time, and any of them
 * may be killed.
 */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  isPostgresProcess,
  locateBinaries,
  type PostgresBinaries,
  removeLeftovers,
  runProgram,
} from './binaries';
import {
  ensureCluster,
  postgresError,
  prepareLog,
  ROLE,
  readLogSince,
  readPassword,
  readPostmasterPid,
  readPreviousPort,
  removeStalePostmasterPid,
  SUPERUSER,
} from './cluster';
import {
  codeOf,
  type DataFolder,
  EmbeddedDatabaseError,
  findDataFolder,
  folderError,
  prepareDataFolder,
} from './data-folder';

const DATABASE = 'brickdesk';
/** Crash recovery replays up to max_wal_size of log, which takes minutes on a slow disk. */
const START_TIMEOUT_SECONDS = 300;
const FIND_TIMEOUT_SECONDS = 15;
const STOP_TIMEOUT_SECONDS = 60;
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

export interface EmbeddedDatabase {
  /** `postgresql://brickdesk:…@127.0.0.1:port/brickdesk`, which contains the password. */
  url: string;
  port: number;
  /** False if the server was already running. */
  isNewlyStarted: boolean;
  /**
   * Stops the server for everyone who uses it; does nothing if it is already stopped.
   * @throws EmbeddedDatabaseError if it has not stopped after a minute.
   */
  stop(): Promise<void>;
}

/** The state of a folder's server: absent, busy (starting or stopping), or ready. */
type ServerState =
  | { kind: 'absent' }
  | { kind: 'busy'; reason: string }
  | { kind: 'ready'; port: number; url: string };

/**
 * Returns this data folder's server: the one that is already running, or one that is started now, after creating its cluster if
 * needed. It listens on 127.0.0.1 only, outlives this process, and does not receive Ctrl-C. Several processes may call this at
 * the same time.
 *
 * @param options.log receives each step
 * @param options.announce receives what the administrator should know even without a log: a line before the system user that
 * runs PostgreSQL is created, and one if that fails. By default they are written to stderr
 * @throws EmbeddedDatabaseError with one line for the administrator if the folder, the binaries or the cluster cannot be used
 */
export async function startEmbeddedDatabase(options: {
  dataDir: string;
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
    return await startOrReuseServer(dataFolder, binaries, log);
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
  log: (line: string) => void,
) {
  const deadline = Date.now() + START_TIMEOUT_SECONDS * 1000;
  let hasStarted = false;
  let failureCount = 0;
  let lastReason = '';
  for (;;) {
    const state = await checkServer(dataFolder);
    if (state.kind === 'ready') {
      log(`PostgreSQL ${hasStarted ? 'started' : 'was already running'} on 127.0.0.1:${state.port}`);
      return createEmbeddedDatabase(dataFolder, state, hasStarted);
    }
    if (state.kind === 'absent') {
      const failureOutput = await startServer(dataFolder, binaries, failureCount === 0);
      hasStarted = failureOutput === null;
      if (failureOutput !== null && ++failureCount === 3)
        throw postgresError('did not start', dataFolder, failureOutput);
      if (!hasStarted) await sleep(200); // Another process may have been faster, or the port may just have been taken.
      continue;
    }
    if (Date.now() > deadline) throw notRespondingError(dataFolder, state.reason);
    if (state.reason !== lastReason) log(`waiting for PostgreSQL: ${state.reason}`);
    lastReason = state.reason;
    await sleep(100);
  }
}

/** Starts the server and waits until it is ready. Returns null, or the server's output if it did not start. */
async function startServer(
  dataFolder: DataFolder,
  binaries: PostgresBinaries,
  shouldTryPreviousPort: boolean,
): Promise<string | null> {
  await removeStalePostmasterPid(dataFolder);
  const logSize = await prepareLog(dataFolder);
  const port = await findFreePort(shouldTryPreviousPort ? await readPreviousPort(dataFolder) : 0);
  // pg_ctl passes these options to a shell, so they contain only constants and a number, not the folder's name.
  const serverOptions = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  const args = [
    'start',
    '-w',
    '-t',
    String(START_TIMEOUT_SECONDS),
    '-D',
    'postgres',
    '-l',
    'postgres.log',
    '-o',
    serverOptions,
  ];
  const { code, output } = await runProgram(binaries.pgCtl, args, dataFolder, { detached: true });
  return code === 0 ? null : `${output}\n${await readLogSince(dataFolder, logSize)}`;
}

async function stopServer(dataFolder: DataFolder): Promise<void> {
  const postmaster = await readPostmasterPid(dataFolder);
  if (!postmaster || !isPostgresProcess(postmaster.pid)) return;
  const { pgCtl } = await locateBinaries(dataFolder, () => undefined);
  // Not "pg_ctl stop", which waits until the lock file is gone and so would also wait for a server that another process starts.
  const { output } = await runProgram(pgCtl, ['kill', 'INT', String(postmaster.pid)], dataFolder, {
    detached: true,
  });
  const deadline = Date.now() + STOP_TIMEOUT_SECONDS * 1000;
  while (isPostgresProcess(postmaster.pid)) {
    if (Date.now() > deadline) throw postgresError('did not stop', dataFolder, output);
    await sleep(50);
  }
}

/** Returns the state of the folder's server. If it runs without the database, as at the first start, creates the database. */
async function checkServer(dataFolder: DataFolder): Promise<ServerState> {
  const postmaster = await readPostmasterPid(dataFolder);
  if (!postmaster || !isPostgresProcess(postmaster.pid)) return { kind: 'absent' };
  if (postmaster.folder.normalize() !== dataFolder.cluster.normalize()) {
    throw new EmbeddedDatabaseError(
      `${dataFolder.cluster}/postmaster.pid belongs to the running server of ${postmaster.folder} (process ${postmaster.pid}): stop that one, or remove the file if this folder is a copy.`,
    );
  }
  const password = await readPassword(dataFolder.passwordFile);
  try {
    await ensureDatabase(postmaster.port, password, dataFolder);
    const url = `postgresql://${ROLE}:${encodeURIComponent(password)}@127.0.0.1:${postmaster.port}/${DATABASE}`;
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

/** Connects as the service will. If the role or the database is missing, as at the first start, creates them first. */
async function ensureDatabase(port: number, password: string, dataFolder: DataFolder): Promise<void> {
  const connect = () => withConnection(port, ROLE, password, DATABASE, (client) => client.query('SELECT 1'));
  try {
    await connect();
  } catch (error) {
    // PostgreSQL reports a missing role as a wrong password.
    if (!['28P01', '3D000'].includes(codeOf(error))) throw error;
    await createDatabase(port, password, dataFolder);
    await connect();
  }
}

/**
 * As the superuser, creates the role, its database and the extension that searches need, unless they exist. The role has no
 * privileges beyond owning the database, which is enough for migrations and for the schema of the background jobs.
 */
async function createDatabase(port: number, password: string, dataFolder: DataFolder): Promise<void> {
  const superuserPassword = await readPassword(dataFolder.superuserPasswordFile);
  await withConnection(port, SUPERUSER, superuserPassword, 'postgres', async (client) => {
    const roles = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [ROLE]);
    if (roles.rowCount === 0)
      await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
    const databases = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (databases.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  });
  await withConnection(port, SUPERUSER, superuserPassword, DATABASE, (client) =>
    client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm'),
  );
}

/** Runs `work` on a connection of its own, and closes it. */
async function withConnection(
  port: number,
  user: string,
  password: string,
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const settings = { host: '127.0.0.1', port, user, password, database, ssl: false };
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined); // A connection that breaks later also fails the query in progress.
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

function createEmbeddedDatabase(
  dataFolder: DataFolder,
  state: { port: number; url: string },
  isNewlyStarted: boolean,
): EmbeddedDatabase {
  return { url: state.url, port: state.port, isNewlyStarted, stop: () => stopServer(dataFolder) };
}

/** Returns `preferredPort` if it is free, otherwise a free one that the system chooses. */
async function findFreePort(preferredPort: number): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.once('error', () => resolve(0));
    server.listen(preferredPort, '127.0.0.1', () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (port === 0 && preferredPort === 0) throw new EmbeddedDatabaseError('No TCP port of 127.0.0.1 is free.');
  return port === 0 ? await findFreePort(0) : port;
}

function notRespondingError(dataFolder: DataFolder, reason: string): EmbeddedDatabaseError {
  return postgresError('is running but does not respond', dataFolder, `FATAL: ${reason}`);
}
