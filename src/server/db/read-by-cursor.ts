import type pg from 'pg';

/** The default number of rows in memory at a time: few enough that the objects built from them stay in the young generation. */
const DEFAULT_BATCH_SIZE = 100;

/**
 * Passes the rows of a statement, whose columns must all be text, to `onRows` in batches. Reads the next batch when `onRows`
 * resolves, so that memory does not grow with the number of rows. Must run in a transaction.
 */
export async function readByCursor(
  client: pg.PoolClient,
  statement: { text: string; values: readonly unknown[] },
  onRows: (rows: (string | null)[][]) => Promise<void>,
  batchSize = DEFAULT_BATCH_SIZE,
): Promise<void> {
  // A connection that breaks while `onRows` is pending has no query to fail and would end the process.
  let connectionError: Error | undefined;
  const onConnectionLost = (error: Error) => {
    connectionError = error;
  };
  client.on('error', onConnectionLost);
  try {
    // A cursor instead of a query per batch, so that the statement runs only once.
    await client.query(`DECLARE read_rows NO SCROLL CURSOR FOR ${statement.text}`, [...statement.values]);
    for (;;) {
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${batchSize} FROM read_rows`,
        rowMode: 'array',
      });
      if (rows.length > 0) await onRows(rows);
      if (connectionError) throw connectionError;
      if (rows.length < batchSize) break;
    }
    await client.query('CLOSE read_rows');
  } finally {
    client.off('error', onConnectionLost);
  }
}
