import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { takeLock } from './advisory-locks';
import { openSchemaEngine } from './schema-engine';

export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** Started but not finished. Each migration is one transaction, so nothing of these remains; they are retried. */
  failed: string[];
  /** Applied by another version and not shipped with this one. */
  unknown: string[];
}

/** Names of the migrations that the project ships, oldest first. */
export async function shippedMigrations(prismaDir: string): Promise<string[]> {
  const entries = await readdir(path.join(prismaDir, 'migrations'), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Compares the shipped migrations with the database's `_prisma_migrations` table.
 *
 * @throws what `pg` throws when the database cannot be reached
 */
export async function migrationStatus(db: pg.Pool | pg.Client, names: string[]): Promise<MigrationStatus> {
  const table = await db.query<{ present: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS present`,
  );
  if (!table.rows[0]?.present) return { applied: [], pending: names, failed: [], unknown: [] };
  const { rows } = await db.query<{ migration_name: string; finished: boolean }>(
    `SELECT migration_name, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const finished = new Set(rows.filter((row) => row.finished).map((row) => row.migration_name));
  return {
    applied: names.filter((name) => finished.has(name)),
    pending: names.filter((name) => !finished.has(name)),
    failed: rows.filter((row) => !row.finished).map((row) => row.migration_name),
    unknown: [...finished].filter((name) => !names.includes(name)),
  };
}

async function loadMigrations(prismaDir: string, names: string[]) {
  return Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: {
          tag: 'ok' as const,
          value: await readFile(path.join(prismaDir, 'migrations', name, 'migration.sql'), 'utf8'),
        },
      },
    })),
  );
}

/**
 * Applies the pending migrations and then `after`, both under one transaction-level advisory lock, so that of many servers
 * starting at once one migrates and the others wait. Quick if nothing is pending: the engine is not even loaded.
 *
 * @param only applies only these migrations: those of an older version, for its backup
 * @returns the names that were applied now
 * @throws if the database cannot be reached or a migration fails; a failed migration has changed nothing
 */
export async function migrate(
  databaseUrl: string,
  prismaDir: string,
  after: (client: pg.Client) => Promise<void> = async () => undefined,
  only?: readonly string[],
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'brickdesk-migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost while idle fails its next query; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await takeLock(client, 'migration');
    const shipped = await shippedMigrations(prismaDir);
    const names = only === undefined ? shipped : shipped.filter((name) => only.includes(name));
    const { pending, failed, unknown } = await migrationStatus(client, names);
    if (pending.length > 0 && unknown.length > 0) throw otherHistory(unknown);
    if (pending.length > 0) await applyPending(databaseUrl, prismaDir, names, failed);
    await after(client);
    await client.query('COMMIT');
    return pending;
  } finally {
    await client.end();
  }
}

async function applyPending(
  databaseUrl: string,
  prismaDir: string,
  names: string[],
  cutShort: string[],
): Promise<void> {
  const datamodel = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  let scriptError: unknown;
  const { engine, close } = await openSchemaEngine(datamodel, databaseUrl, (error) => {
    scriptError = error;
  });
  try {
    for (const migrationName of cutShort) await engine.markMigrationRolledBack({ migrationName });
    await engine.applyMigrations({
      migrationsList: {
        baseDir: path.join(prismaDir, 'migrations'),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: await loadMigrations(prismaDir, names),
      },
      filters: { externalTables: [], externalEnums: [] },
    });
  } catch (error) {
    if (scriptError === undefined) throw notEmpty(error);
    const reason = scriptError instanceof Error ? scriptError.message : String(scriptError);
    throw new Error(`A migration failed and has changed nothing: ${reason}`, { cause: scriptError });
  } finally {
    await close();
  }
}

/**
 * A database of a newer version has nothing pending here; one with both pending and unknown migrations has another history, as
 * 0.1.0 did.
 */
function otherHistory(unknown: string[]): Error {
  return new Error(
    `The database was made by another version of Brickdesk (migration ${unknown[0]}), which this one cannot upgrade. ` +
      'Start with an empty database or an empty DATA_DIR; the old data stays as it is.',
  );
}

/** Prisma refuses a database with tables but no migrations; its own message is about something else. */
function notEmpty(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('schema is not empty')) return error;
  const message =
    "The database holds tables that are not Brickdesk's. Give it a database of its own in DATABASE_URL.";
  return new Error(message, { cause: error });
}
