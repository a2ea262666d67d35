import { z } from 'zod';
import { instantSchema } from '../core/fields';

const pool = z.object({ size: z.int(), open: z.int(), idle: z.int(), waiting: z.int() });

export const healthOutput = z.object({
  versions: z.object({ app: z.string(), node: z.string(), postgres: z.string() }),
  uptime_seconds: z.int(),
  migrations: z.object({
    applied: z.array(z.string()),
    pending: z.array(z.string()),
    failed: z.array(z.string()),
  }),
  database: z.object({
    bytes: z.number(),
    connections: z.int(),
    max_connections: z.int(),
    /** The largest tables. `bytes` includes their indexes; `rows` is PostgreSQL's estimate. */
    tables: z.array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() })),
    /** The connection pools of this process. */
    pools: z.object({ work: pool, lookups: pool, bulk: pool }),
  }),
  /** The daily backups, newest first. Null if backups are off. */
  backups: z
    .object({
      folder: z.string(),
      keep: z.int(),
      stored: z.array(z.object({ name: z.string(), bytes: z.number(), created_at: instantSchema })),
      /** The system's code for why the folder cannot be read, such as `EACCES`. Null if it can. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** The queues of background jobs. Null if they have not been created yet. */
  queues: z
    .array(
      z.object({
        name: z.string(),
        waiting: z.int(),
        active: z.int(),
        failed: z.int(),
        /** When the oldest job that is due was created. Null if none is due. */
        oldest: instantSchema.nullable(),
        last_done: instantSchema.nullable(),
      }),
    )
    .nullable(),
  /** The name of the carrier, and of the text provider's model. Each is null if not configured. */
  upstreams: z.object({ carrier: z.string().nullable(), text_provider: z.string().nullable() }),
  limits: z.array(
    z.object({ name: z.string(), description: z.string(), value: z.union([z.string(), z.number()]) }),
  ),
  /** Whether each secret is set, never its value. */
  secrets: z.array(z.object({ name: z.string(), description: z.string(), set: z.boolean() })),
  upkeep: z.object({
    interval_minutes: z.number(),
    last_done: instantSchema.nullable(),
  }),
});

/** The outcomes of a check whether another service can be reached. `refused` means that the service rejected the key. */
const PROBE_OUTCOMES = [
  'not_configured',
  'reachable',
  'refused',
  'failing',
  'timeout',
  'unreachable',
] as const;
export type ProbeOutcome = (typeof PROBE_OUTCOMES)[number];

const upstreamProbeResult = z.object({
  name: z.string().nullable(),
  reach: z.enum(PROBE_OUTCOMES),
  duration_ms: z.int().nullable(),
});

export const upstreamsOutput = z.object({ carrier: upstreamProbeResult, text_provider: upstreamProbeResult });
