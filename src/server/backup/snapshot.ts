import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { tryToTakeSharedLock } from '../db/locks/advisory-locks';
import { listTablesToLock } from './backup.queries';
import { BackupError } from './format';

interface SnapshotOptions {
  signal?: AbortSignal;
  /** Receives a line for the administrator if the tables are being changed. */
  onWait?: (line: string) => void;
}

const MIGRATIONS_TABLE = '_prisma_migrations';
const RETRY_DELAY_MS = 200;
/** A table is locked exclusively, or has been dropped since the tables were listed. */
const RETRIED_CODES = ['55P03', '42P01'];

/**
 * Begins a read-only transaction that sees all tables as of one instant, and keeps every table as it is until it ends.
 *
 * Locks the tables first, because a snapshot does not cover their structure: if a table is rewritten after the snapshot was taken,
 * as by many kinds of ALTER TABLE, the transaction sees no rows in it. LOCK TABLE takes no snapshot, so the snapshot is that of the
 * first query after it, and from then on no statement can rewrite a table. The advisory lock alone would stop only our own migrations;
 * it is taken so that they wait where nothing waits behind them (db/locks/advisory-locks.ts).
 *
 * Never waits for a lock while it holds others, because that could deadlock with a migration. It starts over instead.
 *
 * @throws BackupError if the database has no tables of Brickdesk
 */
export async function beginSnapshot(
  client: pg.Client,
  { signal, onWait = () => undefined }: SnapshotOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    if (await tryToBegin(client)) return;
    await client.query('ROLLBACK');
    if (attempt === 1) onWait('Waiting until no table is being changed by a migration or by hand.');
    await sleep(RETRY_DELAY_MS, undefined, { signal });
  }
}

async function tryToBegin(client: pg.Client): Promise<boolean> {
  const names = await readTableNames(client);
  if (!names.includes(MIGRATIONS_TABLE))
    throw new BackupError(
      "The database has no tables of Brickdesk, so there is nothing to back up. Check DATABASE_URL or DATA_DIR: they must be the service's.",
    );
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const nameList = names.map((name) => client.escapeIdentifier(name)).join(', ');
    await client.query(`LOCK TABLE ${nameList} IN ACCESS SHARE MODE NOWAIT`);
  } catch (error) {
    if (error instanceof pg.DatabaseError && RETRIED_CODES.includes(error.code ?? '')) return false;
    throw error;
  }
  if (!(await tryToTakeSharedLock(client, 'tableChanges'))) return false;
  // A table that was created since the tables were listed is not locked.
  return (await readTableNames(client)).every((name) => names.includes(name));
}

async function readTableNames(client: pg.Client): Promise<string[]> {
  return (await listTablesToLock.run(client)).map(({ name }) => name);
}
