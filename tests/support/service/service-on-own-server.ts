import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { startEmbeddedDatabase } from '../../../src/server/db/embedded';
import { withConnection } from '../database/cluster-database';
import { createMigratedDataDir } from '../database/migrated-data-dir';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { startTestService, type TestService } from './test-service';

/** A service with its own PostgreSQL server, which a test may stop and change. */
export interface ServiceOnOwnServer extends TestService {
  /** The data folder of the server. */
  dataDir: string;
  stopDatabase(): Promise<void>;
  startDatabase(): Promise<void>;
  /** Runs work on a connection outside the service. */
  withConnection<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result>;
  /** Runs statements as the superuser, outside the service. */
  runAsSuperuser(...statements: string[]): Promise<void>;
}

/**
 * Starts a PostgreSQL server, and a service on it.
 *
 * @param name part of the name of the temporary folder
 */
export async function startServiceOnOwnServer(
  name: string,
  environment: Record<string, string> = {},
): Promise<ServiceOnOwnServer> {
  const folder = await makeTemporaryFolder(name);
  const dataDir = await createMigratedDataDir(path.join(folder, 'data'));
  let server = await startEmbeddedDatabase({ dataDir });
  const service = await startTestService(environment, {
    url: server.url,
    name: 'brickdesk',
    query: (sql, values) =>
      withConnection(server.url, async (client) => (await client.query(sql, values)).rows),
    async drop() {
      await server.stop();
      await removeTemporaryFolder(folder);
    },
  });
  return {
    ...service,
    dataDir,
    stopDatabase: () => server.stop(),
    async startDatabase() {
      server = await startEmbeddedDatabase({ dataDir });
    },
    withConnection: (work) => withConnection(server.url, work),
    async runAsSuperuser(...statements) {
      const url = new URL(server.url);
      url.username = 'postgres';
      url.password = await readFile(path.join(dataDir, 'database-superuser-password'), 'utf8');
      await withConnection(url.href, async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    },
  };
}
