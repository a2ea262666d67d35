import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };
import { apiDocuments } from './api-documents';
import type { Config } from './config';
import type { Log } from './core/log';
import { type Database, openDatabase } from './db/client';
import { migrationStatus, shippedMigrations } from './db/migrate';
import { parseChangeLog } from './docs/changelog';
import { llmsText } from './docs/llms-text';
import { createApi } from './http/api';
import type { ReadyCheck } from './http/health';
import { createMcp } from './http/mcp';
import { createNative } from './http/native';
import { type Pages, type RunningServer, type ServedDocuments, startServer } from './http/server';
import { KeyUse } from './identity/key-service';
import { createRateLimit } from './identity/rate-limit-service';
import { createOpenAiProvider } from './messages/openai-provider';
import type { TextProvider } from './messages/text-provider';
import { createImportReader } from './orders/import-reader';
import { openCarrier } from './tracking/carrier';
import type { Services } from './trpc/context';
import { appRouter } from './trpc/router';
import { startUpkeep } from './upkeep';

/** The project's folder: above `src/server` where the sources run, above `dist` where the build does. */
export const ROOT = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  import.meta.url.endsWith('.ts') ? '../..' : '..',
);

export const PRISMA_DIR = path.join(ROOT, 'prisma');
export const VERSION: string = packageJson.version;

/** How long the end waits for work whose request has been cut off. */
const LET_GO_MS = 5_000;

interface AppOptions {
  config: Config;
  databaseUrl: string;
  log: Log;
  pages: Pages | null;
}

/** A service that is up. */
export interface RunningApp {
  port: number;
  services: Services;
  /** Stops accepting, lets running requests finish, then lets go of the database. */
  stop(): Promise<void>;
}

function readyCheck(db: Database): ReadyCheck {
  return async () => {
    try {
      const status = await migrationStatus(db.pool, await shippedMigrations(PRISMA_DIR));
      const applied = status.pending.length === 0 && status.failed.length === 0;
      return { ready: applied, database: 'reachable', migrations: applied ? 'applied' : 'pending' };
    } catch {
      return { ready: false, database: 'unreachable', migrations: 'unknown' };
    }
  };
}

function openTextProvider(config: Config): TextProvider | null {
  if (config.OPENAI_API_KEY === undefined) return null;
  return createOpenAiProvider({
    apiKey: config.OPENAI_API_KEY,
    baseUrl: config.OPENAI_BASE_URL,
    model: config.OPENAI_MODEL,
    timeoutMs: config.OPENAI_TIMEOUT_MS,
  });
}

/** Opens what the services work with, short of a server: what the commands use too. */
export function openServices(options: Omit<AppOptions, 'pages'>): {
  services: Services;
  close(): Promise<void>;
} {
  const { config, log } = options;
  const db = openDatabase({
    url: options.databaseUrl,
    poolSize: config.DATABASE_POOL_SIZE,
    bulkPoolSize: config.IMPORT_POOL_SIZE,
    log,
  });
  const reader = createImportReader({
    maxRows: config.IMPORT_MAX_ROWS,
    threads: Math.min(2, availableParallelism()),
  });
  const keyUse = new KeyUse(db, log, Date.now);
  const rateLimit = createRateLimit(db.pool, {
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    store: config.RATE_LIMIT_STORE,
  });
  const carrier = openCarrier(config);
  const services: Services = {
    db,
    log,
    readImport: reader.read,
    keyUse,
    rateLimit,
    carrier,
    textProvider: openTextProvider(config),
    trackingSecret: config.TRACK17_WEBHOOK_SECRET,
    now: Date.now,
  };
  return {
    services,
    async close() {
      carrier.close();
      await keyUse.settled();
      await reader.close();
      await db.close();
    },
  };
}

/** Starts the service on a migrated database. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log } = options;
  const { services, close } = openServices(options);
  const described = apiDocuments(config, VERSION);
  const changeLog = JSON.stringify(
    parseChangeLog(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')),
    null,
    2,
  );
  const llms = llmsText(config.APP_URL, described.tools);
  const documents: ServedDocuments = new Map([
    ['/docs/api/openapi.json', { text: () => described.openApi }],
    ['/docs/api/mcp-tools.json', { text: () => described.mcpTools }],
    ['/docs/api/changelog.json', { text: () => changeLog }],
    ['/llms.txt', { text: () => llms, contentType: 'text/plain; charset=utf-8' }],
  ]);
  const limits = { common: config.MAX_BODY_BYTES, import: config.IMPORT_MAX_BODY_BYTES };
  const api = createApi(appRouter, services, limits);
  let server: RunningServer;
  try {
    server = await startServer({
      host: config.HOST,
      port: config.PORT,
      appUrl: config.APP_URL,
      corsOrigins: config.CORS_ORIGINS,
      development: !config.production,
      shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
      log,
      api,
      native: createNative(appRouter, services, config.IMPORT_MAX_BODY_BYTES),
      mcp: createMcp(services, {
        version: VERSION,
        appUrl: config.APP_URL,
        corsOrigins: config.CORS_ORIGINS,
        tools: described.tools,
        api,
        limits,
      }),
      documents,
      ready: readyCheck(services.db),
      pages: options.pages,
    });
  } catch (error) {
    await close();
    throw error;
  }
  const stopUpkeep = startUpkeep(services, { recordDays: config.RECORD_RETENTION_DAYS });
  return {
    port: server.port,
    services,
    async stop() {
      stopUpkeep();
      await server.stop();
      // Work that was cut off may wait for minutes, for another import of its shop; unfinished, it has stored nothing.
      await Promise.race([close(), sleep(LET_GO_MS, undefined, { ref: false })]);
    },
  };
}
