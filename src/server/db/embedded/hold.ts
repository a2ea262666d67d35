import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { shareLock, tryToTakeLock } from '../advisory-locks';
import { countOthers } from './connections.queries';
import type { EmbeddedDatabase } from './embedded';

/** How often the server may be stopped by another process just before we get hold of it. */
const ATTEMPTS = 10;

/** The embedded server of a data folder, which no command stops while this process holds it. */
export interface HeldServer {
  database: EmbeddedDatabase;
  /** Ends the hold. Stops the server if this process has started it and no other uses it. */
  release(): Promise<void>;
}

/** The same database, with a name for the connections of this process, to distinguish them from those of others. */
function named(url: string, name: string): string {
  const changed = new URL(url);
  changed.searchParams.set('application_name', name);
  return changed.href;
}

async function begin(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // This connection is idle while others work; they report that the server is gone.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Without a snapshot an open transaction keeps nothing from being vacuumed.
    await client.query('BEGIN');
    await shareLock(client, 'embeddedServer');
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Returns whether nobody else uses the server. If so, others who want to use it wait until `client` has ended. */
async function isUnused(client: pg.Client, name: string): Promise<boolean> {
  await client.query('COMMIT');
  await client.query('BEGIN');
  if (!(await tryToTakeLock(client, 'embeddedServer'))) return false;
  // A user's psql takes no lock.
  const [others] = await countOthers.run(client, { name });
  return others?.count === 0;
}

/**
 * Holds the server that `open` finds or starts; asks it again if that one is stopped meanwhile. Between the moment at which a
 * process decides to stop its server and the stop, nobody else gets hold of it: they wait, and start it again.
 *
 * @throws what `open` throws
 */
export async function holdServer(open: () => Promise<EmbeddedDatabase>): Promise<HeldServer> {
  const name = `brickdesk-${randomBytes(6).toString('hex')}`;
  for (let attempt = 1; ; attempt++) {
    const database = await open();
    const url = named(database.url, name);
    const client = await begin(url).catch((error: unknown) => {
      if (attempt === ATTEMPTS) throw error;
      return null; // It has just been stopped.
    });
    if (client === null) continue;
    const release = async () => {
      const stop = database.started && (await isUnused(client, name).catch(() => false));
      try {
        // The connection stays open until the server has ended, because it holds the lock.
        if (stop) await database.stop();
      } finally {
        await client.end();
      }
    };
    return { database: { ...database, url }, release };
  }
}
