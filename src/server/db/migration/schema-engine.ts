import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
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

/**
 * Returns a factory of adapters that send each script whole, which PostgreSQL runs as one transaction. Prisma's own adapter
 * splits scripts at every semicolon, which breaks function bodies and leaves half a migration after a crash.
 */
function createSingleTransactionAdapterFactory(
  databaseUrl: string,
  onError: (error: unknown) => void,
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
      adapter.executeScript = async (script) => {
        const client = new pg.Client({ connectionString: databaseUrl });
        client.on('error', () => undefined); // A lost connection also fails the query in progress.
        await client.connect();
        try {
          await client.query(script + MARK_FINISHED_SQL);
        } catch (error) {
          onError(error);
          throw error;
        } finally {
          await client.end();
        }
      };
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
 * @param onScriptError receives PostgreSQL's own error, which the engine replaces with a number
 */
export async function openSchemaEngine(
  datamodel: string,
  databaseUrl: string | null,
  onScriptError: (error: unknown) => void = () => undefined,
): Promise<OpenedEngine> {
  wasmPromise ??= loadWasm();
  await wasmPromise;
  const adapters: { dispose(): Promise<void> }[] = [];
  const factory =
    databaseUrl === null
      ? offlineAdapterFactory
      : createSingleTransactionAdapterFactory(databaseUrl, onScriptError, adapters);
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
