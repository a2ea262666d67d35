import path from 'node:path';
import { type Config, ConfigError, loadConfig } from '../config/config';
import { createLog, type Log } from '../core/log';
import { ignoreOutputErrors, openStandardOutput } from '../core/standard-output';
import { EmbeddedDatabaseError, resolveDataDir, startEmbeddedDatabase } from '../db/embedded';
import { connectToExternalDatabase, explainRefusedStatement, toOpenError } from '../db/external-database';
import { type HeldServer, holdServer } from '../db/hold/hold';
import { migrate } from '../db/migration/migrate';
import { isDatabaseUnavailable } from '../db/unavailable';
import type { PageRenderer } from '../http/server/dispatch';
import { type ReservedPort, reservePort } from '../http/server/listening';
import { ensureFirstOwner, type FirstOwner } from '../identity/users/service';
import { type RunningApp, startApp } from './app';
import { backupFolderOf } from './backup-folder';
import { PRISMA_DIR, VERSION } from './project';
import { seedReferenceData } from './reference-data';
import { loadOrCreateSecret } from './secret';
import { type CommandEnvironment, firstStartText, startedText } from './start-text';

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

interface OpenedDatabase {
  url: string;
  secret: string;
  dataLocation: string;
  /** Null for an external database. */
  embeddedServer: HeldServer | null;
}

/** @param onLoss is called if the embedded PostgreSQL ends while the service runs and cannot be started again */
async function openDatabaseFor(
  config: Config,
  log: Log,
  onLoss: (error: unknown) => void,
): Promise<OpenedDatabase> {
  if (config.DATABASE_URL) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    const dataLocation = `PostgreSQL at ${host}${pathname}`;
    const client = await connectToExternalDatabase(config.DATABASE_URL);
    await client.end();
    return { url: config.DATABASE_URL, secret: config.NEXTAUTH_SECRET!, dataLocation, embeddedServer: null };
  }
  const { dir, isFallback } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  if (isFallback)
    printLine(
      `PostgreSQL cannot run as root and its user cannot reach this folder, so the data is stored in ${dir}.`,
    );
  const embeddedServer = await holdServer(
    (port) =>
      startEmbeddedDatabase({
        dataDir: dir,
        port,
        log: (line) => log.debug({ line }, 'embedded database'),
        announce: printLine,
      }),
    {
      onLost: () => log.warn('the embedded PostgreSQL has ended or restarted; waiting for it or starting it'),
      onRegained: () => log.warn('the embedded PostgreSQL is running again'),
      onFailed: onLoss,
    },
  );
  const secret = config.NEXTAUTH_SECRET ?? (await loadOrCreateSecret(dir));
  return {
    url: embeddedServer.url,
    secret,
    dataLocation: `embedded PostgreSQL, data in ${dir}`,
    embeddedServer,
  };
}

async function migrateOrExplain({ url, embeddedServer }: OpenedDatabase, log: Log): Promise<string[]> {
  try {
    return await migrate(url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR), {
      onWait: printLine,
      onNewer: (migrations) =>
        log.warn({ migrations }, 'the database was migrated by a newer version than this one'),
    });
  } catch (error) {
    if (embeddedServer || !isDatabaseUnavailable(error)) throw error;
    throw explainRefusedStatement(error) === null ? toOpenError(url, error) : error;
  }
}

/**
 * Starts the database and the pages, then the HTTP server. A signal at any time stops them in reverse order and ends the
 * process. If the service fails to start, the PostgreSQL server that was started for it is stopped, unless another process uses it.
 * If that server ends while the service runs and cannot be started again, the process ends with an error, so that whatever
 * supervises it notices.
 */
