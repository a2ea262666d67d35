import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
// Not the package's main entry, which imports the .wasm file as a module: Node does not support that.
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

let wasmPromise: Promise<void> | undefined;

async function loadWasm(): Promise<void> {
  const require = createRequire(import.meta.url);
  const innerModulePath = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(innerModulePath.replace(/\.js$/, '.wasm'));
  const imports = { './schema_engine_bg.js': engine as unknown as WebAssembly.ModuleImports };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports as unknown as { __wbindgen_start(): void }).__wbindgen_start();
}

const throwNoDatabase = (): never => {
  throw new Error('The schema engine was opened without a database.');
};

/** The engine requests a connection from its adapter even to compare two schemas; those of this adapter do nothing. */
const offlineAdapterFactory: SqlMigrationAwareDriverAdapterFactory = {
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  connect: async () => ({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    executeRaw: async () => 0,
    queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
    executeScript: async () => undefined,
    startTransaction: throwNoDatabase,
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: async () => undefined,
  }),
  connectToShadowDb: async () => throwNoDatabase(),
};

/** Marks the running migration as finished, in the migration's own transaction, so that the mark is correct even after a crash. */
const MARK_FINISHED_SQL = `
;UPDATE _prisma_migrations SET finished_at = now()
  WHERE finished_at IS NULL AND rolled_back_at IS NULL AND logs IS NULL`;

/** How long a migration waits for each lock. Other statements on the table wait behind it, so this is also how long they wait. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_TIMEOUT_CODE = '55P03';
/** How long the statements that waited have for themselves before the migration is tried again. */
const RETRY_DELAY_MS = 5_000;
/** The script is one transaction, so this ends with it, also on a connection that PgBouncer then passes on. */
const LIMIT_WAITS_SQL = `SET LOCAL lock_timeout TO '${LOCK_TIMEOUT_MS}ms';\n`;

interface ScriptListeners {
  /** Receives PostgreSQL's own error, which the engine replaces with a number. */
  onScriptError?: (error: unknown) => void;
  /** Receives the errors of the engine's own statements, which it replaces with texts. Some are expected. */
  onStatementError?: (error: unknown) => void;
  /** Receives a line for the administrator when a locked table keeps a migration waiting. */
  onWait?: (line: string) => void;
}

/**
 * Runs a script as one transaction. A script that waits too long for a lock has changed nothing and is run again, until it gets
 * its locks: whatever holds them, such as a backup of an older version, may take hours, and requests are served meanwhile.
 */
async function runScript(databaseUrl: string, script: string, listeners: ScriptListeners): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // A lost connection also fails the query in progress.
  await client.connect();
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(LIMIT_WAITS_SQL + script + MARK_FINISHED_SQL);
        return;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_TIMEOUT_CODE) throw error;
      }
      if (attempt === 1)
        listeners.onWait?.(
          'A table that a migration changes is in use, as by a backup. The migration is tried again until it succeeds.',
        );
      await sleep(RETRY_DELAY_MS);
    }
  } catch (error) {
    listeners.onScriptError?.(error);
    throw error;
  } finally {
    await client.end();
  }
}

async function reportError<Result>(
  resultPromise: Promise<Result>,
  { onStatementError }: ScriptListeners,
): Promise<Result> {
  try {
    return await resultPromise;
  } catch (error) {
    onStatementError?.(error);
    throw error;
  }
}

/**
 * Returns a factory of adapters that send each script whole, which PostgreSQL runs as one transaction. Prisma's own adapter
 * splits scripts at every semicolon, which breaks function bodies and leaves half a migration after a crash.
 */
function createSingleTransactionAdapterFactory(
  databaseUrl: string,
  listeners: ScriptListeners,
  adapters: { dispose(): Promise<void> }[],
): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg({ connectionString: databaseUrl });
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connectToShadowDb: () => factory.connectToShadowDb(),
    async connect() {
      const adapter = await factory.connect();
      adapters.push(adapter);
      adapter.executeScript = (script) => runScript(databaseUrl, script, listeners);
      const { queryRaw, executeRaw } = adapter;
      adapter.queryRaw = (query) => reportError(queryRaw.call(adapter, query), listeners);
      adapter.executeRaw = (query) => reportError(executeRaw.call(adapter, query), listeners);
      return adapter;
    },
  };
}

/** The engine, and how to release it and its connections. */
export interface OpenedEngine {
  engine: engine.SchemaEngine;
  close(): Promise<void>;
}

/**
 * Opens Prisma's own schema engine, a WebAssembly module from the npm registry: nothing is downloaded at run time. Each
 * migration is one transaction.
 *
 * @param datamodel the Prisma schema's text
 * @param databaseUrl where migrations are applied; null for `diff` between two schemas, which needs no database
 */
export async function openSchemaEngine(
  datamodel: string,
  databaseUrl: string | null,
  listeners: ScriptListeners = {},
): Promise<OpenedEngine> {
  wasmPromise ??= loadWasm();
  await wasmPromise;
  const adapters: { dispose(): Promise<void> }[] = [];
  const factory =
    databaseUrl === null
      ? offlineAdapterFactory
      : createSingleTransactionAdapterFactory(databaseUrl, listeners, adapters);
  const adapter = bindMigrationAwareSqlAdapterFactory(factory);
  const schemaEngine = await engine.SchemaEngine.new(
    { datamodels: [['schema.prisma', datamodel]] },
    () => undefined,
    adapter,
  );
  return {
    engine: schemaEngine,
    async close() {
      schemaEngine.free();
      // The engine does not close its adapter's connections.
      await Promise.all(adapters.map((adapter) => adapter.dispose()));
    },
  };
}
