import type { Log } from '../../core/log';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import { forEachShop } from '../../shops/for-each-shop';
import * as sql from './retention.queries';

/** The maximum number of rows that one statement deletes, so that no lock lasts long. */
const ROWS_PER_STATEMENT = 5_000;

type ImportKey = { shopId: number; importId: string };

/** Deletes an import's rows from one table in batches. The next run deletes what an aborted run leaves behind. */
async function deleteRowsInBatches(
  deleteBatch: typeof sql.deleteChanges | typeof sql.deleteIssues,
  db: Database,
  importKey: ImportKey,
  signal?: AbortSignal,
): Promise<void> {
  let count = ROWS_PER_STATEMENT;
  while (count === ROWS_PER_STATEMENT) {
    signal?.throwIfAborted();
    [{ count }] = (await deleteBatch.run(db.bulkPool, { ...importKey, limit: ROWS_PER_STATEMENT })) as [
      { count: number },
    ];
  }
}

async function deleteOldRowHistoryOfShop(
  db: Database,
  { shopId, days }: { shopId: number; days: number },
  signal?: AbortSignal,
): Promise<void> {
  await inTransaction(db.bulkPool, async (client) => {
    const expiredImports = await sql.lockExpiredImports.run(client, { shopId, days });
    await sql.markExpiring.run(client, { shopId, importIds: expiredImports.map(({ id }) => id) });
  });
  for (const { id: importId } of await sql.listExpiringImports.run(db.bulkPool, { shopId })) {
    const importKey = { shopId, importId };
    await deleteRowsInBatches(sql.deleteChanges, db, importKey, signal);
    await deleteRowsInBatches(sql.deleteIssues, db, importKey, signal);
    await sql.markRowHistoryDeleted.run(db.bulkPool, importKey);
  }
}

/**
 * Deletes the row history (issues and changes) of imports older than `days`, shop by shop and in small batches. Each import is
 * marked first, so that it cannot be undone with only part of its history; the import itself and its counts stay. If a run is
 * interrupted, the next one continues it (docs/orders.md). If the deletion fails for a shop, the error is logged, and the other
 * shops are still processed.
 *
 * @throws AggregateError with the errors of the shops for which it failed; the signal's reason if it aborts
 */
export async function deleteOldRowHistory(
  { db, log }: { db: Database; log: Log },
  days: number,
  signal?: AbortSignal,
): Promise<void> {
  const shops = await sql.listShops.run(db.bulkPool, { days });
  await forEachShop(
    shops.map((row) => ({ shopId: row.shop_id })),
    ({ shopId }) => deleteOldRowHistoryOfShop(db, { shopId, days }, signal),
    { log, failureMessage: 'the row history of a shop could not be deleted', signal },
  );
}
