import pg from 'pg';
import { takeLock } from '../locks/advisory-locks';
import { waitForBackups } from '../locks/table-changes';
import { countShards } from '../shard-limits';
import { CITUS_REFERENCE_TABLES, canKeepForeignKey, DISTRIBUTED_GROUPS } from './tables';

/** The result of `distribute`. The lists contain only what it changed. */
export interface Distribution {
  /** The number of workers in the cluster. */
  workers: number;
  /** How many shards the tables distributed by shop are split into. Other groups may have other numbers. */
  shards: number;
  reference: string[];
  distributed: { table: string; by: string }[];
  /** The distribution key of each group of tables that was resharded to `options.shards`. */
  resharded: string[];
  /** Foreign keys that were dropped (tables.ts). */
  droppedForeignKeys: string[];
}

/** The database cannot be distributed; the message says why and what to do. */
export class DistributionError extends Error {}

/** A foreign key from or to a table that is being moved. */
interface ForeignKey {
  on: string;
  to: string;
  name: string;
  definition: string;
}

const quoteIdentifier = pg.escapeIdentifier;

/**
 * Returns the number of workers in the cluster that this server coordinates.
 *
 * @throws DistributionError if the server has no Citus, is a worker, has no workers, or has not been told its own address
 */
export async function requireCluster(client: pg.Client): Promise<number> {
  const { rowCount: extensionCount } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (extensionCount === 0) {
    throw new DistributionError(
      'This database does not have the extension "citus". Create it on the coordinator and its workers, then try again; a single PostgreSQL needs no distribution.',
    );
  }
  const { rows: servers } = await client.query<{ isCoordinator: boolean }>(
    'SELECT (SELECT groupid FROM pg_dist_local_group) = 0 AS "isCoordinator"',
  );
  if (!servers[0]?.isCoordinator) {
    throw new DistributionError(
      'This server is a worker of the cluster. Set DATABASE_URL to the coordinator and try again.',
    );
  }
  const { rows: nodes } = await client.query<{ workerCount: number; hasCoordinator: boolean }>(
    `SELECT count(*) FILTER (WHERE groupid > 0)::int AS "workerCount", coalesce(bool_or(groupid = 0), false) AS "hasCoordinator"
       FROM pg_dist_node WHERE isactive AND noderole = 'primary'`,
  );
  const { workerCount, hasCoordinator } = nodes[0]!;
  if (!hasCoordinator || workerCount === 0) {
    throw new DistributionError(
      `The cluster has ${hasCoordinator ? 'no worker' : 'no address of its coordinator'}. ` +
        `Call ${hasCoordinator ? 'citus_add_node' : 'citus_set_coordinator_host'} on the coordinator, then try again.`,
    );
  }
  return workerCount;
}