async function serve(loadedConfig: Config, log: Log, openPages: OpenPages, onReady: OnReady): Promise<void> {
  const { config, reservedPort } = await resolvePort(loadedConfig);
  const databasePromise = openDatabaseFor(config, log, (error) => {
    process.stderr.write(`PostgreSQL has ended and cannot be started again.\n${explainError(error)}\n`);
    void stop(1);
  });
  let app: RunningApp | undefined;
  let shutdownPromise: Promise<void> | undefined;
  const stop = (exitCode: 0 | 1) => {
    shutdownPromise ??= (async () => {
      printLine('Stopping: running requests finish first.');
      await app?.stop();
      const database = await databasePromise.catch(() => null);
      await database?.embeddedServer?.releaseAndStop();
      printLine('Stopped.');
      process.exit(exitCode);
    })().catch((error: unknown) => {
      process.stderr.write(`${explainError(error)}\n`);
      process.exit(1);
    });
    return shutdownPromise;
  };
  // Ctrl-C arrives twice, from the terminal and from npm; the second must not interrupt the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  try {
    const [database, pages] = await Promise.all([databasePromise, openPages(config)]);
    const appliedMigrations = await migrateOrExplain(database, log);
    if (appliedMigrations.length > 0) log.info({ applied: appliedMigrations }, 'migrations applied');
    app = await startApp({
      config,
      reservedPort,
      databaseUrl: database.url,
      secret: database.secret,
      backupFolder: backupFolderOf(config),
      log,
      pages,
    });
    const owner = await ensureFirstOwner(app.services.db, {
      email: config.ADMIN_EMAIL,
      password: config.ADMIN_PASSWORD,
    });
    const { APP_URL: appUrl, ADMIN_PREFIX: adminPrefix } = config;
    const commands = {
      dataDir: config.DATA_DIR && path.resolve(config.DATA_DIR),
      isExternalDatabase: database.embeddedServer === null,
      appUrl: appUrl === loadConfig({}).APP_URL ? undefined : appUrl,
    };
    await onReady({ app, owner, appUrl, adminPrefix, dataLocation: database.dataLocation, commands });
  } catch (error) {
    // A signal during the start closes what the start depends on, so later errors do not matter.
    if (shutdownPromise) return shutdownPromise;
    await app?.stop();
    const database = await databasePromise.catch(() => null);
    await database?.embeddedServer?.release();
    throw error;
  }
}

/**
 * If PORT is 0, reserves a free port before anything else, because the default APP_URL contains it, and links and the issuer of
 * tokens contain that URL.
 */
async function resolvePort(config: Config): Promise<{ config: Config; reservedPort?: ReservedPort }> {
  if (config.PORT !== 0) return { config };
  const reservedPort = await reservePort(config.HOST);
  const PORT = reservedPort.port;
  const APP_URL = config.APP_URL === 'http://localhost:0' ? `http://localhost:${PORT}` : config.APP_URL;
  return { config: { ...config, PORT, APP_URL }, reservedPort };
}

function explainError(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not valid.\n${error.message}`;
  if (error instanceof EmbeddedDatabaseError)
    return error.detail ? `${error.message}\n${error.detail}` : error.message;
  return (
    explainRefusedStatement(error) ??
    (error instanceof Error ? error.message || String(error) : String(error))
  );
}

/** Opens the page renderer; returns null if no pages are served. */
type OpenPages = (config: Config) => Promise<PageRenderer | null>;

/** A service that has started. */
export interface StartedService {
  app: RunningApp;
  /** Null if there were already users. */
  owner: FirstOwner | null;
  appUrl: string;
  /** The path of the back office, such as `/admin`. */
  adminPrefix: string;
  /** Where the data is, for the start message. */
  dataLocation: string;
  /** The environment variables with which commands use the same data. */
  commands: CommandEnvironment;
}

/** Called when the service has started, to print the start message. */
type OnReady = (service: StartedService) => Promise<void>;

async function printStartText({ owner, ...service }: StartedService): Promise<void> {
  if (owner) printLine(firstStartText(owner, service));
  printLine(startedText({ version: VERSION, ...service }));
}

interface RunOptions {
  /** Replaces the process's own environment. */
  env?: Record<string, string | undefined>;
  /** Replaces the default start message. */
  onReady?: OnReady;
}

/** Runs the service's process: reads the environment, serves until a signal arrives, and reports failures. */
export async function run(
  openPages: OpenPages,
  { env, onReady = printStartText }: RunOptions = {},
): Promise<void> {
  ignoreOutputErrors();
  try {
    const config = loadConfig(env);
    await serve(config, createLog(config.LOG_LEVEL, openStandardOutput()), openPages, onReady);
  } catch (error) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exit(1);
  }
}
