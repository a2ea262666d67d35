import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../audit/service';
import { invalidField, notFound, ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import type { Log } from '../core/log';
import type { Database } from '../db/client';
import { takeShopLock } from '../db/locks/advisory-locks';
import { inTransaction } from '../db/transaction';
import { lockShop } from '../orders/import/store-service';
import { lockOrders } from '../orders/shop-orders-service';
import { lockTrackingNumbers, removeNumbersFromShop } from '../orders/tracking/number-shops-service';
import { forEachShop } from '../shops/for-each-shop';
import { lockShopForDeletion } from '../shops/lock-service';
import * as sql from './removal.queries';

/** Orders deleted per transaction, which takes a fraction of a second: callbacks for these orders have to wait that long. */
const ORDERS_PER_TRANSACTION = 1_000;
/** The number of rows of other tables that one statement deletes. */
const ROWS_PER_STATEMENT = 5_000;

/**
 * Marks a shop, so that it accepts no more imports and {@link deleteMarkedShops} deletes it with all its data. This cannot be
 * undone. Waits for imports of the shop that have begun.
 *
 * @param name the shop's name, typed again
 * @param requireCaller throws if the user may no longer delete the shop; called once all locks are held
 * @throws ServiceError `not_found`; `validation_failed` if it has another name; `conflict` if it is marked already
 */
export async function markShopForDeletion(
  db: Database,
  actor: Actor,
  { id, name }: { id: number; name: string },
  requireCaller?: () => Promise<void>,
): Promise<void> {
  await inTransaction(db.bulkPool, async (client) => {
    await lockShop(client, id);
    // A shop that is being renamed may have another name than the one that the user typed.
    await lockShopForDeletion(client, id);
    await requireCaller?.();
    const [shop] = await sql.readShop.run(client, { shopId: id });
    if (!shop) throw notFound(createReason('answer.noShop', { id }));
    if (shop.deleting_at)
      throw new ServiceError('conflict', createReason('shop.deleting', { name: shop.name }));
    if (shop.name !== name) throw invalidField('name', createReason('shop.otherName', { name: shop.name }));
    await sql.markShop.run(client, { shopId: id, now: new Date() });
    await writeAuditEntries(client, actor, [
      {
        action: 'account.delete',
        recordType: 'account',
        recordId: id,
        before: { name: shop.name, shop_id: shop.shop_id, orders: shop.order_count },
      },
    ]);
  });
}

/**
 * Runs one batch of a shop's deletion under a lock: a command and the background job may delete the same shop at the same time.
 */
function runBatch<T>(db: Database, shopId: number, batch: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(db.bulkPool, async (client) => {
    await takeShopLock(client, 'shopDeletion', shopId);
    return batch(client);
  });
}

/** Deletes some statistics of a shop; returns how many rows. */
async function deleteSomeStatistics(
  client: pg.PoolClient,
  statement: typeof sql.deleteShopDays,
  shopId: number,
): Promise<number> {
  // Read and locked for each batch: another shop can take a shop_id that this one no longer has.
  const [shop] = await sql.lockMarketplaceShopId.run(client, { shopId });
  if (!shop?.marketplace_shop_id) return 0;
  const parameters = { marketplaceShopId: shop.marketplace_shop_id, limit: ROWS_PER_STATEMENT };
  return (await statement.run(client, parameters))[0]!.count;
}

/** Deletes some orders with their items, shipments, notes and queue states; returns how many orders. */
async function deleteSomeOrders(client: pg.PoolClient, shopId: number): Promise<number> {
  const orderRows = await sql.listOrders.run(client, { shopId, limit: ORDERS_PER_TRANSACTION });
  if (orderRows.length === 0) return 0;
  const orderKeys = { shopId, orderIds: orderRows.map(({ id }) => id) };
  const numberRows = await sql.listNumbers.run(client, orderKeys);
  const trackingNumbers = numberRows.map((row) => row.tracking_number);
  await lockTrackingNumbers(client, numberRows);
  await lockOrders(client, orderKeys);
  await sql.deleteShipments.run(client, orderKeys);
  await sql.deleteItems.run(client, orderKeys);
  await sql.deleteSearchDocuments.run(client, orderKeys);
  await sql.deleteOrders.run(client, orderKeys);
  await removeNumbersFromShop(client, shopId, trackingNumbers);
  await sql.deleteNumbersWithoutShop.run(client, { trackingNumbers });
  return orderRows.length;
}

async function deleteShop(db: Database, shopId: number, signal?: AbortSignal): Promise<void> {
  const deleteInBatches = async (deleteBatch: (client: pg.PoolClient) => Promise<number>) => {
    do signal?.throwIfAborted();
    while ((await runBatch(db, shopId, deleteBatch)) > 0);
  };
  await deleteInBatches((client) => deleteSomeOrders(client, shopId));
  const shopParameters = { shopId, limit: ROWS_PER_STATEMENT };
  // Rows that refer to others come first.
  for (const statement of [
    sql.deleteChanges,
    sql.deleteIssues,
    sql.deleteDrafts,
    sql.deleteImports,
    sql.deleteReplies,
  ])
    await deleteInBatches(async (client) => (await statement.run(client, shopParameters))[0]!.count);
  for (const statement of [sql.deleteShopDays, sql.deleteListingDays, sql.deleteRestatements])
    await deleteInBatches((client) => deleteSomeStatistics(client, statement, shopId));
  await runBatch(db, shopId, async (client) => {
    const channels = await sql.lockChannels.run(client, { shopId });
    await sql.removeFromChannels.run(client, { shopId });
    await sql.deleteUnsentMessages.run(client, { channelIds: channels.map(({ id }) => id) });
    await sql.deleteShop.run(client, { shopId });
  });
}

/**
 * Deletes the shops that are marked, each with its orders, imports, replies and statistics, in batches, and the unsent
 * notifications that may be about it. The audit log stays, as do tracking numbers that another shop has too. A deletion that was
 * interrupted continues with the next run. If a shop cannot be deleted, the error is logged, and the other shops are still deleted.
 *
 * @throws AggregateError with the errors of the shops that could not be deleted; the signal's reason if it aborts
 */
export async function deleteMarkedShops(
  { db, log }: { db: Database; log: Log },
  signal?: AbortSignal,
): Promise<void> {
  const rows = await sql.listMarkedShops.run(db.bulkPool);
  const shops = rows.map((row) => ({ shopId: row.id }));
  const deleteShopAndLog = async ({ shopId }: (typeof shops)[number]) => {
    await deleteShop(db, shopId, signal);
    log.info({ shopId }, 'shop deleted with all its data');
  };
  await forEachShop(shops, deleteShopAndLog, { log, failureMessage: 'a shop could not be deleted', signal });
}
