import path from 'node:path';
import { type Config, ConfigError, loadConfig } from '../config';
import { createLog, type Log, standardOutput } from '../core/log';
import { EmbeddedDatabaseError, resolveDataDir } from '../db/embedded/data-folder';
import { startEmbedded } from '../db/embedded/embedded';
import { type HeldServer, holdServer } from '../db/embedded/hold';
import { migrate } from '../db/migration/migrate';
import { isDatabaseUnavailable } from '../db/unavailable';
import { type ReservedPort, reservePort } from '../http/listening';
import type { Pages } from '../http/server';
import { ensureFirstOwner, type FirstOwner } from '../identity/users/service';
import { type RunningApp, startApp } from './app';
import { backupFolder } from './backup-folder';
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
  where: string;
  /** Null for an external database. */
  embedded: HeldServer | null;
}

async function openDatabaseFor(config: Config, log: Log): Promise<OpenedDatabase> {
  if (config.DATABASE_URL) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    const where = `PostgreSQL at ${host}${pathname}`;
    return { url: config.DATABASE_URL, secret: config.NEXTAUTH_SECRET!, where, embedded: null };
  }
  const { dir, moved } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  if (moved)
    printLine(
      `PostgreSQL cannot run as root and its user cannot reach this folder, so the data is stored in ${dir}.`,
    );
  const embedded = await holdServer(() =>
    startEmbedded({ dataDir: dir, log: (line) => log.debug({ line }, 'embedded database') }),
  );
  const secret = config.NEXTAUTH_SECRET ?? (await loadOrCreateSecret(dir));
  return { url: embedded.database.url, secret, where: `embedded PostgreSQL, data in ${dir}`, embedded };
}

async function migrateOrExplain({ url, where, embedded }: OpenedDatabase): Promise<string[]> {
  try {
    return await migrate(url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR));
  } catch (error) {
    if (embedded || !isDatabaseUnavailable(error)) throw error;
    const reasons = error instanceof AggregateError ? error.errors : [error];
    const reason = reasons.map((error) => (error as Error).message).join(', ');
    throw new Error(`DATABASE_URL: ${where} cannot be reached: ${reason}`, { cause: error });
  }
}

/**
 * Starts the database and the pages, then the HTTP server. A signal at any time stops them in reverse order and ends the
 * process. If the service fails to start, the PostgreSQL server that was started for it is stopped.
 */
async function serve(settings: Config, log: Log, openPages: OpenPages, onReady: OnReady): Promise<void> {
  const { config, reserved } = await withPort(settings);
  const opening = openDatabaseFor(config, log);
  let app: RunningApp | undefined;
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      printLine('Stopping: running requests finish first.');
      await app?.stop();
      const database = await opening.catch(() => null);
      await database?.embedded?.releaseAndStop();
      printLine('Stopped.');
      process.exit(0);
    })().catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    });
    return stopping;
  };
  // Ctrl-C arrives twice, from the terminal and from npm; the second must not interrupt the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  try {
    const [database, pages] = await Promise.all([opening, openPages(config)]);
    const applied = await migrateOrExplain(database);
    if (applied.length > 0) log.info({ applied }, 'migrations applied');
    app = await startApp({
      config,
      reserved,
      databaseUrl: database.url,
      secret: database.secret,
      backupFolder: backupFolder(config),
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
      isExternalDatabase: database.embedded === null,
    };
    await onReady({ app, owner, appUrl, adminPrefix, where: database.where, commands });
  } catch (error) {
    // A signal during the start closes what the start depends on, so later errors do not matter.
    if (stopping) return stopping;
    await app?.stop();
    const database = await opening.catch(() => null);
    await database?.embedded?.release();
    throw error;
  }
}

/**
 * If PORT is 0, reserves a free port before anything else, because the default APP_URL contains it, and links and the issuer of
 * tokens contain that URL.
 */
async function withPort(config: Config): Promise<{ config: Config; reserved?: ReservedPort }> {
  if (config.PORT !== 0) return { config };
  const reserved = await reservePort(config.HOST);
  const PORT = reserved.port;
  const APP_URL = config.APP_URL === 'http://localhost:0' ? `http://localhost:${PORT}` : config.APP_URL;
  return { config: { ...config, PORT, APP_URL }, reserved };
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return `The configuration is not valid.\n${error.message}`;
  if (error instanceof EmbeddedDatabaseError)
    return error.detail ? `${error.message}\n${error.detail}` : error.message;
  return error instanceof Error ? error.message || String(error) : String(error);
}

/** Opens the page renderer; returns null if no pages are served. */
type OpenPages = (config: Config) => Promise<Pages | null>;

/** A service that has started. */
export interface StartedService {
  app: RunningApp;
  /** Null if there were already users. */
  owner: FirstOwner | null;
  appUrl: string;
  /** The path of the back office, such as `/admin`. */
  adminPrefix: string;
  /** Where the data is, for the start message. */
  where: string;
  /** What commands need to work on the same data. */
  commands: CommandEnvironment;
}

/** Called when the service has started, to print the start message. */
type OnReady = (started: StartedService) => Promise<void>;

async function printStart({ owner, ...service }: StartedService): Promise<void> {
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
  { env, onReady = printStart }: RunOptions = {},
): Promise<void> {
  try {
    const config = loadConfig(env);
    await serve(config, createLog(config.LOG_LEVEL, standardOutput()), openPages, onReady);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}
