import { type DailyBackups, listBackups } from '../backup/daily-service';
import type { Database } from '../db/client';
import { listShippedMigrations, readMigrationStatus } from '../db/migration/migrate';
import * as sql from './settings.queries';
import { probeUpstream, type UpstreamProbe } from './upstream-probe';

/**
 * The parts of the configuration that users may see (of secrets, only whether they are set), and the requests that check the
 * carrier and the text provider, which contain keys and must not be shown.
 */
export interface Deployment {
  version: string;
  prismaDir: string;
  /** The limits in effect, under the names of their variables. */
  limits: { name: string; description: string; value: string | number }[];
  secrets: { name: string; description: string; set: boolean }[];
  carrierProbe: UpstreamProbe | null;
  textProviderProbe: UpstreamProbe | null;
  /** The folder of the daily backups and how many are kept. Null if backups are off. */
  backupSettings: DailyBackups | null;
  /** How often expired data is deleted, in minutes. */
  upkeepMinutes: number;
}

/** Returns the state of each job queue, or null if no server has created the queues yet. */
export async function listJobQueues({ pool }: Database): Promise<sql.ListQueuesRow[] | null> {
  const [schemaRow] = await sql.hasQueues.run(pool);
  return schemaRow!.exist ? sql.listQueues.run(pool) : null;
}

const toQueueOutput = (queue: sql.ListQueuesRow) => ({
  ...queue,
  oldest: queue.oldest?.toISOString() ?? null,
  last_done: queue.last_done?.toISOString() ?? null,
});

/** Returns the backups in a folder, or why it cannot be read, so that the rest of the page is shown all the same. */
async function readBackups({ folder, keep }: DailyBackups) {
  try {
    const backups = await listBackups(folder);
    const stored = backups.map(({ name, bytes, createdAt }) => ({
      name,
      bytes,
      created_at: createdAt.toISOString(),
    }));
    return { folder, keep, stored, problem: null };
  } catch (error) {
    return { folder, keep, stored: [], problem: (error as NodeJS.ErrnoException).code ?? String(error) };
  }
}

const describePool = (pool: Database['pool']) => ({
  size: pool.options.max,
  open: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
});

/**
 * Returns the health of the service: versions, database, job queues and limits. Does not call other services, unlike
 * checkUpstreams.
 */
export async function readHealth(db: Database, deployment: Deployment) {
  // Read before this function's own statements, which would count as load.
  const pools = {
    work: describePool(db.pool),
    lookups: describePool(db.lookups.pool),
    bulk: describePool(db.bulkPool),
  };
  const [[database], tables, migrations, queues, backups] = await Promise.all([
    sql.readDatabaseInfo.run(db.pool),
    sql.listTables.run(db.pool),
    listShippedMigrations(deployment.prismaDir).then((names) => readMigrationStatus(db.pool, names)),
    listJobQueues(db),
    deployment.backupSettings && readBackups(deployment.backupSettings),
  ]);
  const { version, bytes, connections, max_connections } = database!;
  return {
    versions: { app: deployment.version, node: process.versions.node, postgres: version },
    uptime_seconds: Math.round(process.uptime()),
    migrations,
    database: {
      bytes: Number(bytes),
      connections,
      max_connections,
      tables: tables.map((table) => ({
        ...table,
        bytes: Number(table.bytes),
        rows: Number(table.rows),
      })),
      pools,
    },
    backups,
    queues: queues?.map(toQueueOutput) ?? null,
    upstreams: {
      carrier: deployment.carrierProbe?.name ?? null,
      text_provider: deployment.textProviderProbe?.name ?? null,
    },
    limits: deployment.limits,
    secrets: deployment.secrets,
    upkeep: {
      interval_minutes: deployment.upkeepMinutes,
      last_done: queues?.find(({ name }) => name === 'upkeep')?.last_done?.toISOString() ?? null,
    },
  };
}

/** Sends one cheap request each to the carrier and the text provider, if they are configured. */
export async function checkUpstreams({ carrierProbe, textProviderProbe }: Deployment) {
  const [carrierProbeResult, textProviderProbeResult] = await Promise.all([
    probeUpstream(carrierProbe),
    probeUpstream(textProviderProbe),
  ]);
  return {
    carrier: { name: carrierProbe?.name ?? null, ...carrierProbeResult },
    text_provider: { name: textProviderProbe?.name ?? null, ...textProviderProbeResult },
  };
}
