import type { Config } from '../config/config';
import { configSchema } from '../config/config-schema';
import type { Deployment } from '../settings/service';
import type { UpstreamProbe } from '../settings/upstream-probe';
import { UPKEEP_INTERVAL_MS } from './upkeep';

const LIMIT_VARIABLES = [
  'MAX_BODY_BYTES',
  'IMPORT_MAX_BODY_BYTES',
  'IMPORT_MAX_ROWS',
  'BODY_TIMEOUT_MS',
  'UPLOAD_BYTES_PER_SECOND',
  'RATE_LIMIT_PER_MINUTE',
  'UNAUTHENTICATED_LIMIT_PER_MINUTE',
  'RATE_LIMIT_STORE',
  'RECORD_RETENTION_DAYS',
  'DATABASE_POOL_SIZE',
  'IMPORT_POOL_SIZE',
  'CARRIER_TIMEOUT_MS',
  'OPENAI_TIMEOUT_MS',
  'OPENAI_MAX_OUTPUT_TOKENS',
  'REPLY_TOKENS_PER_DAY',
  'SHUTDOWN_TIMEOUT_MS',
] as const satisfies (keyof Config)[];

type VariableName = keyof typeof configSchema.shape;

const metaOf = (name: VariableName) =>
  configSchema.shape[name].meta() as { description: string; secret?: boolean };

/**
 * Returns a request that checks the carrier at no cost: it asks 17TRACK for our quota, or Yanwen for a number that it does not
 * know. Null if the carrier is not configured.
 */
function createCarrierProbe(config: Config): UpstreamProbe | null {
  switch (config.CARRIER) {
    case 'yanwen':
      if (!config.YANWEN_ACCOUNT) return null;
      return {
        name: 'yanwen',
        url: `${config.YANWEN_BASE_URL}/api/tracking?nums=BRICKDESKPROBE`,
        method: 'GET',
        headers: { Authorization: config.YANWEN_ACCOUNT },
      };
    case '17track':
      if (!config.TRACK17_KEY) return null;
      return {
        name: '17track',
        url: `${config.TRACK17_BASE_URL}/getquota`,
        method: 'POST',
        headers: { '17token': config.TRACK17_KEY, 'Content-Type': 'application/json' },
        body: '[]',
      };
  }
}

/** Returns a request that checks the text provider at no cost: it lists the models. Null if no provider is configured. */
function createTextProviderProbe(config: Config): UpstreamProbe | null {
  if (!config.OPENAI_API_KEY) return null;
  return {
    name: config.OPENAI_MODEL,
    url: `${config.OPENAI_BASE_URL}/models`,
    method: 'GET',
    headers: { Authorization: `Bearer ${config.OPENAI_API_KEY}` },
  };
}

/**
 * Returns the parts of the configuration that users may see (settings/service.ts). Also returns the requests that check the
 * carrier and the text provider; they contain keys and must not be shown.
 */
export function describeDeployment(
  config: Config,
  installation: { version: string; prismaDir: string; backupFolder: string | null },
): Deployment {
  const secretNames = (Object.keys(configSchema.shape) as VariableName[]).filter(
    (name) => metaOf(name).secret,
  );
  return {
    version: installation.version,
    prismaDir: installation.prismaDir,
    backupSettings:
      installation.backupFolder === null
        ? null
        : { folder: installation.backupFolder, keep: config.BACKUP_KEEP },
    limits: LIMIT_VARIABLES.map((name) => ({
      name,
      description: metaOf(name).description,
      value: config[name],
    })),
    secrets: secretNames.map((name) => ({
      name,
      description: metaOf(name).description,
      set: config[name] !== undefined,
    })),
    carrierProbe: createCarrierProbe(config),
    textProviderProbe: createTextProviderProbe(config),
    upkeepMinutes: UPKEEP_INTERVAL_MS / 60_000,
  };
}
