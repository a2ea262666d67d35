import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { Piscina } from 'piscina';
import { enableConnectionChecks } from '../closed-connections';
import { ExternalDatabaseError } from '../external-database';
import { takeLock } from '../locks/advisory-locks';
import { waitForBackups } from '../locks/table-changes';
import type { MigrationTask } from './migration-worker';

export interface MigrationStatus {
  applied: string[];
  pending: string[];
  /** Started but not finished. Each migration is one transaction, so these have changed nothing; they are retried. */
  failed: string[];
  /** Applied by another version and not shipped with this one. */
  unknown: string[];
  /**
   * Like `failed`, but of another version and not shipped with this one: the next version is migrating the tables now, or has failed
   * to. Either way, they are as this version needs them, so it keeps working.
   */
  unknownFailed: string[];
}

/** Returns the names of the migrations that the project ships, oldest first. */
export async function listShippedMigrations(prismaDir: string): Promise<string[]> {
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
export async function readMigrationStatus(
  db: pg.Pool | pg.Client,
  names: string[],
): Promise<MigrationStatus> {
  const { rows: catalogs } = await db.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  if (!catalogs[0]?.exists)
    return { applied: [], pending: names, failed: [], unknown: [], unknownFailed: [] };
  const { rows } = await db.query<{ migration_name: string; isFinished: boolean }>(
    `SELECT migration_name, finished_at IS NOT NULL AS "isFinished"
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const finishedNames = new Set(rows.filter((row) => row.isFinished).map((row) => row.migration_name));
  const unfinishedNames = rows.filter((row) => !row.isFinished).map((row) => row.migration_name);
  return {
    applied: names.filter((name) => finishedNames.has(name)),
    pending: names.filter((name) => !finishedNames.has(name)),
    failed: unfinishedNames.filter((name) => names.includes(name)),
    unknown: [...finishedNames].filter((name) => !names.includes(name)),
    unknownFailed: unfinishedNames.filter((name) => !names.includes(name)),
  };
}

interface MigrateOptions {
  /** The migrations to apply when restoring a backup: those that the backup lists. All by default. */
  onlyNames?: readonly string[];
  /** Receives a line for the administrator when something keeps the migrations waiting. */
  onWait?: (line: string) => void;
  /** Receives the names of the migrations that only a newer version has, which has already applied them. */
  onNewer?: (names: readonly string[]) => void;
}

/**
 * Applies the pending migrations and then runs `afterMigration`, both under one advisory lock: if several servers start at the same
 * time, one migrates and the others wait. Then sets the role's default for `client_connection_check_interval`, so that PostgreSQL
 * notices closed connections. Fast if nothing is pending, because the engine is not even loaded.
 *
 * Waits for running backups before it locks any table, and never makes other statements wait for long for a table that something
 * else keeps locked, such as a backup of 0.28.0, which it cannot see (schema-engine.ts).
 *
 * @returns the names of the migrations that this call applied
 * @throws ExternalDatabaseError if the database is read-only or its user lacks a privilege
 * @throws if the database cannot be reached or has another history, or if a migration fails; a failed one has changed nothing
 */
export async function migrate(
  databaseUrl: string,
  prismaDir: string,
  afterMigration: (client: pg.Client) => Promise<void> = async () => undefined,
  { onlyNames, onWait = () => undefined, onNewer = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'brickdesk-migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost while idle makes its next query fail. Without a listener, it would also end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await takeLock(client, 'migration');
    const shippedNames = await listShippedMigrations(prismaDir);
    const names =
      onlyNames === undefined ? shippedNames : shippedNames.filter((name) => onlyNames.includes(name));
    const { pending, failed, unknown, unknownFailed } = await readMigrationStatus(client, names);
    if (pending.length > 0 && unknown.length > 0) throw divergedHistoryError(unknown);
    if (pending.length > 0) {
      await waitForBackups(client, 'migrated', onWait);
      const failedNames = [...failed, ...unknownFailed];
      await applyPendingMigrations({ databaseUrl, prismaDir, names, failedNames }, onWait);
    }
    if (unknown.length > 0) onNewer(unknown);
    await afterMigration(client);
    await client.query('COMMIT');
    await enableConnectionChecks(client);
    return pending;
  } finally {
    await client.end();
  }
}

/**
 * Applies the migrations in a separate thread: the engine is a WebAssembly module, whose 50 MB are only released when its thread
 * ends.
 */
async function applyPendingMigrations(task: MigrationTask, onWait: (line: string) => void): Promise<void> {
  const runsFromSource = import.meta.url.endsWith('.ts');
  const workerPool = new Piscina({
    filename: new URL(runsFromSource ? './migration-worker.ts' : './migration-worker.js', import.meta.url)
      .href,
    execArgv: runsFromSource ? ['--import', 'tsx'] : [],
    minThreads: 1,
    maxThreads: 1,
  });
  workerPool.on('message', onWait);
  try {
    const refusal = (await workerPool.run(task)) as string | null;
    if (refusal !== null) throw new ExternalDatabaseError(refusal);
  } finally {
    await workerPool.destroy();
  }
}

/**
 * Returns the error for a database with both pending and unknown migrations: its history differs from ours, as that of 0.1.0
 * does. The database of a newer version has unknown migrations, but no pending ones.
 */
function divergedHistoryError(unknownNames: string[]): Error {
  return new Error(
    `The database was created by another version of Brickdesk (migration ${unknownNames[0]}), which this one cannot upgrade. ` +
      'Start with an empty database or an empty DATA_DIR; the old data stays as it is.',
  );
}
