import pg from 'pg';
import type { Config } from '../config/config';
import { findRunningServer, hasDatabase, resolveDataDir, startEmbeddedDatabase } from '../db/embedded';
import { connectToExternalDatabase } from '../db/external-database';
import { holdServer } from '../db/hold/hold';
import { CommandError } from './output';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Without a listener, a connection lost while it is idle would end the process. The next query reports the loss.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** An open connection to the database, and how to close it. */
export interface DatabaseHandle {
  url: string;
  client: pg.Client;
  /** Closes the connection, and stops the embedded server if it was started for it and nothing else uses it. */
  release(): Promise<void>;
}

/**
 * Connects to the database in `DATABASE_URL`.
 *
 * @throws ExternalDatabaseError if it cannot be used
 */
export async function openConfiguredDatabase(url: string): Promise<DatabaseHandle> {
  const client = await connectToExternalDatabase(url);
  return { url, client, release: () => client.end() };
}

/**
 * Connects to the database in the data folder, whose server is started if it is not running.
 *
 * @param use.mustExist whether to refuse a folder without a database instead of creating one
 * @throws EmbeddedDatabaseError if it cannot be used; CommandError if it must exist and does not
 */
export async function openEmbeddedDatabase(
  config: Config,
  { mustExist = false }: { mustExist?: boolean },
): Promise<DatabaseHandle> {
  const { dir } = resolveDataDir({ dataDir: config.DATA_DIR, cwd: process.cwd() });
  const { url, release } = await holdServer(async (port) => {
    const runningServer = await findRunningServer(dir);
    if (runningServer) return runningServer;
    if (mustExist && !hasDatabase(dir))
      throw new CommandError(
        `There is no database in ${dir}. Set DATA_DIR to the data folder of the service, or DATABASE_URL to its database.`,
      );
    return startEmbeddedDatabase({ dataDir: dir, port });
  });
  const client = await connect(url);
  return {
    url,
    client,
    async release() {
      await client.end();
      await release();
    },
  };
}
