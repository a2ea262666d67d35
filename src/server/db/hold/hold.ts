import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { takeSharedLock, tryToTakeLock } from '../advisory-locks';
import type { EmbeddedDatabase } from '../embedded';
import { countOtherConnections } from './connections.queries';

/** The maximum number of attempts: each may fail because another process stops the server just before we hold it. */
const MAX_ATTEMPTS = 10;

/** The embedded server of a data folder, which no other command or service stops while this process holds it. */
export interface HeldServer {
  database: EmbeddedDatabase;
  /** Ends the hold. Stops the server if this process started it and no other process uses it. */
  release(): Promise<void>;
  /**
   * Ends the hold. Stops the server, even if a killed process left it running, unless another process holds it, such as a command
   * or another service on the same folder.
   */
  releaseAndStop(): Promise<void>;
}

/** Returns the same URL with a name for this process's connections, to distinguish them from those of other processes. */
function withApplicationName(url: string, name: string): string {
  const namedUrl = new URL(url);
  namedUrl.searchParams.set('application_name', name);
  return namedUrl.href;
}

async function takeHold(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Errors are ignored: this connection is idle, and the connections that do the work notice if the server is gone.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // An open transaction without a snapshot does not hold back vacuum.
    await client.query('BEGIN');
    await takeSharedLock(client, 'embeddedServer');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/**
 * Takes the lock exclusively if no other process holds the server, and returns whether it did. If so, processes that want to use
 * the server wait until `client` has ended.
 */
async function tryToHoldExclusively(client: pg.Client): Promise<boolean> {
  await client.query('COMMIT');
  await client.query('BEGIN');
  return tryToTakeLock(client, 'embeddedServer');
}

/** Like {@link tryToHoldExclusively}, but also returns false if another program is connected. */
async function tryToHoldIfUnused(client: pg.Client, applicationName: string): Promise<boolean> {
  if (!(await tryToHoldExclusively(client))) return false;
  // Other programs, such as psql, take no lock.
  const [otherConnections] = await countOtherConnections.run(client, { name: applicationName });
  return otherConnections?.count === 0;
}

/**
 * Holds the server that `openServer` finds or starts; calls `openServer` again if that server is stopped in the meantime. Once
 * a process has decided to stop its server, no other process can hold it: the others wait for the stop and start the server again.
 *
 * @throws what `openServer` throws; the connection's error if the server cannot be held after ten attempts
 */
export async function holdServer(openServer: () => Promise<EmbeddedDatabase>): Promise<HeldServer> {
  const applicationName = `brickdesk-${randomBytes(6).toString('hex')}`;
  for (let attempt = 1; ; attempt++) {
    const database = await openServer();
    const url = withApplicationName(database.url, applicationName);
    const client = await takeHold(url).catch((error: unknown) => {
      if (attempt === MAX_ATTEMPTS) throw error;
      return null; // Another process has probably just stopped it.
    });
    if (client === null) continue;
    const endHold = async (holder: pg.Client, shouldStop: boolean) => {
      try {
        // The connection stays open until the server has ended, because it holds the lock.
        if (shouldStop) await database.stop();
      } finally {
        await holder.end();
      }
    };
    return {
      database: { ...database, url },
      release: async () =>
        endHold(
          client,
          database.isNewlyStarted && (await tryToHoldIfUnused(client, applicationName).catch(() => false)),
        ),
      async releaseAndStop() {
        // When one of its processes crashes, PostgreSQL ends all connections, and the hold with them.
        const isLost = await client.query('SELECT 1').then(
          () => false,
          () => true,
        );
        const holder = isLost ? await takeHold(url).catch(() => null) : client;
        if (holder) await endHold(holder, await tryToHoldExclusively(holder).catch(() => false));
      },
    };
  }
}
