import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
// The package's main entry imports the .wasm file as a module, which Node does not do; its inner module does not.
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg';

let loaded: Promise<void> | undefined;

async function loadWasm(): Promise<void> {
  const require = createRequire(import.meta.url);
  const inner = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(inner.replace(/\.js$/, '.wasm'));
  const imports = { './schema_engine_bg.js': engine as unknown as WebAssembly.ModuleImports };
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  engine.__wbg_set_wasm(instance.exports);
  (instance.exports as unknown as { __wbindgen_start(): void }).__wbindgen_start();
}

const refuse = (): never => {
  throw new Error('The schema engine was opened without a database.');
};

/** The engine asks any adapter for a connection, also for a comparison of two files; this one answers nothing. */
const offlineAdapter: SqlMigrationAwareDriverAdapterFactory = {
  provider: 'postgres',
  adapterName: '@prisma/adapter-pg',
  connect: async () => ({
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    executeRaw: async () => 0,
    queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
    executeScript: async () => undefined,
    startTransaction: refuse,
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    dispose: async () => undefined,
  }),
  connectToShadowDb: async () => refuse(),
};

/**
 * Prisma's own schema engine, as WebAssembly from the npm registry: nothing is downloaded.
 *
 * @param datamodel the Prisma schema's text
 * @param databaseUrl where migrations are applied; null for `diff` between two schemas, which needs no database
 */
export async function openSchemaEngine(
  datamodel: string,
  databaseUrl: string | null,
): Promise<engine.SchemaEngine> {
  loaded ??= loadWasm();
  await loaded;
  const adapter = bindMigrationAwareSqlAdapterFactory(
    databaseUrl === null
      ? offlineAdapter
      : new PrismaPg({ connectionString: databaseUrl }),
  );
  return engine.SchemaEngine.new({ datamodels: [['schema.prisma', datamodel]] }, () => undefined, adapter);
}
