import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { openSchemaEngine } from './schema-engine';

/** The migrations to apply, and where. */
export interface MigrationTask {
  databaseUrl: string;
  prismaDir: string;
  /** The migrations that the database should have, oldest first. */
  names: string[];
  /** The migrations that were started but not finished. */
  failedNames: string[];
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
 * Runs in a worker thread. An error that it throws reaches migrate.ts with its message but without its class. Posts a line for the
 * administrator when it has to wait.
 */
export default async function applyMigrations({
  databaseUrl,
  prismaDir,
  names,
  failedNames,
}: MigrationTask): Promise<void> {
  const datamodel = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  let scriptError: unknown;
  const { engine, close } = await openSchemaEngine(datamodel, databaseUrl, {
    onScriptError: (error) => {
      scriptError = error;
    },
    onWait: (line) => parentPort?.postMessage(line),
  });
  try {
    for (const migrationName of failedNames) await engine.markMigrationRolledBack({ migrationName });
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
    if (scriptError === undefined) throw toNotEmptyError(error);
    const reason = scriptError instanceof Error ? scriptError.message : String(scriptError);
    throw new Error(`A migration failed and has changed nothing: ${reason}`, { cause: scriptError });
  } finally {
    await close();
  }
}

/** Replaces the misleading message with which Prisma refuses a database that has tables but no migrations. */
function toNotEmptyError(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.includes('schema is not empty')) return error;
  const message =
    "The database contains tables that are not Brickdesk's. Set DATABASE_URL to a database for Brickdesk alone.";
  return new Error(message, { cause: error });
}
