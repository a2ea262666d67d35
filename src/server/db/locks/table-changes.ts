import type pg from 'pg';
import { takeLock, tryToTakeLock } from './advisory-locks';

/**
 * Waits until no backup is being written; those that begin later wait until the transaction ends. Call it before the transaction
 * locks any table (advisory-locks.ts).
 *
 * @param change what then happens to the tables, for the line that `onWait` receives if a backup is running
 */
export async function waitForBackups(
  client: pg.Client,
  change: 'migrated' | 'distributed',
  onWait: (line: string) => void,
): Promise<void> {
  if (await tryToTakeLock(client, 'tableChanges')) return;
  onWait(`Waiting for a backup to finish before the tables are ${change}.`);
  await takeLock(client, 'tableChanges');
}
