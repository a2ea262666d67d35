import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiDocuments } from '../api/api-documents';
import { parseChangeLog } from '../api/changelog';
import { llmsText } from '../api/llms-text';
import { readOperations } from '../api/operations';
import { appRouter } from '../api/router';
import { type Config, trustForwardedHost } from '../config/config';
import { MAX_CSV_BODY_BYTES } from '../core/fields';
import { createApiHandler } from '../http/api';
import type { BodyLimits } from '../http/body';
import { createCallRecorder } from '../http/call-record';
import { createAddressOf } from '../http/caller/client-address';
import { createUnauthenticatedLimit } from '../http/caller/unauthenticated-limit';
import { createDownloadHandler } from '../http/files/downloads';
import { createUploadHandler } from '../http/files/uploads';
import { createNativeApiHandler } from '../http/native/native';
import { openPageBridge } from '../http/pages/page-bridge';
import { createUnsubscribeHandler } from '../http/pages/unsubscribe';
import { createRunOperation } from '../http/run-operation';
import type { PageRenderer, ServedDocuments } from '../http/server/dispatch';
import type { ReservedPort } from '../http/server/listening';
import { type RunningServer, startServer } from '../http/server/server';
import { createSignInHandler } from '../http/sign-in/sign-in';
import type { IdentityProvider } from '../http/sign-in/sign-in-oidc';
import { ensureSigningKey } from '../identity/oauth/signing-key-service';
import { startJobs } from '../jobs/job-queue';
import { createMcpHandler } from '../mcp/endpoint';
import { createAuthorizationServer } from '../oauth/authorization-server';
import type { Services } from '../trpc/context';
import { jobsOf } from './job-list';
import { type MetricsEndpoint, startMetricsEndpoint } from './metrics/endpoint';
import { openServices, type ServiceOptions } from './open-services';
import { PRISMA_DIR, ROOT, VERSION } from './project';
import { createReadinessCheck } from './readiness';
import type { Traces } from './traces/export';

/** How long the shutdown waits for work whose request was cut off, and for the last traces. */
const SHUTDOWN_GRACE_MS = 5_000;

interface AppOptions extends ServiceOptions {
  pages: PageRenderer | null;
  /** The port of `config`, if it has been reserved already. */
  reservedPort?: ReservedPort;
}

/** A running service. */
export interface RunningApp {
  port: number;
  /** The port of the metrics; null if they are not served. */
  metricsPort: number | null;
  services: Services;
  /**
   * Makes /readyz respond with 503, then stops accepting connections, gives running requests a limited time to finish, and closes
   * the database.
   */
  stop(): Promise<void>;
}

function identityProviderOf(config: Config): IdentityProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : null;
}

function backupSettingsOf({ config, databaseUrl, backupFolder: folder }: AppOptions) {
  return !folder ? null : { folder, keep: config.BACKUP_KEEP, databaseUrl, version: VERSION };
}

/** Returns the limits on bodies. An import may take longer, as long as it arrives at a minimum rate. */
function bodyLimitsOf(config: Config): BodyLimits {
  const timeoutMs = config.BODY_TIMEOUT_MS;
  return {
    common: { bytes: config.MAX_BODY_BYTES, timeoutMs },
    csv: { bytes: Math.max(config.MAX_BODY_BYTES, MAX_CSV_BODY_BYTES), timeoutMs },
    import: {
      bytes: config.IMPORT_MAX_BODY_BYTES,
      timeoutMs,
      bytesPerSecond: config.UPLOAD_BYTES_PER_SECOND,
    },
  };
}

/** Returns how long the slowest upload within the limits takes, headers included; no request is read for longer. */
function longestRequestMs(config: Config): number {
  const uploadMs = (config.IMPORT_MAX_BODY_BYTES / config.UPLOAD_BYTES_PER_SECOND) * 1000;
  return Math.ceil(Math.min(config.BODY_TIMEOUT_MS + uploadMs + 60_000, 2 ** 31 - 1));
}