/** Drops the foreign keys from and to the tables and returns them: they can only be checked once both sides have moved. */
async function dropForeignKeys(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS on, confrelid::regclass::text AS to, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint
      WHERE contype = 'f' AND (conrelid = ANY($1::text[]::regclass[]) OR confrelid = ANY($1::text[]::regclass[]))
      ORDER BY conname`,
    [tables],
  );
  for (const { on, name } of rows)
    await client.query(`ALTER TABLE ${on} DROP CONSTRAINT ${quoteIdentifier(name)}`);
  return rows;
}

/** Adds the foreign keys again without ON UPDATE CASCADE, which Citus refuses and which is not needed: ids never change. */
async function addForeignKeys(client: pg.Client, keys: readonly ForeignKey[]): Promise<void> {
  for (const { on, name, definition } of keys) {
    const acceptedDefinition = definition.replace(' ON UPDATE CASCADE', '');
    await client.query(`ALTER TABLE ${on} ADD CONSTRAINT ${quoteIdentifier(name)} ${acceptedDefinition}`);
  }
}

/**
 * Spreads the tables of a migrated database over the workers of its Citus cluster: reference tables are copied to every server,
 * local tables stay on the coordinator, and the others are distributed by shop, tracking number or marketplace shop ID
 * (tables.ts). Moves only tables that have not been moved yet, with their rows, in one transaction that locks them; if anything
 * fails, nothing has changed. Waits for running backups before it locks any.
 *
 * @param options.shards the number of shards of every distributed table; groups with another number are resharded. Without it,
 *   new groups get one shard per worker, because lists over all shops query every shard, and the other groups stay as they are
 * @param onWait receives a line for the administrator if a backup is running
 * @throws DistributionError if the server is not a coordinator with workers; the error of `pg` if a table cannot be moved
 */
export async function distribute(
  databaseUrl: string,
  options: { shards?: number | undefined } = {},
  onWait: (line: string) => void = () => undefined,
): Promise<Distribution> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'brickdesk-distribute',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await takeLock(client, 'migration');
    await waitForBackups(client, 'distributed', onWait);
    const workerCount = await requireCluster(client);
    const changes = await moveTables(client, options.shards ?? workerCount);
    const reshardedKeys = options.shards === undefined ? [] : await reshard(client, options.shards);
    const shardCount = await countShards(client);
    await client.query('COMMIT');
    return { workers: workerCount, shards: shardCount, ...changes, resharded: reshardedKeys };
  } finally {
    await client.end();
  }
}

const SETTINGS: Readonly<Record<string, string>> = {
  // Lets transactions change or ANALYZE several shards one after another, on one connection to each worker. By default Citus uses
  // several connections, which it refuses once the transaction has read a reference table.
  'citus.multi_shard_modify_mode': 'sequential',
  // By default, a statement that changes several shards locks each of them entirely. The service's transactions have already
  // locked rows, in the same order, and would deadlock. Sequential changes are safe without those locks.
  'citus.enable_deadlock_prevention': 'off',
};

/** Applies the settings to this transaction and to all later connections. */
async function applySettings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  for (const [name, value] of Object.entries(SETTINGS)) {
    await client.query(`SET LOCAL ${name} TO '${value}'`);
    await client.query(`ALTER DATABASE ${quoteIdentifier(rows[0]!.name)} SET ${name} TO '${value}'`);
  }
}

async function moveTables(
  client: pg.Client,
  shardCount: number,
): Promise<Pick<Distribution, 'reference' | 'distributed' | 'droppedForeignKeys'>> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT logicalrelid::text AS table FROM pg_dist_partition WHERE partmethod = 'h' OR partmethod = 'n' AND repmodel = 't'`,
  );
  const citusTables = new Set(rows.map(({ table }) => table));
  const isUnmoved = (table: string): boolean => !citusTables.has(table);
  const referenceTables = CITUS_REFERENCE_TABLES.filter(isUnmoved);
  const groups = DISTRIBUTED_GROUPS.map((group) => ({
    ...group,
    unmovedTables: group.tables.filter(isUnmoved),
  }));
  const tablesToMove = [...referenceTables, ...groups.flatMap((group) => group.unmovedTables)];
  if (tablesToMove.length === 0) return { reference: [], distributed: [], droppedForeignKeys: [] };
  await applySettings(client);
  // For the first table of each group; the tables colocated with it get the same number.
  await client.query(`SET LOCAL citus.shard_count TO ${shardCount}`);
  const foreignKeys = await dropForeignKeys(client, tablesToMove);
  for (const table of referenceTables) await client.query('SELECT create_reference_table($1)', [table]);
  for (const { column, tables, unmovedTables } of groups) {
    for (const table of unmovedTables) {
      const colocateWith = table === tables[0] ? 'none' : tables[0];
      await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [
        table,
        column,
        colocateWith,
      ]);
    }
  }
  await addForeignKeys(client, foreignKeys.filter(canKeepForeignKey));
  return {
    reference: referenceTables,
    distributed: groups.flatMap(({ by, unmovedTables }) => unmovedTables.map((table) => ({ table, by }))),
    droppedForeignKeys: foreignKeys.filter((key) => !canKeepForeignKey(key)).map(({ name }) => name),
  };
}

/**
 * Splits every group into `shardCount` shards and spreads them, with their rows, evenly over the workers. Citus recreates every
 * table of a group, with its keys and views but without its planner statistics.
 *
 * @returns the distribution keys of the groups that changed
 */
async function reshard(client: pg.Client, shardCount: number): Promise<string[]> {
  const reshardedKeys: string[] = [];
  for (const { by, tables } of DISTRIBUTED_GROUPS) {
    const { rows } = await client.query<{ shardCount: number }>(
      'SELECT count(*)::int AS "shardCount" FROM pg_dist_shard WHERE logicalrelid = $1::regclass',
      [tables[0]],
    );
    if (rows[0]!.shardCount === shardCount) continue;
    await client.query(
      'SELECT alter_distributed_table($1::regclass, shard_count => $2, cascade_to_colocated => true)',
      [tables[0], shardCount],
    );
    await client.query(`ANALYZE ${tables.map(quoteIdentifier).join(', ')}`);
    reshardedKeys.push(by);
  }
  return reshardedKeys;
}
