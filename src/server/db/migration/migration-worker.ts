import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { explainRefusedStatement } from '../external-database';
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
 *
 * @returns why the database does not let its user migrate it, for the administrator; null if the migrations have been applied
 */
export default async function applyMigrations({
  databaseUrl,
  prismaDir,
  names,
  failedNames,
}: MigrationTask): Promise<string | null> {
  const datamodel = await readFile(path.join(prismaDir, 'schema.prisma'), 'utf8');
  let scriptError: unknown;
  let statementError: unknown;
  const { engine, close } = await openSchemaEngine(datamodel, databaseUrl, {
    onScriptError: (error) => {
      scriptError = error;
    },
    onStatementError: (error) => {
      statementError = error;
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
    return null;
  } catch (error) {
    const refusal = explainRefusedStatement(scriptError) ?? explainRefusedStatement(statementError);
    if (refusal !== null) return refusal;
    if (scriptError === undefined) throw toShortError(error);
    const reason = scriptError instanceof Error ? scriptError.message : String(scriptError);
    throw new Error(`A migration failed and has changed nothing: ${reason}`, { cause: scriptError });
  } finally {
    await close();
  }
}

/**
 * Replaces the misleading message with which Prisma refuses a database that has tables but no migrations. Of any other message of
 * its engine, keeps the first line, without the positions in its source.
 */
function toShortError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!error.message.includes('schema is not empty'))
    return new Error(error.message.split('\n', 1)[0], { cause: error });
  const message =
    "The database contains tables that are not Brickdesk's. Set DATABASE_URL to a database for Brickdesk alone.";
  return new Error(message, { cause: error });
}
