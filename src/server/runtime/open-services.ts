import { availableParallelism } from 'node:os';
import { listKeyOperations } from '../api/operations';
import { appRouter } from '../api/router';
import type { Config } from '../config/config';
import { isHttps } from '../core/http/web-address';
import type { Log } from '../core/log';
import { createSecretBox } from '../core/secret-box';
import { annotate } from '../core/tracing';
import { openDatabase, type QueryTimeouts } from '../db/client';
import { PageReads } from '../db/page-reads';
import { openReplica } from '../db/replica';
import {
  createApiKeyUseRecorder,
  createPersonalTokenUseRecorder,
  createSessionUseRecorder,
} from '../gateway/last-use-service';
import { createKeyRateLimiter } from '../gateway/rate-limit-service';
import { sessionIdOf } from '../http/sign-in/session-token';
import { KeyCallLog } from '../identity/keys/call-service';
import { createFindAccessToken } from '../identity/oauth/record-service';
import { createOpenAiProvider } from '../messages/openai-provider';
import type { TextProvider } from '../messages/text-provider';
import { createSender, type Sender } from '../notifications/sending/sender';
import { PreviewCache } from '../orders/drafts/preview-cache';
import { SearchIndexer } from '../orders/indexing/search-service';
import { createImportReader } from '../orders/reading/reader';
import { openCarrier } from '../tracking/carriers/carrier';
import type { Services } from '../trpc/context';
import { describeDeployment } from './deployment';
import { createMetrics, type Metrics } from './metrics/metrics';
import { addStateGauges } from './metrics/state-gauges';
import { PRISMA_DIR, VERSION } from './project';
import { traceCarrier, traceSender, traceTextProvider } from './traces/upstream';

export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  /** The deployment's secret: NEXTAUTH_SECRET, or the one stored with the embedded database. */
  secret: string;
  log: Log;
  /** The folder of the daily backups; no backups are written without one. */
  backupFolder?: string | null;
  /** Overrides how long the database may take to respond. */
  databaseTimeoutsMs?: QueryTimeouts;
}

function openTextProvider(config: Config): TextProvider | null {
  if (config.OPENAI_API_KEY === undefined) return null;
  return createOpenAiProvider({
    apiKey: config.OPENAI_API_KEY,
    baseUrl: config.OPENAI_BASE_URL,
    model: config.OPENAI_MODEL,
    timeoutMs: config.OPENAI_TIMEOUT_MS,
    maxOutputTokens: config.OPENAI_MAX_OUTPUT_TOKENS,
  });
}

function openSender(config: Config): Sender {
  const { SMTP_URL: url, SMTP_FROM: from } = config;
  return createSender({
    smtp: url && from ? { url, from } : null,
    origins: {
      wecom: config.WECOM_BASE_URL,
      dingtalk: config.DINGTALK_BASE_URL,
      slack: config.SLACK_BASE_URL,
    },
    appUrl: config.APP_URL,
    adminPrefix: config.ADMIN_PREFIX,
  });
}

/** Opens everything that the services need except a server. The command that imports orders uses it too. */
export function openServices(options: ServiceOptions): {
  services: Services;
  metrics: Metrics;
  /** Reads the current state into the metrics. */
  refreshMetrics(): Promise<void>;
  close(): Promise<void>;
} {
  const { config, log, secret } = options;
  const poolOptions = { poolSize: config.DATABASE_POOL_SIZE, bulkPoolSize: config.IMPORT_POOL_SIZE, log };
  const db = openDatabase({
    ...poolOptions,
    url: options.databaseUrl,
    queryTimeoutsMs: options.databaseTimeoutsMs,
  });
  const metrics = createMetrics();
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const replica =
    replicaUrl === undefined
      ? null
      : openReplica({ ...poolOptions, url: replicaUrl, primary: db.pool, onRead: metrics.countReplicaRead });
  const reader = createImportReader({
    maxRows: config.IMPORT_MAX_ROWS,
    maxBytes: config.IMPORT_MAX_BODY_BYTES,
    threads: Math.min(2, availableParallelism()),
  });
  const searchIndexer = new SearchIndexer(db, log);
  const lastUses = {
    keyUse: createApiKeyUseRecorder(db, log),
    sessionUse: createSessionUseRecorder(db, log),
    personalTokenUse: createPersonalTokenUseRecorder(db, log),
  };
  const keyCalls = new KeyCallLog(db, log, config.REQUEST_LOG_DAYS);
  const countRequest = createKeyRateLimiter(db.pool, {
    perMinute: config.RATE_LIMIT_PER_MINUTE,
    store: config.RATE_LIMIT_STORE,
  });
  const carrier = traceCarrier(metrics.measureCarrier(openCarrier(config)));
  const textProvider = openTextProvider(config);
  const services: Services = {
    db,
    replica,
    pageReads: new PageReads(config.DATABASE_POOL_SIZE),
    log,
    readImport: reader.read,
    sheets: reader.sheets,
    previews: new PreviewCache(),
    searchIndexer,
    onImportEnd(event) {
      metrics.countImport(event);
      annotate({
        'brickdesk.import.source': event.source,
        'brickdesk.import.outcome': event.outcome,
        'brickdesk.import.rows': event.rowCount,
      });
    },
    ...lastUses,
    keyCalls,
    keyOperations: listKeyOperations(appRouter),
    countRequest,
    secrets: createSecretBox(secret),
    signIn: { secret, https: isHttps(config.APP_URL) },
    sessionIdOf: (token) => sessionIdOf(token, secret),
    findAccessToken: createFindAccessToken(db),
    carrier,
    textProvider: textProvider && traceTextProvider(metrics.measureTextProvider(textProvider)),
    sender: traceSender(openSender(config)),
    replyTokensPerDay: config.REPLY_TOKENS_PER_DAY,
    trackingSecret: config.TRACK17_WEBHOOK_SECRET,
    deployment: describeDeployment(config, {
      version: VERSION,
      prismaDir: PRISMA_DIR,
      backupFolder: options.backupFolder ?? null,
    }),
    now: Date.now,
  };
  return {
    services,
    metrics,
    refreshMetrics: addStateGauges(metrics.registry, {
      db,
      carrier,
      countReadingTasks: reader.countTasks,
      log,
    }),
    async close() {
      carrier.close();
      await Promise.all([
        keyCalls.close(),
        ...Object.values(lastUses).map((lastUse) => lastUse.waitForWrites()),
      ]);
      await searchIndexer.close();
      await reader.close();
      await Promise.all([db.close(), replica?.close()]);
    },
  };
}
