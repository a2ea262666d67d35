import { listBackups } from '../backup/daily-service';
import type { Database } from '../db/client';
import { migrationStatus, shippedMigrations } from '../db/migrate';
import { probe, type Upstream } from './upstream-probe';

/** The parts of the configuration that users may see. Of a secret, only whether it is set. */
export interface Deployment {
  version: string;
  prismaDir: string;
  /** The limits in effect, under the names of their variables. */
  limits: { name: string; description: string; value: string | number }[];
  secrets: { name: string; description: string; set: boolean }[];
  carrier: Upstream | null;
  textProvider: Upstream | null;
  /** The folder of the daily backups and how many are kept; null if none are made. */
  backups: { folder: string; keep: number } | null;
  /** How often expired data is deleted, in minutes. */
  upkeepMinutes: number;
}

const LARGEST_TABLES = 12;

const DATABASE = `
SELECT current_setting('server_version') AS version, pg_database_size(current_database())::text AS bytes,
       (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()) AS connections,
       current_setting('max_connections')::int AS max_connections`;

/** PostgreSQL's estimated row counts, because counting would read every table. */
const TABLES = `
SELECT c.relname AS name, pg_total_relation_size(c.oid)::text AS bytes, greatest(c.reltuples, 0)::bigint::text AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
 ORDER BY pg_total_relation_size(c.oid) DESC, c.relname LIMIT ${LARGEST_TABLES}`;

/** Jobs by state; pg-boss keeps finished ones for some days. */
const QUEUES = `
SELECT name, count(*) FILTER (WHERE state::text IN ('created', 'retry'))::int AS waiting,
       count(*) FILTER (WHERE state::text = 'active')::int AS active,
       count(*) FILTER (WHERE state::text = 'failed')::int AS failed,
       min(created_on) FILTER (WHERE state::text IN ('created', 'retry') AND start_after <= now()) AS oldest,
       max(completed_on) FILTER (WHERE state::text = 'completed') AS last_done
  FROM pgboss.job GROUP BY name ORDER BY name`;

interface Queue {
  name: string;
  waiting: number;
  active: number;
  failed: number;
  oldest: Date | null;
  last_done: Date | null;
}

/** Returns how many jobs wait in the queues; null before any server has created them. */
async function queueDepths(db: Database): Promise<Queue[] | null> {
  const made = await db.pool.query<{ made: boolean }>(`SELECT to_regclass('pgboss.job') IS NOT NULL AS made`);
  return made.rows[0]!.made ? (await db.pool.query<Queue>(QUEUES)).rows : null;
}

const shownQueue = (queue: Queue) => ({
  ...queue,
  oldest: queue.oldest?.toISOString() ?? null,
  last_done: queue.last_done?.toISOString() ?? null,
});

const poolUse = (pool: Database['pool']) => ({
  size: pool.options.max,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/** Returns the health of the service: versions, database, queues, limits. Does not call other services; checkUpstreams does. */
export async function readHealth(db: Database, deployment: Deployment) {
  const [database, tables, migrations, queues, backups] = await Promise.all([
    db.pool.query<{ version: string; bytes: string; connections: number; max_connections: number }>(DATABASE),
    db.pool.query<{ name: string; bytes: string; rows: string }>(TABLES),
    shippedMigrations(deployment.prismaDir).then((names) => migrationStatus(db.pool, names)),
    queueDepths(db),
    deployment.backups ? listBackups(deployment.backups.folder) : [],
  ]);
  const { version, bytes, connections, max_connections } = database.rows[0]!;
  return {
    versions: { app: deployment.version, node: process.versions.node, postgres: version },
    uptime_seconds: Math.round(process.uptime()),
    migrations,
    database: {
      bytes: Number(bytes),
      connections,
      max_connections,
      tables: tables.rows.map((table) => ({
        ...table,
        bytes: Number(table.bytes),
        rows: Number(table.rows),
      })),
      pools: { work: poolUse(db.pool), bulk: poolUse(db.bulkPool) },
    },
    backups: deployment.backups && {
      ...deployment.backups,
      stored: backups.map(({ name, bytes: size, createdAt }) => ({
        name,
        bytes: size,
        created_at: createdAt.toISOString(),
      })),
    },
    queues: queues?.map(shownQueue) ?? null,
    upstreams: {
      carrier: deployment.carrier?.name ?? null,
      text_provider: deployment.textProvider?.name ?? null,
    },
    limits: deployment.limits,
    secrets: deployment.secrets,
    upkeep: {
      interval_minutes: deployment.upkeepMinutes,
      last_done: queues?.find(({ name }) => name === 'upkeep')?.last_done?.toISOString() ?? null,
    },
  };
}

/** Sends one cheap request each to the carrier and the text provider. */
export async function checkUpstreams({ carrier, textProvider }: Deployment) {
  const [carrierReach, textReach] = await Promise.all([probe(carrier), probe(textProvider)]);
  return {
    carrier: { name: carrier?.name ?? null, ...carrierReach },
    text_provider: { name: textProvider?.name ?? null, ...textReach },
  };
}
