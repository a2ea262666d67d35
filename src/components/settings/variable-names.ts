import { messageKeys } from '../../i18n/message-keys';

/** The descriptions of the limits and secrets that the page System shows, in the reader's language. */
export const VARIABLE_DESCRIPTIONS = messageKeys('settings', {
  MAX_BODY_BYTES: 'variables.maxBody',
  IMPORT_MAX_BODY_BYTES: 'variables.importMaxBody',
  IMPORT_MAX_ROWS: 'variables.importMaxRows',
  BODY_TIMEOUT_MS: 'variables.bodyTimeout',
  UPLOAD_BYTES_PER_SECOND: 'variables.uploadSpeed',
  OPENAI_MAX_OUTPUT_TOKENS: 'variables.replyLength',
  REPLY_TOKENS_PER_DAY: 'variables.replyTokens',
  UNAUTHENTICATED_LIMIT_PER_MINUTE: 'variables.unauthenticatedLimit',
  RATE_LIMIT_PER_MINUTE: 'variables.rateLimit',
  RATE_LIMIT_STORE: 'variables.rateLimitStore',
  RECORD_RETENTION_DAYS: 'variables.retention',
  DATABASE_POOL_SIZE: 'variables.pool',
  IMPORT_POOL_SIZE: 'variables.importPool',
  CARRIER_TIMEOUT_MS: 'variables.carrierTimeout',
  OPENAI_TIMEOUT_MS: 'variables.textTimeout',
  SHUTDOWN_TIMEOUT_MS: 'variables.shutdownTimeout',
  DATABASE_URL: 'variables.databaseUrl',
  DATABASE_REPLICA_URL: 'variables.replicaUrl',
  ADMIN_PASSWORD: 'variables.adminPassword',
  NEXTAUTH_SECRET: 'variables.sessionSecret',
  OIDC_CLIENT_SECRET: 'variables.identitySecret',
  TRACK17_WEBHOOK_SECRET: 'variables.callbackSecret',
  TRACK17_KEY: 'variables.track17Key',
  YANWEN_ACCOUNT: 'variables.yanwenAccount',
  SMTP_URL: 'variables.smtp',
  OPENAI_API_KEY: 'variables.textKey',
});

/** The names of the stores that count calls for the rate limits. */
export const STORE_NAMES = messageKeys('settings', { memory: 'stores.memory', postgres: 'stores.postgres' });