/** Starts the service on a migrated database. */
export async function startApp(options: AppOptions): Promise<RunningApp> {
  const { config, log } = options;
  const { services, metrics, refreshMetrics, close } = openServices(options);
  const apiDocs = createApiDocuments(config, VERSION);
  const changeLog = JSON.stringify(
    parseChangeLog(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')),
    null,
    2,
  );
  const llmsTxt = llmsText(config.APP_URL, apiDocs.tools);
  const documents: ServedDocuments = new Map([
    ['/docs/api/openapi.json', { text: apiDocs.readOpenApi }],
    ['/docs/api/mcp-tools.json', { text: () => apiDocs.mcpTools }],
    ['/docs/api/changelog.json', { text: () => changeLog }],
    ['/llms.txt', { text: () => llmsTxt, contentType: 'text/plain; charset=utf-8' }],
  ]);
  const limits = bodyLimitsOf(config);
  const runOperation = createRunOperation(appRouter, services);
  const operations = readOperations(appRouter);
  trustForwardedHost();
  const identityProvider = identityProviderOf(config);
  openPageBridge(appRouter, services, {
    adminPrefix: config.ADMIN_PREFIX,
    appUrl: config.APP_URL,
    version: VERSION,
    hasIdentityProvider: identityProvider !== null,
    maxImportBytes: limits.import.bytes,
  });
  let server: RunningServer;
  let traces: Traces | null = null;
  let metricsEndpoint: MetricsEndpoint | null = null;
  try {
    await ensureSigningKey(services);
    // Imported only if needed, so that a service without traces does not load the packages.
    if (config.OTEL_EXPORTER_OTLP_ENDPOINT)
      traces = (await import('./traces/export')).startTraces({ log, version: VERSION });
    if (config.METRICS_PORT !== undefined) {
      metricsEndpoint = await startMetricsEndpoint({
        host: config.METRICS_HOST,
        port: config.METRICS_PORT,
        registry: metrics.registry,
        refresh: refreshMetrics,
        log,
      });
    }
    server = await startServer({
      host: config.HOST,
      port: config.PORT,
      reservedPort: options.reservedPort,
      appUrl: config.APP_URL,
      corsOrigins: config.CORS_ORIGINS,
      isDevelopment: !config.isProduction,
      shutdownDelayMs: config.SHUTDOWN_DELAY_MS,
      shutdownTimeoutMs: config.SHUTDOWN_TIMEOUT_MS,
      log,
      api: createApiHandler(services, { operations, runOperation, limits }),
      nativeApi: createNativeApiHandler(appRouter, services, { limits, appUrl: config.APP_URL }),
      mcp: createMcpHandler(services, {
        version: VERSION,
        appUrl: config.APP_URL,
        corsOrigins: config.CORS_ORIGINS,
        tools: apiDocs.tools,
        operations,
        runOperation,
        limits,
      }),
      downloads: createDownloadHandler(services, { appUrl: config.APP_URL }),
      signIn: createSignInHandler(services, {
        appUrl: config.APP_URL,
        adminPrefix: config.ADMIN_PREFIX,
        secret: options.secret,
        identityProvider,
        bodyLimit: limits.common,
      }),
      uploads: createUploadHandler(services, { appUrl: config.APP_URL, limit: limits.import }),
      oauth: createAuthorizationServer(services, {
        appUrl: config.APP_URL,
        adminPrefix: config.ADMIN_PREFIX,
        counterStore: config.RATE_LIMIT_STORE,
        bodyLimit: limits.common,
      }),
      unsubscribe: createUnsubscribeHandler(services, limits.common),
      addressOf: createAddressOf(config.TRUSTED_PROXIES),
      unauthenticatedLimit: createUnauthenticatedLimit(services, config.UNAUTHENTICATED_LIMIT_PER_MINUTE),
      bodyTimeoutMs: config.BODY_TIMEOUT_MS,
      requestTimeoutMs: longestRequestMs(config),
      documents,
      checkReadiness: createReadinessCheck(services.db, PRISMA_DIR),
      callRecorders: [createCallRecorder(services.keyCalls, apiDocs.tools), metrics.countRequest],
      pages: options.pages,
    });
  } catch (error) {
    await metricsEndpoint?.stop();
    await close();
    await traces?.stop();
    throw error;
  }
  const jobSettings = {
    recordDays: config.RECORD_RETENTION_DAYS,
    importHistoryDays: config.IMPORT_HISTORY_DAYS,
    requestLogDays: config.REQUEST_LOG_DAYS,
    refreshHours: config.REFRESH_HOURS,
    refreshDays: config.REFRESH_DAYS,
    backupSettings: backupSettingsOf(options),
  };
  const jobs =
    config.BACKGROUND_JOBS === 'true'
      ? startJobs({ databaseUrl: options.databaseUrl, log, jobs: jobsOf(services, jobSettings) })
      : null;
  return {
    port: server.port,
    metricsPort: metricsEndpoint?.port ?? null,
    services,
    async stop() {
      await Promise.all([jobs?.stop(config.SHUTDOWN_TIMEOUT_MS), server.stop()]);
      await metricsEndpoint?.stop();
      // Work that was cut off may wait for minutes for another import of its shop. It can be abandoned: it stores all or nothing.
      const closePromise = close().finally(() => traces?.stop());
      await Promise.race([closePromise, sleep(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
    },
  };
}
