import { userInfo } from 'node:os';
import pg from 'pg';
import type { Actor } from '../audit/service';
import { type Config, loadConfig } from '../config';
import { createLog, type Log } from '../core/log';
import { createSecretBox, type SecretBox } from '../core/secret-box';
import { type Database, openDatabase } from '../db/client';
import { findRunningServer, resolveDataDir, startEmbeddedDatabase } from '../db/embedded';
import { holdServer } from '../db/hold/hold';
import { listShippedMigrations, migrate, readMigrationStatus } from '../db/migration/migrate';
import { PRISMA_DIR } from '../runtime/project';
import { seedReferenceData } from '../runtime/reference-data';
import { loadOrCreateSecret } from '../runtime/secret';
import type { Services } from '../trpc/context';
import { CLI_COMMAND } from './options';
import { CommandError, printNotice } from './output';

/** Returns the secret that the service uses: the configured one, or else the one in the data folder. Creates it if missing. */
async function readOrCreateSecret(config: Config): Promise<string> {
  if (config.NEXTAUTH_SECRET !== undefined) return config.NEXTAUTH_SECRET;
  return loadOrCreateSecret(resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() }).dir);
}

/** A database for a command, with an open connection. */
export interface OpenDatabase {
  config: Config;
  url: string;
  client: pg.Client;
  isEmbedded: boolean;
  /** The deployment's secret. */
  secret: string;
}

/** What a command works with. The database is migrated. */
interface CommandContext {
  config: Config;
  db: Database;
  log: Log;
  secrets: SecretBox;
  /** On whose behalf the command runs. */
  actor: Actor;
}

/** Returns the user who runs the command, for the audit log and the import history. */
function readCommandActor(): Actor {
  let userName: string;
  try {
    userName = userInfo().username;
  } catch {
    // A container's user may have no name.
    userName = String(process.getuid?.() ?? 'unknown');
  }
  return { kind: 'command', name: `command: ${userName}` };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection lost while it is idle would end the process. The next query reports the loss.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface DatabaseHandle {
  url: string;
  client: pg.Client;
  release(): Promise<void>;
}

async function openConfiguredDatabase(url: string): Promise<DatabaseHandle> {
  try {
    const client = await connect(url);
    return { url, client, release: () => client.end() };
  } catch (error) {
    const { hostname, pathname } = new URL(url);
    const reason =
      error instanceof AggregateError ? error.errors.map(String).join(', ') : (error as Error).message;
    throw new CommandError(
      `The database ${hostname}${pathname} cannot be opened: ${reason}. Check DATABASE_URL.`,
    );
  }
}

async function openEmbeddedDatabase(config: Config): Promise<DatabaseHandle> {
  const { dir } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  const { database, release } = await holdServer(
    async () => (await findRunningServer(dir)) ?? (await startEmbeddedDatabase({ dataDir: dir })),
  );
  const client = await connect(database.url);
  return {
    url: database.url,
    client,
    async release() {
      await client.end();
      await release();
    },
  };
}

/**
 * Makes signals end the command through `release`, so that no unneeded database keeps running.
 *
 * @returns a function to call when the work has ended. After a signal its promise never resolves, because the process is about to
 * exit
 */
function releaseOnSignal(release: () => Promise<void>): () => Promise<void> {
  const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
  let isEnding = false;
  const listeners = Object.entries(exitCodes).map(([signal, code]) => {
    const endCommand = () => {
      if (isEnding) return;
      isEnding = true;
      const exit = () => process.exit(code);
      release().then(exit, exit);
    };
    process.on(signal, endCommand);
    return [signal, endCommand] as const;
  });
  return async () => {
    // The database is being closed, so errors of the command no longer matter.
    if (isEnding) await new Promise<never>(() => undefined);
    for (const [signal, endCommand] of listeners) process.off(signal, endCommand);
  };
}

/**
 * Runs `work` with the configured database or the embedded one, whether or not the service is running.
 *
 * @throws ConfigError, EmbeddedDatabaseError or CommandError if no database is usable
 */
export async function withDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const config = loadConfig();
  const isEmbedded = config.DATABASE_URL === undefined;
  const databasePromise =
    config.DATABASE_URL === undefined
      ? openEmbeddedDatabase(config)
      : openConfiguredDatabase(config.DATABASE_URL);
  let releasePromise: Promise<void> | undefined;
  const release = () => {
    releasePromise ??= databasePromise.then((database) => database.release());
    return releasePromise;
  };
  const stopListening = releaseOnSignal(release);
  try {
    const { url, client } = await databasePromise;
    return await work({ config, url, client, isEmbedded, secret: await readOrCreateSecret(config) });
  } finally {
    await release().finally(stopListening);
  }
}

/** Applies pending migrations and the reference data. Returns the names of the migrations that it applied. */
export function migrateDatabase(url: string): Promise<string[]> {
  return migrate(url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR), { onWait: printNotice });
}

/**
 * Migrates a new embedded database.
 *
 * @throws CommandError if any other database has pending or unfinished migrations: the administrator decides when to apply them
 */
export async function ensureMigrated({ client, url, isEmbedded }: OpenDatabase): Promise<void> {
  const { applied, pending, failed } = await readMigrationStatus(
    client,
    await listShippedMigrations(PRISMA_DIR),
  );
  if (pending.length === 0 && failed.length === 0) return;
  if (isEmbedded && applied.length === 0) {
    await migrateDatabase(url);
    return;
  }
  throw new CommandError(
    failed.length > 0
      ? `Migration ${failed[0]} is not finished. Wait if it is being applied now; "${CLI_COMMAND} db status" shows more.`
      : `The database lacks ${pending.length} of ${applied.length + pending.length} migrations. Run "${CLI_COMMAND} db migrate" first.`,
  );
}

/** Runs `work` with a migrated database; closes it at the end, even after an error. */
export function withMigratedDatabase<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return withDatabase(async (database) => {
    await ensureMigrated(database);
    const { config, url, secret } = database;
    const log = createLog('silent');
    const db = openDatabase({
      url,
      poolSize: config.DATABASE_POOL_SIZE,
      bulkPoolSize: config.IMPORT_POOL_SIZE,
      log,
    });
    try {
      return await work({ config, db, log, secrets: createSecretBox(secret), actor: readCommandActor() });
    } finally {
      await db.close();
    }
  });
}

/**
 * Like `withMigratedDatabase`, but with all the server's services. Only for commands that need them: loading their code doubles
 * the time that a command takes to start.
 */
export function withServices<T>(
  work: (context: Pick<CommandContext, 'config' | 'actor'> & { services: Services }) => Promise<T>,
): Promise<T> {
  return withDatabase(async (database) => {
    await ensureMigrated(database);
    const { config, url, secret } = database;
    const { openServices } = await import('../runtime/open-services');
    const { services, close } = openServices({
      config,
      databaseUrl: url,
      secret,
      log: createLog('silent'),
    });
    try {
      return await work({ config, services, actor: readCommandActor() });
    } finally {
      await close();
    }
  });
}
