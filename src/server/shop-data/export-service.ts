import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { ClientBase, Pool } from 'pg';
import { type Actor, writeAuditEntry } from '../audit/service';
import { notFound } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Database } from '../db/client';
import { readByCursor } from '../db/read-by-cursor';
import { inSnapshot } from '../db/transaction';
import * as sql from './export.queries';

/** The statements of the tables in an export, in an order in which the tables can be restored. */
export const EXPORT_STATEMENT_BY_TABLE = {
  shops: sql.exportShop,
  shop_former_names: sql.exportFormerNames,
  prompts: sql.exportPrompts,
  prompt_versions: sql.exportPromptVersions,
  imports: sql.exportImports,
  import_issues: sql.exportIssues,
  import_changes: sql.exportChanges,
  orders: sql.exportOrders,
  order_items: sql.exportItems,
  order_notes: sql.exportNotes,
  queue_states: sql.exportQueueStates,
  tracking_numbers: sql.exportTrackingNumbers,
  tracking_events: sql.exportTrackingEvents,
  shipments: sql.exportShipments,
  replies: sql.exportReplies,
  shop_daily_statistics: sql.exportShopDays,
  product_daily_statistics: sql.exportListingDays,
  statistic_restatements: sql.exportRestatements,
};

/** Throws ServiceError `not_found` if no shop has the id. A shop that is being deleted is still there. */
export async function requireStoredShop(client: ClientBase | Pool, shopId: number): Promise<void> {
  const [shop] = await sql.exportShop.run(client, { shopId });
  if (!shop) throw notFound(createReason('answer.noShop', { id: shopId }));
}

/**
 * Writes the rows of the tables that belong to a shop, except import drafts and derived data, as of one instant, as gzipped lines
 * of JSON: `{"table": ..., "row": {...}}` for each row, and `{"rows": {<table>: <count>}}` at the end, which is missing if the file
 * was truncated (docs/orders.md). Memory use does not depend on the shop's size. The audit log says who exported it, even if the
 * file is not read to its end.
 *
 * @param write receives the file in chunks; if it throws, the export ends
 * @returns the number of rows of each table
 * @throws ServiceError `not_found` if no shop has the id, before anything is written
 */
export function exportShop(
  db: Database,
  actor: Actor,
  shopId: number,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<Record<string, number>> {
  return inSnapshot(db.bulkPool, async (client) => {
    await requireStoredShop(client, shopId);
    await writeAuditEntry(db.prisma, actor, {
      action: 'account.export',
      recordType: 'account',
      recordId: shopId,
    });
    const gzip = createGzip();
    const sendPromise = (async () => {
      for await (const chunk of gzip) await write(chunk);
    })();
    // Awaited below. If it fails before that, the rejection must not end the process.
    sendPromise.catch(() => undefined);
    const writeText = async (text: string) => {
      if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), sendPromise]);
    };
    const rowCounts: Record<string, number> = {};
    for (const [table, statement] of Object.entries(EXPORT_STATEMENT_BY_TABLE)) {
      let rowCount = 0;
      await readByCursor(client, statement.bind({ shopId }), async (rows) => {
        rowCount += rows.length;
        await writeText(rows.map(([row]) => `{"table":"${table}","row":${row}}\n`).join(''));
      });
      rowCounts[table] = rowCount;
    }
    gzip.end(`${JSON.stringify({ rows: rowCounts })}\n`);
    await sendPromise;
    return rowCounts;
  });
}
