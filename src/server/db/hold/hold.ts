import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type EmbeddedDatabase, EmbeddedDatabaseError } from '../embedded';
import {
  endSharedHold,
  type HoldConnection,
  takeHold,
  tryToHoldExclusively,
  tryToHoldIfUnused,
} from './connection';

/** The maximum number of attempts: each may fail because another process stops the server just before we hold it. */
const MAX_ATTEMPTS = 10;
/** How often to try to start a server that has ended. The waits between add up to a quarter of a minute. */
const MAX_RESTART_ATTEMPTS = 6;
const FIRST_RESTART_DELAY_MS = 500;

/** The embedded server of a data folder, which no other command or service stops while this process holds it. */
export interface HeldServer {
  /** The server's URL with a name for this process's connections. It stays the same when the server is started again. */
  url: string;
  /**
   * Ends the hold. Stops the server if no other process uses it, and this process started it or the process that should have
   * stopped it left it to others.
   */
  release(): Promise<void>;
  /**
   * Ends the hold. Stops the server, even if a killed process left it running, unless another process holds it, such as a command
   * or another service on the same folder: the last of those then stops it.
   */
  releaseAndStop(): Promise<void>;
}

/** Finds the server of a data folder, or starts it: on this port, if one is given. */
export type OpenServer = (port?: number) => Promise<EmbeddedDatabase>;

/** What happens to a server while it is held. */
export interface HoldListener {
  /** The server has ended, or has ended all connections because one of its processes crashed. It is about to be held again. */
  onLost?(): void;
  /** The server runs, and is held again. */
  onRegained?(): void;
  /** The server could not be started again. */
  onFailed?(error: unknown): void;
}

interface Hold extends HoldConnection {
  database: EmbeddedDatabase;
}

/** Returns the same URL with a name for this process's connections, to distinguish them from those of other processes. */
function withApplicationName(url: string, name: string): string {
  const namedUrl = new URL(url);
  namedUrl.searchParams.set('application_name', name);
  return namedUrl.href;
}

/** Opens the server and holds it; opens it again if another process stops it in the meantime. */
async function openAndHold(openServer: OpenServer, applicationName: string, port?: number): Promise<Hold> {
  for (let attempt = 1; ; attempt++) {
    const database = await openServer(port);
    try {
      return { database, ...(await takeHold(withApplicationName(database.url, applicationName))) };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error; // Otherwise another process has probably just stopped it.
    }
  }
}

/** Like {@link openAndHold}, for a server that has ended: its users go on using the same URL. */
async function openAndHoldAgain(
  openServer: OpenServer,
  name: string,
  former: EmbeddedDatabase,
): Promise<Hold> {
  const hold = await openAndHold(openServer, name, former.port);
  if (hold.database.url === former.url) return hold;
  await hold.client.end();
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL was started on port ${hold.database.port} instead of ${former.port}, so this process cannot go on using it: start it again.`,
  );
}

/**
 * Holds the server that `openServer` finds or starts; calls `openServer` again if that server is stopped in the meantime. Once
 * a process has decided to stop its server, no other process can hold it: the others wait for the stop and start the server again.
 *
 * When the server ends while it is held, it is started again. When one of its processes crashes, PostgreSQL ends all connections,
 * and the hold with them; it is then taken again.
 *
 * @throws what `openServer` throws; the connection's error if the server cannot be held after ten attempts
 */
export async function holdServer(openServer: OpenServer, listener: HoldListener = {}): Promise<HeldServer> {
  const applicationName = `brickdesk-${randomBytes(6).toString('hex')}`;
  let hold = await openAndHold(openServer, applicationName);
  const url = withApplicationName(hold.database.url, applicationName);
  let isOwnServer = hold.database.isNewlyStarted;
  let regainPromise = Promise.resolve();
  const ending = new AbortController();

  const regain = async () => {
    listener.onLost?.();
    for (let attempt = 1; !ending.signal.aborted; attempt++) {
      try {
        hold = await openAndHoldAgain(openServer, applicationName, hold.database);
        isOwnServer ||= hold.database.isNewlyStarted;
        regainWhenLost();
        listener.onRegained?.();
        return;
      } catch (error) {
        if (attempt === MAX_RESTART_ATTEMPTS) return listener.onFailed?.(error);
        const delayMs = FIRST_RESTART_DELAY_MS * 2 ** (attempt - 1);
        await sleep(delayMs, undefined, { signal: ending.signal }).catch(() => undefined);
      }
    }
  };
  const regainWhenLost = () => {
    void hold.endPromise.then(() => {
      if (!ending.signal.aborted) regainPromise = regain();
    });
  };
  regainWhenLost();

  /** Returns the connection that holds the server, or a new one if it was lost just now. Null if the server has ended. */
  const connectionOfHold = async (): Promise<pg.Client | null> => {
    ending.abort();
    await regainPromise;
    const isLost = await hold.client.query('SELECT 1').then(
      () => false,
      () => true,
    );
    if (!isLost) return hold.client;
    return takeHold(url).then(
      ({ client }) => client,
      () => null,
    );
  };
  /** Ends the hold. Stops the server if `isObliged` or another process has left that to us, and `tryToTakeOver` returns true. */
  const endHold = async (isObliged: boolean, tryToTakeOver: (client: pg.Client) => Promise<boolean>) => {
    const client = await connectionOfHold();
    if (client === null) return;
    const { database } = hold;
    const shouldStop = async () => {
      // The order matters if two processes do this at the same time. Either this one gets the lock, or who has it finds the request
      // after giving it back.
      if (isObliged) await database.requestStop().catch(() => undefined);
      await endSharedHold(client);
      return (isObliged || database.isStopRequested()) && (await tryToTakeOver(client));
    };
    try {
      // The connection stays open until the server has ended, because it holds the lock.
      if (await shouldStop().catch(() => false)) await database.stop();
    } finally {
      await client.end();
    }
  };
  return {
    url,
    release: () => endHold(isOwnServer, (client) => tryToHoldIfUnused(client, applicationName)),
    releaseAndStop: () => endHold(true, tryToHoldExclusively),
  };
}
