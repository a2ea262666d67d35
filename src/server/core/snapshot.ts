import type pg from 'pg';
import { inTransaction } from './postgres';

/** How many rows are held in memory at a time, where the caller says nothing else: few enough that what is made of them stays young. */
const BATCH = 100;

/** Reads in one transaction, which sees the database as it was when it began, whatever is written meanwhile. */
export function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(client);
  });
}

/**
 * Hands over the rows of a statement, some at a time, all columns as text; the next ones are read when `take` has resolved, so
 * that memory does not grow with their number. Within a transaction.
 */
export async function readByCursor(
  client: pg.PoolClient,
  statement: { text: string; values: readonly unknown[] },
  take: (rows: (string | null)[][]) => Promise<void>,
  batch = BATCH,
): Promise<void> {
  // A connection that breaks while `take` waits has no query to fail, and would end the process.
  let lost: Error | undefined;
  const note = (error: Error) => {
    lost = error;
  };
  client.on('error', note);
  try {
    // One cursor, not a query for each batch: the rows are found once, however many others there are.
    await client.query(`DECLARE read_rows NO SCROLL CURSOR FOR ${statement.text}`, [...statement.values]);
    for (;;) {
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${batch} FROM read_rows`,
        rowMode: 'array',
      });
      if (rows.length > 0) await take(rows);
      if (lost) throw lost;
      if (rows.length < batch) break;
    }
  } finally {
    client.off('error', note);
  }
}
