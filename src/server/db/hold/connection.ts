import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { takeSharedLock, tryToTakeLock } from '../locks/advisory-locks';
import { clearConnectionSnapshot, countOtherConnections } from './connections.queries';

/** How many times, 50 ms apart, to check whether connections that are closing are gone. */
const CLOSING_CHECKS = 60;
const CLOSING_CHECK_MS = 50;

/** A connection that holds a server. */
export interface HoldConnection {
  client: pg.Client;
  /** Resolves when the connection has ended, for whatever reason. */
  endPromise: Promise<void>;
}

/** Connects and takes the lock in shared mode. Waits while another process is stopping the server. */
export async function takeHold(url: string): Promise<HoldConnection> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const endPromise = new Promise<void>((resolve) => client.once('end', resolve));
  // Errors are ignored, because `endPromise` tells that the connection is gone.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('BEGIN');
    await takeSharedLock(client, 'embeddedServer');
    // In an open transaction, a prepared statement keeps its snapshot until the next statement. One without parameters keeps none, so
    // vacuum can remove dead rows while the server is held, which is as long as the service runs.
    await client.query('SELECT');
    return { client, endPromise };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Gives back the lock; the connection stays open. */
export async function endSharedHold(client: pg.Client): Promise<void> {
  await client.query('COMMIT');
}

/**
 * Takes the lock exclusively if no other process holds the server, and returns whether it did. If so, processes that want to use
 * the server wait until `client` has ended.
 */
export async function tryToHoldExclusively(client: pg.Client): Promise<boolean> {
  await client.query('BEGIN');
  return tryToTakeLock(client, 'embeddedServer');
}

/** Like {@link tryToHoldExclusively}, but also returns false if another program is connected. */
export async function tryToHoldIfUnused(client: pg.Client, applicationName: string): Promise<boolean> {
  if (!(await tryToHoldExclusively(client))) return false;
  for (let check = 1; ; check++) {
    // Other programs, such as psql, take no lock.
    const [otherConnections] = await countOtherConnections.run(client, { name: applicationName });
    if (otherConnections?.count === 0) return true;
    // A process that failed to take the lock because we have it leaves the server to us, and is just closing its connection.
    if (check === CLOSING_CHECKS) return false;
    await sleep(CLOSING_CHECK_MS);
    await clearConnectionSnapshot.run(client);
  }
}
