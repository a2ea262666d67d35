import path from 'node:path';
import pg from 'pg';
import { distribute } from '../../../src/server/db/distribution/distribute';
import { migrate } from '../../../src/server/db/migration/migrate';
import { seedReferenceData } from '../../../src/server/runtime/reference-data';

/** A worker of a cluster. Its URL is `TEST_DATABASE_URL` with this host and port. */
export interface Worker {
  host: string;
  port: number;
}

/** Returns the URL of another database on the same server. */
export function urlOfDatabase(url: string, name: string): string {
  const databaseUrl = new URL(url);
  databaseUrl.pathname = `/${name}`;
  return databaseUrl.href;
}

function urlOfNode(url: string, { host, port }: Worker): string {
  const nodeUrl = new URL(url);
  nodeUrl.hostname = host;
  nodeUrl.port = String(port);
  return nodeUrl.href;
}

export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the workers of the coordinator at a URL; none for an ordinary PostgreSQL server. */
export function findWorkers(url: string): Promise<Worker[]> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
    if (rows.length === 0) return [];
    const nodes = await client.query<Worker>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY nodeid',
    );
    return nodes.rows;
  });
}

/** Migrates and seeds a database. */
export async function migrateAndSeed(url: string): Promise<void> {
  const prismaDir = path.resolve('prisma');
  await migrate(url, prismaDir, (client) => seedReferenceData(client, prismaDir));
}

/** Creates an empty database on each node, migrates the coordinator's and distributes it as `db distribute` does. */
export async function createDistributedDatabase(
  coordinatorUrl: string,
  workers: readonly Worker[],
  name: string,
): Promise<void> {
  const nodeUrls = [coordinatorUrl, ...workers.map((worker) => urlOfNode(coordinatorUrl, worker))];
  await Promise.all(
    nodeUrls.map(async (nodeUrl) => {
      await withConnection(nodeUrl, (client) => client.query(`CREATE DATABASE ${name}`));
      await withConnection(urlOfDatabase(nodeUrl, name), (client) => client.query('CREATE EXTENSION citus'));
    }),
  );
  const url = urlOfDatabase(coordinatorUrl, name);
  await withConnection(coordinatorUrl, async (lockClient) => {
    // Adding a worker copies the server's roles to it, which two test files must not do at the same time.
    await lockClient.query(`SELECT pg_advisory_lock(hashtext('citus_add_node'))`);
    await withConnection(url, async (client) => {
      const { hostname, port } = new URL(coordinatorUrl);
      await client.query('SELECT citus_set_coordinator_host($1, $2)', [hostname, Number(port || 5432)]);
      for (const { host, port } of workers) await client.query('SELECT citus_add_node($1, $2)', [host, port]);
    });
  });
  await migrateAndSeed(url);
  await distribute(url);
}

/** Drops a database on each node, even if it is still in use. */
export async function dropDatabaseOnEachNode(
  coordinatorUrl: string,
  workers: readonly Worker[],
  name: string,
): Promise<void> {
  for (const nodeUrl of [coordinatorUrl, ...workers.map((worker) => urlOfNode(coordinatorUrl, worker))]) {
    await withConnection(nodeUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  }
}
