import '../core/errors/validation';
import { z } from 'zod';
import { isAddressRange } from '../core/http/address-range';
import { FIXED_PATHS } from '../core/http/fixed-paths';
import { webOrigin, webUrl } from '../core/http/web-address';
import { CARRIER_VARIABLES } from './carrier-variables';
import { NOTIFICATION_VARIABLES } from './notification-variables';
import { REPLY_VARIABLES } from './reply-variables';
import { databaseUrl, integer, splitList } from './variable-formats';

/**
 * Every environment variable that the service reads, except NODE_ENV and the OTEL_ variables that the OpenTelemetry packages read
 * themselves. The README's table and .env.example are generated from it (`npm run readme`).
 */
export const configSchema = z.object({
  PORT: integer(0, 65_535).default(3000).meta({ description: 'TCP port to listen on; 0 picks a free one.' }),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on. `0.0.0.0` serves the network: put TLS in front of it.' }),
  APP_URL: webUrl.optional().meta({
    description: 'Public URL of this deployment, used in every link. Default: `http://localhost:PORT`.',
  }),
  DATA_DIR: z.string().min(1).optional().meta({
    description:
      'Folder of the embedded database and the generated secret. Default: `.data` in the working directory.',
  }),
  DATABASE_URL: databaseUrl.optional().meta({
    description:
      'PostgreSQL database (15 or later, in UTF-8) to use. Without it an embedded PostgreSQL is started.',
    secret: true,
  }),
  DATABASE_REPLICA_URL: databaseUrl.optional().meta({
    description:
      'A streaming replica of that database. Lists, overview, statistics and exports are read there while it is up to date.',
    secret: true,
  }),
  DATABASE_POOL_SIZE: integer(1, 500).default(10).meta({
    description:
      'Database connections for requests and pages; the pages of one user take at most half of them. Imports have a pool of their own, and lookups by key, such as those of API keys, sessions and product codes, share two more.',
  }),
  IMPORT_POOL_SIZE: integer(1, 100).default(4).meta({
    description:
      'Database connections for imports and exports, and so how many of them run at once; others wait.',
  }),
  ADMIN_PREFIX: z
    .string()
    .regex(/^\/[a-z0-9][a-z0-9-]*$/, 'must look like /admin: a slash, then a-z, 0-9 and -')
    .refine(
      (text) => !Object.values<string>(FIXED_PATHS).includes(text),
      `must be none of the service's own paths: ${Object.values(FIXED_PATHS).join(', ')}`,
    )
    .default('/admin')
    .meta({ description: 'Path under which the admin pages are served.' }),
  ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .transform((text) => text.toLowerCase())
    .optional()
    .meta({
      description: 'E-mail address of the owner created at the first start. Default: `owner@localhost`.',
    }),
  ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional().meta({
    description: 'Password of that owner. Without it one is generated and printed once.',
    secret: true,
  }),
  NEXTAUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional().meta({
    description:
      'Secret that signs sessions and encrypts two-factor secrets, signing keys and webhook addresses; if it changes, these can no longer be read. With the embedded database it is generated and stored in the data folder; required with `DATABASE_URL`.',
    secret: true,
  }),
  OIDC_ISSUER: webUrl.optional().meta({
    description:
      'OpenID Connect provider through which staff may also sign in, by the e-mail address that it has verified. People with a second factor here still have to enter it.',
  }),
  OIDC_CLIENT_ID: z.string().min(1).optional().meta({ description: 'Client id at that provider.' }),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().meta({
    description: 'Client secret at that provider. Its redirect URI is `APP_URL/api/auth/callback/oidc`.',
    secret: true,
  }),
  TRUSTED_PROXIES: z
    .string()
    .transform(splitList)
    .pipe(
      z.array(
        z.string().refine((text) => isAddressRange(text), 'must be addresses or ranges such as 10.0.0.0/8'),
      ),
    )
    .default([])
    .meta({
      description:
        'Addresses and ranges, separated by commas, of proxies whose X-Forwarded-For is trusted. Default: none.',
    }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .meta({ description: 'Lowest level that is logged: trace, debug, info, warn, error, fatal or silent.' }),
  MAX_BODY_BYTES: integer(1024, 1_073_741_824).default(1_048_576).meta({
    description: 'Maximum size of a request body, in bytes.',
  }),
  IMPORT_MAX_BODY_BYTES: integer(1024, 1_073_741_824).default(67_108_864).meta({
    description: 'Maximum size of the body or file of an order import, in bytes.',
  }),
  BODY_TIMEOUT_MS: integer(100, 3_600_000).default(30_000).meta({
    description: 'How long a request body may take to arrive, in milliseconds.',
  }),
  UPLOAD_BYTES_PER_SECOND: integer(1, 1_073_741_824).default(16_384).meta({
    description:
      'Minimum speed at which the body or file of an order import must arrive once BODY_TIMEOUT_MS has passed, in bytes per second.',
  }),
  IMPORT_MAX_ROWS: integer(1, 1_000_000)
    .default(50_000)
    .meta({ description: 'Maximum number of rows in an order import.' }),
  TRACK17_WEBHOOK_SECRET: z.string().min(1).optional().meta({
    description:
      'Secret with which 17TRACK signs its callbacks. If it is set, unsigned callbacks are refused.',
    secret: true,
  }),
  RECORD_RETENTION_DAYS: integer(1, 3_650).default(30).meta({
    description:
      'Days after which callbacks and debug records are deleted. What callbacks reported about shipments is kept.',
  }),
  IMPORT_HISTORY_DAYS: integer(1, 3_650).default(730).meta({
    description:
      'Days after which the issues and row changes of an import are deleted. It can no longer be undone then.',
  }),
  REQUEST_LOG_DAYS: integer(1, 3_650).default(7).meta({
    description:
      "Days after which calls are deleted from the request log of API keys, which has each key's last 1,000 calls.",
  }),
  ...CARRIER_VARIABLES,
  BACKGROUND_JOBS: z.enum(['true', 'false']).default('true').meta({
    description:
      'Whether this server runs the background jobs. At least one of the servers on a database has to.',
  }),
  REFRESH_HOURS: integer(1, 24).default(4).meta({
    description:
      'Hours between two queries to the carrier about a shipment that is neither delivered nor expired.',
  }),
  REFRESH_DAYS: integer(1, 3_650).default(60).meta({
    description:
      'Days without news of a shipment after which the carrier is no longer queried about it automatically.',
  }),
  ...REPLY_VARIABLES,
  ...NOTIFICATION_VARIABLES,
  RATE_LIMIT_PER_MINUTE: integer(1, 10_000_000).default(6_000).meta({
    description: 'Requests that one API key may make in a minute.',
  }),
  UNAUTHENTICATED_LIMIT_PER_MINUTE: integer(1, 10_000_000).default(3_000).meta({
    description:
      'Requests without a valid key, token or session that one address may make in a minute, on all paths together. Each process counts its own.',
  }),
  RATE_LIMIT_STORE: z.enum(['memory', 'postgres']).default('memory').meta({
    description:
      'Where requests are counted: `memory` for each process separately, `postgres` for all processes together.',
  }),
  CORS_ORIGINS: z
    .string()
    .transform(splitList)
    .pipe(z.array(webOrigin))
    .default([])
    .meta({ description: 'Origins, separated by commas, whose pages may call the API. Default: none.' }),
  BACKUP_DIR: z.string().min(1).optional().meta({
    description:
      'Folder of the daily backups. Default: `backups` in the data folder with the embedded database, none with `DATABASE_URL`.',
  }),
  BACKUP_KEEP: integer(1, 10_000).default(7).meta({
    description: 'How many daily backups are kept; older ones are deleted.',
  }),
  METRICS_PORT: integer(0, 65_535).optional().meta({
    description:
      'TCP port of `/metrics` for Prometheus (docs/metrics.md); 0 picks a free one. Default: no metrics are served.',
  }),
  METRICS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .meta({ description: 'Address to serve the metrics on. They can be read without a password.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional().meta({
    description:
      'OpenTelemetry collector that receives traces over OTLP/HTTP, such as `http://localhost:4318` (docs/traces.md). Default: no traces are sent.',
  }),
  SHUTDOWN_DELAY_MS: integer(0, 600_000).default(0).meta({
    description:
      'How long the service goes on accepting requests after it is told to stop, while `/readyz` returns 503, so that load balancers notice. The container image sets 5000.',
  }),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000).default(10_000).meta({
    description: 'How long running requests may take to finish when the service stops.',
  }),
});

/** The settings as read: the values of the variables that are set, and the defaults of the others. */
export type Settings = z.output<typeof configSchema>;
