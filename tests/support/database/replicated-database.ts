import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { migrate } from '../../../src/server/db/migration/migrate';
import { seedReferenceData } from '../../../src/server/runtime/reference-data';
import { copyDataDir } from './migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folder';
import type { TestDatabase } from './test-database';

/** A database with a streaming replica, both real servers. */
export interface ReplicatedDatabase {
  primary: TestDatabase;
  replicaUrl: string;
  /** Runs SQL on the replica as its superuser. */
  runOnReplica(sql: string): Promise<void>;
  /** Returns what the replica has logged since the last call, which includes every statement that it ran. */
  readReplicaLog(): Promise<string>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

const PRISMA_DIR = path.resolve('prisma');

async function readSuperuserUrl(server: EmbeddedDatabase, dataDir: string): Promise<string> {
  const url = new URL(server.url);
  url.username = 'postgres';
  url.password = await readFile(path.join(dataDir, 'database-superuser-password'), 'utf8');
  return url.href;
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Starts the two servers. The replica starts from a copy of the primary's folder, taken while the primary was stopped. The primary is a
 * new cluster, not a copy: the tests need a replica whose system identifier differs from that of their own server.
 */
export async function createReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await makeTemporaryFolder('replica');
  const primaryDir = path.join(folder, 'primary');
  const replicaDir = path.join(folder, 'replica');
  const initialPrimary = await startEmbeddedDatabase({ dataDir: primaryDir });
  await migrate(initialPrimary.url, PRISMA_DIR, (client) => seedReferenceData(client, PRISMA_DIR));
  await initialPrimary.stop();
  await copyDataDir(primaryDir, replicaDir);
  const primary = await startEmbeddedDatabase({ dataDir: primaryDir });
  const { port, password } = new URL(await readSuperuserUrl(primary, primaryDir));
  const clusterFolder = path.join(replicaDir, 'postgres');
  await appendFile(
    path.join(clusterFolder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\nlog_statement = 'all'\n`,
  );
  await writeFile(path.join(clusterFolder, 'standby.signal'), '');
  let replica = await startEmbeddedDatabase({ dataDir: replicaDir });
  const pool = new pg.Pool({ connectionString: primary.url, max: 2 });
  const logPath = path.join(replicaDir, 'postgres.log');
  let logOffset = 0;
  return {
    primary: {
      url: primary.url,
      name: 'brickdesk',
      query: async (sql, values) => (await pool.query(sql, values)).rows,
      async drop() {
        await pool.end();
        await replica.stop();
        await primary.stop();
        await removeTemporaryFolder(folder);
      },
    },
    replicaUrl: replica.url,
    runOnReplica: async (sql) => runSql(await readSuperuserUrl(replica, replicaDir), sql),
    async readReplicaLog() {
      const log = await readFile(logPath, 'utf8');
      const addedText = log.slice(logOffset);
      logOffset = log.length;
      return addedText;
    },
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await startEmbeddedDatabase({ dataDir: replicaDir });
    },
  };
}
