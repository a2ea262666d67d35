import { expect } from 'vitest';
import type { TestService } from './test-service';

/**
 * Returns how many rows of each table PostgreSQL reads for the service's work, by table. Afterwards, the service is stopped and its
 * database dropped. Store the rows with `database.query`, because connections report what they read late: those of the service
 * when it stops. On a cluster, each server counts the rows of its own shards, so tests with tables that are distributed skip it.
 */
export async function countRowsRead<Table extends string>(
  { app, database }: TestService,
  tables: readonly Table[],
  work: () => Promise<unknown>,
): Promise<Record<Table, number>> {
  const readCounts = async () => {
    const rows = await database.query<{ name: Table; rows: number }>(
      `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
         FROM pg_stat_user_tables WHERE relname = ANY($1)`,
      [tables],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual([...tables].sort());
    return rows;
  };
  // What the test's own statements have read is otherwise reported later, as if the service had read it.
  await database.query('SELECT pg_stat_force_next_flush()');
  const countsBefore = new Map((await readCounts()).map(({ name, rows }) => [name, rows]));
  await work();
  await app.stop();
  // A connection that has been closed leaves this view only after it has reported.
  const countOtherConnections = async () => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    return row!.count;
  };
  await expect.poll(countOtherConnections).toBe(0);
  const counts = await readCounts();
  await database.drop();
  return Object.fromEntries(counts.map(({ name, rows }) => [name, rows - countsBefore.get(name)!])) as Record<
    Table,
    number
  >;
}
