import type pg from 'pg';
import { createReason, type Problem, problemAt } from '../../core/errors/reason';
import { rowPath } from '../../core/errors/row-path';
import { takeShopLock } from '../../db/locks/advisory-locks';
import { beginImport, finishImport, type ImportCounts, type ImportOrigin } from '../history/history-service';
import { addNumbersToShop } from '../tracking/number-shops-service';
import { updateOrderStatuses } from '../tracking/tracking-status-service';
import { createLostZerosReason } from './damaged-identifier';
import { createExtraFullReason, MAX_EXTRA_BYTES } from './extra';
import * as sql from './import.queries';
import { analyzeIfStale, setNestedLoops } from './planner-service';
import type { PreparedImport } from './prepare';

export interface ImportResult extends ImportCounts {
  importId: string;
  /** The first warnings of the rows, then all of `databaseWarnings`; `warningCount` is the number of all warnings. */
  warnings: Problem[];
  /** The subset of `warnings` that only the database can detect. */
  databaseWarnings: Problem[];
  warningCount: number;
}

/**
 * Functions called within an import's transaction. If one of them throws, {@link storeImport} throws the same error, and its caller
 * must roll back.
 */
export interface ImportHooks {
  /**
   * Called once the shop's lock is held, before anything is stored, with the warnings that depend on what the shop has sold so far.
   */
  onLocked?(client: pg.PoolClient, lostZerosWarnings: readonly Problem[]): Promise<void>;
  /** Called with the number of orders, items or shipments stored since the last call. */
  onStored?(count: number): void;
  /** Called once the orders are stored, before the entry in the history is completed and everything is committed. */
  beforeCommit?(client: pg.PoolClient, result: ImportResult): Promise<void>;
}

const LOCK_TIMEOUT = '120s';

/**
 * Takes the lock for importing a shop's orders, which is held until the transaction ends. Also limits how long the transaction
 * waits for each lock.
 */
export async function lockShop(client: pg.PoolClient, shopId: number): Promise<void> {
  await sql.limitLockWait.runPrepared(client, { timeout: LOCK_TIMEOUT });
  await takeShopLock(client, 'shopImports', shopId);
}

/** Stores an import inside the caller's transaction. The caller commits or rolls back. */
export async function storeImport(
  client: pg.PoolClient,
  origin: ImportOrigin,
  preparedImport: PreparedImport,
  shopId: number,
  elapsedMs: () => number,
  hooks: ImportHooks = {},
): Promise<ImportResult> {
  const { orders, items, shipments, receiptIds } = preparedImport;
  await lockShop(client, shopId);
  const lostZerosWarnings = await findLostZerosWarnings(client, shopId, preparedImport);
  await hooks.onLocked?.(client, lostZerosWarnings);
  const importId = await beginImport(client, origin, preparedImport, shopId);
  // Tracking numbers are locked before orders, here and where observations are merged (merge-service.ts), so that the two never
  // deadlock and neither misses what the other commits.
  if (preparedImport.shipmentCount > 0) await addNumbersToShop(client, shopId, shipments);
  const [lockedOrders] = await sql.lockOrdersByReceiptId.runPrepared(client, { shopId, receiptIds });
  const target = { shopId, importId, at: lockedOrders!.locked_at };
  await setNestedLoops(client, false);
  const orderResults = [];
  let newOrders = 0;
  for (const batch of orders) {
    const [orderResult] = await sql.storeOrders.runPrepared(client, { ...target, orders: batch });
    orderResults.push(orderResult!);
    newOrders += orderResult!.new_orders;
    await analyzeIfStale(client, shopId, 'orders', newOrders);
  }
  const updatedOrders = orderResults.reduce((sum, { updated_orders }) => sum + updated_orders, 0);
  hooks.onStored?.(preparedImport.orderCount);
  let itemsInserted = 0;
  let itemsChanged = 0;
  const extraWarnings: Problem[] = [];
  for (const batch of items) {
    const itemParams = { ...target, items: batch, maxExtraBytes: MAX_EXTRA_BYTES };
    const [itemResult] = await sql.storeItems.runPrepared(client, itemParams);
    for (const row of itemResult!.full_extra_rows)
      extraWarnings.push(problemAt(rowPath(row, 'extra'), createExtraFullReason()));
    itemsInserted += itemResult!.inserted_items;
    itemsChanged += itemResult!.changed_items;
    await analyzeIfStale(client, shopId, 'order_items', itemsInserted);
  }
  hooks.onStored?.(preparedImport.itemCount);
  const [affectedOrders] =
    preparedImport.shipmentCount > 0
      ? await sql.storeShipments.runPrepared(client, { ...target, shipments })
      : [];
  await analyzeIfStale(client, shopId, 'shipments', preparedImport.shipmentCount);
  await setNestedLoops(client, true);
  if (affectedOrders)
    await updateOrderStatuses(client, { shopId, orderIds: affectedOrders.order_ids }, target);
  hooks.onStored?.(preparedImport.shipmentCount);
  const counts: ImportCounts = {
    newOrders,
    updatedOrders,
    changedOrders: updatedOrders > 0 ? await countChangedOrders(client, shopId, importId) : 0,
    itemsInserted,
    itemsChanged,
  };
  const countryWarnings = orderResults.flatMap(({ unmatched_rows, unmatched_names }) =>
    unmatched_rows.map((row, index) =>
      problemAt(
        rowPath(row, 'country_name'),
        createReason('cell.country', { value: unmatched_names[index]! }),
      ),
    ),
  );
  const databaseWarnings = [...lostZerosWarnings, ...countryWarnings, ...extraWarnings];
  const result = {
    importId,
    ...counts,
    warnings: [...preparedImport.warnings, ...databaseWarnings],
    databaseWarnings,
    warningCount: preparedImport.warningCount + databaseWarnings.length,
  };
  await hooks.beforeCommit?.(client, result);
  await finishImport(client, target, result, preparedImport.heldBackRows, elapsedMs());
  return result;
}

/** Returns warnings for SKUs that the shop has sold with leading zeros, which a spreadsheet may have dropped. */
async function findLostZerosWarnings(
  client: pg.PoolClient,
  shopId: number,
  { suspectSkus }: PreparedImport,
): Promise<Problem[]> {
  if (suspectSkus.length === 0) return [];
  const skus = [...new Set(suspectSkus.map(({ sku }) => sku))];
  const rows = await sql.findSkusWithZeros.runPrepared(client, { shopId, skus });
  const soldSkuBySku = new Map(rows.map((row) => [row.sku, row.sold_sku]));
  return suspectSkus.flatMap(({ row, sku }) => {
    const soldSku = soldSkuBySku.get(sku);
    return soldSku === undefined ? [] : [problemAt(rowPath(row, 'sku'), createLostZerosReason(sku, soldSku))];
  });
}

async function countChangedOrders(client: pg.PoolClient, shopId: number, importId: string): Promise<number> {
  const [countRow] = await sql.countChangedOrders.runPrepared(client, { shopId, importId });
  return countRow!.changed_orders;
}
