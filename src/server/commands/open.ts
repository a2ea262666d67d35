import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Actor } from '../audit/service';
import { type Config, loadConfig } from '../config/config';
import { createLog, type Log } from '../core/log';
import { createSecretBox, type SecretBox } from '../core/secret-box';
import { type Database, openDatabase } from '../db/client';
import { resolveDataDir } from '../db/embedded';
import { listShippedMigrations, migrate, readMigrationStatus } from '../db/migration/migrate';
import { PRISMA_DIR } from '../runtime/project';
import { seedReferenceData } from '../runtime/reference-data';
import { loadOrCreateSecret, loadSecret } from '../runtime/secret';
import type { Services } from '../trpc/context';
import { openConfiguredDatabase, openEmbeddedDatabase } from './database-handle';
import { CLI_COMMAND } from './options';
import { CommandError, printNotice } from './output';

interface SecretUse {
  /** The database has something that was sealed with the service's secret, so none is created: it would be another one. */
  mustExist?: boolean;
}

/**
 * Returns the secret that the service uses: the configured one, or else the one in the data folder. Creates it if missing.
 *
 * @throws CommandError if it must exist and does not
 */
async function readOrCreateSecret(config: Config, { mustExist = false }: SecretUse = {}): Promise<string> {
  if (config.NEXTAUTH_SECRET !== undefined) return config.NEXTAUTH_SECRET;
  const { dir } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  if (!mustExist) return loadOrCreateSecret(dir);
  const secret = await loadSecret(dir);
  if (secret !== null) return secret;
  throw new CommandError(
    `There is no secret in ${dir}, so the service's is kept elsewhere. Set NEXTAUTH_SECRET as for the service, then try again.`,
  );
}

/** A database for a command, with an open connection. */
export interface OpenDatabase {
  config: Config;
  url: string;
  client: pg.Client;
  isEmbedded: boolean;
  /** Aborts when a signal such as Ctrl-C ends the command. */
  signal: AbortSignal;
  /** Returns the deployment's secret. For commands that need it only, because it may have to be created, on a disk that may be full. */
  readSecret(use?: SecretUse): Promise<string>;
}

/** How a command uses the database. */
interface DatabaseUse {
  /** The command has nothing to do in a new database, so none is created: the data folder is probably not the intended one. */
  mustExist?: boolean;
  /** The work ends soon after its signal aborts, and is waited for, because it leaves something behind if it is cut off. */
  endsOnSignal?: boolean;
}

/** How long a command that a signal ends may take to remove what it would leave behind. */
const CLEANUP_TIMEOUT_MS = 10_000;

/** What a command works with. The database is migrated. */
interface CommandContext {
  config: Config;
  db: Database;
  log: Log;
  /** Reads the deployment's secret, and creates it if missing. */
  openSecrets(use?: SecretUse): Promise<SecretBox>;
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

/**
 * Makes signals end the command through `end`, so that it leaves nothing behind and no unneeded database keeps running.
 *
 * @returns a function to call when the work has ended. After a signal its promise never resolves, because the process is about to
 * exit
 */
function endOnSignal(end: () => Promise<void>): () => Promise<void> {
  const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
  let isEnding = false;
  const listeners = Object.entries(exitCodes).map(([signal, code]) => {
    const endCommand = () => {
      if (isEnding) return;
      isEnding = true;
      const exit = () => process.exit(code);
      end().then(exit, exit);
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
export async function withDatabase<T>(
  work: (database: OpenDatabase) => Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  const config = loadConfig();
  const isEmbedded = config.DATABASE_URL === undefined;
  const abortController = new AbortController();
  const { signal } = abortController;
  const databasePromise =
    config.DATABASE_URL === undefined
      ? openEmbeddedDatabase(config, use)
      : openConfiguredDatabase(config.DATABASE_URL);
  let workPromise: Promise<T> | undefined;
  let releasePromise: Promise<void> | undefined;
  const release = () => {
    releasePromise ??= databasePromise.then((database) => database.release());
    return releasePromise;
  };
  const stopListening = endOnSignal(async () => {
    abortController.abort();
    if (use.endsOnSignal)
      await Promise.race([workPromise?.catch(() => undefined), sleep(CLEANUP_TIMEOUT_MS)]);
    await release();
  });
  try {
    const { url, client } = await databasePromise;
    signal.throwIfAborted();
    workPromise = work({
      config,
      url,
      client,
      isEmbedded,
      signal,
      readSecret: (use) => readOrCreateSecret(config, use),
    });
    return await workPromise;
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
export function withMigratedDatabase<T>(
  work: (context: CommandContext) => Promise<T>,
  use: DatabaseUse = {},
): Promise<T> {
  return withDatabase(async (database) => {
    await ensureMigrated(database);
    const { config, url, readSecret } = database;
    const log = createLog('silent');
    const db = openDatabase({
      url,
      poolSize: config.DATABASE_POOL_SIZE,
      bulkPoolSize: config.IMPORT_POOL_SIZE,
      log,
    });
    try {
      const openSecrets = async (use?: SecretUse) => createSecretBox(await readSecret(use));
      return await work({ config, db, log, openSecrets, actor: readCommandActor() });
    } finally {
      await db.close();
    }
  }, use);
}

/** Like {@link withMigratedDatabase}, for commands that only read: without a database, they say so instead of creating one. */
export function withExistingDatabase<T>(work: (context: CommandContext) => Promise<T>): Promise<T> {
  return withMigratedDatabase(work, { mustExist: true });
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
    const { config, url } = database;
    const secret = await database.readSecret();
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
