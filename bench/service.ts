import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { startEmbeddedDatabase } from '../src/server/db/embedded';
import { apiKeys } from '../src/server/identity/secret-token';
import { closeConnections } from './http-client';

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
const SEARCHABLE_TIMEOUT_MS = 60_000;
/** The tables that the measurements fill. */
const WRITTEN_TABLES = [
  'orders',
  'order_items',
  'imports',
  'import_changes',
  'products',
  'shop_daily_statistics',
  'statistic_restatements',
  'shipments',
  'tracking_numbers',
  'tracking_number_shops',
  'tracking_events',
  'inbound_records',
];
const ROOT = path.resolve(import.meta.dirname, '..');

/** Everything the benchmark runs on. */
export interface Service {
  databaseUrl: string;
  port: number;
  child: ChildProcess;
  key: string;
  /** The service's NEXTAUTH_SECRET. */
  secret: string;
  /** The bench's own connection, for work that is not measured. */
  db: pg.Client;
  /** Creates an empty shop. Returns its id. */
  createShop(): Promise<number>;
  /**
   * Waits until imports are searchable, vacuums and analyzes the tables and forces a checkpoint, so that no measurement is slowed
   * down by the one before. Also closes the HTTP connections, which the service would close after a minute without requests.
   */
  prepareMeasurement(): Promise<void>;
}

/** The steps that stop or delete something at the end, to be run in reverse order. */
export type CleanupSteps = (() => Promise<unknown>)[];

/** Stops a child process: with SIGTERM, then with SIGKILL if it takes too long. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exitPromise;
  clearTimeout(killTimer);
}

async function startServer(
  dir: string,
  databaseUrl: string,
  secret: string,
  cleanupSteps: CleanupSteps,
): Promise<[ChildProcess, number]> {
  const logFile = path.join(dir, 'service.log');
  const log = await open(logFile, 'w');
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(path.join(ROOT, 'bench', 'probe.mjs')).href,
      path.join(ROOT, 'dist', 'main.js'),
    ],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: 'production',
        PORT: '0',
        DATABASE_URL: databaseUrl,
        NEXTAUTH_SECRET: secret,
        RATE_LIMIT_PER_MINUTE: '10000000',
        UNAUTHENTICATED_LIMIT_PER_MINUTE: '10000000',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    },
  );
  cleanupSteps.push(() => endChild(child));
  await log.close();
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const output = await readFile(logFile, 'utf8');
    const port = /Service\s+http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (port) return [child, Number(port)];
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The service did not start:\n${output}`);
    await sleep(50);
  }
}

/** Waits for the indexing that the service does a second after an import, which would slow down the next measurement. */
async function waitUntilSearchable(db: pg.Client): Promise<void> {
  const deadline = Date.now() + SEARCHABLE_TIMEOUT_MS;
  for (;;) {
    const { rowCount } = await db.query('SELECT FROM imports WHERE NOT searchable LIMIT 1');
    if (rowCount === 0) return;
    if (Date.now() > deadline) throw new Error('Imports were not made searchable in time.');
    await sleep(50);
  }
}

/** Connects as the superuser of an embedded server, for what the service's role may not do. */
async function connectSuperuser(databaseUrl: string, dataDir: string): Promise<pg.Client> {
  const url = new URL(databaseUrl);
  url.username = 'postgres';
  url.password = await readFile(path.join(dataDir, 'database-superuser-password'), 'utf8');
  const superuser = new pg.Client({ connectionString: url.href });
  await superuser.connect();
  return superuser;
}

/** Starts a new database in a temporary folder, and the built service in a separate process. */
export async function startService(cleanupSteps: CleanupSteps): Promise<Service> {
  const dir = await mkdtemp(path.join(tmpdir(), 'brickdesk-bench-'));
  cleanupSteps.push(() => rm(dir, { recursive: true, force: true }));
  // If root runs this, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(dir, 0o755);
  const dataDir = path.join(dir, 'data');
  const embeddedServer = await startEmbeddedDatabase({ dataDir });
  cleanupSteps.push(() => embeddedServer.stop());
  const secret = randomBytes(36).toString('base64');
  const [child, port] = await startServer(dir, embeddedServer.url, secret, cleanupSteps);
  const db = new pg.Client({ connectionString: embeddedServer.url, application_name: 'bench' });
  await db.connect();
  cleanupSteps.push(() => db.end());
  const superuser = await connectSuperuser(embeddedServer.url, dataDir);
  cleanupSteps.push(() => superuser.end());
  const apiKey = apiKeys.generate();
  await db.query(
    `INSERT INTO api_keys (name, hash, prefix, last_four, created_by) VALUES ('bench', $1, $2, $3, 'bench')`,
    [apiKey.hash, apiKey.prefix, apiKey.lastFour],
  );
  let shopCount = 0;
  return {
    databaseUrl: embeddedServer.url,
    port,
    child,
    key: apiKey.secret,
    secret,
    db,
    async createShop() {
      const name = `Bench shop ${++shopCount}`;
      const { rows } = await db.query<{ id: number }>('INSERT INTO shops (name) VALUES ($1) RETURNING id', [
        name,
      ]);
      return rows[0]!.id;
    },
    async prepareMeasurement() {
      await waitUntilSearchable(db);
      await db.query(`VACUUM (ANALYZE) ${WRITTEN_TABLES.join()}`);
      await superuser.query('CHECKPOINT');
      closeConnections();
    },
  };
}
