import type pg from 'pg';
import { because, type Problem, problemAt } from '../../core/reason';
import { takeShopLock } from '../../db/advisory-locks';
import { refreshTrackingStatus } from '../detail/tracking-status-service';
import { lostZeros } from './damaged-identifier';
import { beginImport, finishImport, type ImportCounts, type ImportOrigin } from './history';
import * as sql from './import.queries';
import type { PreparedImport } from './prepare';

export interface ImportResult extends ImportCounts {
  importId: string;
  /** The first ones; `warningCount` says how many there are. */
  warnings: Problem[];
  /** Those among them that only the database knows of. */
  storeWarnings: Problem[];
  warningCount: number;
}

/** What a caller hangs into an import's transaction. What these throw rolls all of it back and reaches the caller. */
export interface ImportWatch {
  /** The shop's lock is held, and nothing is stored yet. */
  locked?(client: pg.PoolClient): Promise<void>;
  /** So many more orders, items or shipments are stored. */
  stored?(count: number): void;
  /** All is stored, and nothing committed yet. */
  ending?(client: pg.PoolClient, result: ImportResult): Promise<void>;
}

const LOCK_TIMEOUT = '120s';

/** Takes the lock that everything holds which changes a shop's orders by import, until the transaction ends. */
export async function lockShop(client: pg.PoolClient, shopId: number): Promise<void> {
  await sql.limitLockWait.runPrepared(client, { timeout: LOCK_TIMEOUT });
  await takeShopLock(client, 'shopImports', shopId);
}

/** Stores an import inside the caller's transaction, which decides whether it stays. */
export async function storeImport(
  client: pg.PoolClient,
  origin: ImportOrigin,
  prepared: PreparedImport,
  shopId: number,
  elapsed: () => number,
  watch: ImportWatch = {},
): Promise<ImportResult> {
  const { orders, items, shipments, receiptIds } = prepared;
  await lockShop(client, shopId);
  await watch.locked?.(client);
  const zerosLost = await skusWithoutZeros(client, shopId, prepared);
  const importId = await beginImport(client, origin, prepared, shopId);
  // Tracking numbers are locked before orders, here as in tracking's merge, so that the two never wait for each other in a
  // circle and neither misses what the other commits.
  if (prepared.shipmentCount > 0) await sql.lockTrackingNumbers.runPrepared(client, { shipments });
  await sql.lockReceipts.runPrepared(client, { shopId, receiptIds });
  const [stored] = await sql.storeOrders.runPrepared(client, { shopId, importId, orders });
  const { new_orders, updated_orders, unmatched_rows, unmatched_names } = stored!;
  watch.stored?.(prepared.orderCount);
  const [storedItems] = await sql.storeItems.runPrepared(client, { shopId, importId, items });
  watch.stored?.(prepared.itemCount);
  if (prepared.shipmentCount > 0) {
    const [concerned] = await sql.storeShipments.runPrepared(client, { shopId, importId, shipments });
    await refreshTrackingStatus(client, { shopId, orderIds: concerned!.order_ids }, importId);
  }
  watch.stored?.(prepared.shipmentCount);
  const counts: ImportCounts = {
    newOrders: new_orders,
    updatedOrders: updated_orders,
    changedOrders: updated_orders > 0 ? await countChangedOrders(client, shopId, importId) : 0,
    itemsInserted: storedItems!.inserted,
    itemsChanged: storedItems!.changed,
  };
  const unmatched = unmatched_rows.map((row, index) =>
    problemAt(`rows.${row}.country_name`, because('cell.country', { value: unmatched_names[index]! })),
  );
  const storeWarnings = [...zerosLost, ...unmatched];
  const result = {
    importId,
    ...counts,
    warnings: [...prepared.warnings, ...storeWarnings],
    storeWarnings,
    warningCount: prepared.warningCount + storeWarnings.length,
  };
  await watch.ending?.(client, result);
  await finishImport(client, shopId, result, prepared.heldBack, elapsed());
  return result;
}

/** Warnings for the SKUs that the shop has sold with leading zeros, which a spreadsheet may have dropped here. */
async function skusWithoutZeros(
  client: pg.PoolClient,
  shopId: number,
  { doubtfulSkus }: PreparedImport,
): Promise<Problem[]> {
  if (doubtfulSkus.length === 0) return [];
  const skus = [...new Set(doubtfulSkus.map(({ sku }) => sku))];
  const rows = await sql.findSkusWithZeros.runPrepared(client, { shopId, skus });
  const stored = new Map(rows.map((row) => [row.sku, row.stored]));
  return doubtfulSkus.flatMap(({ row, sku }) => {
    const withZeros = stored.get(sku);
    return withZeros === undefined ? [] : [problemAt(`rows.${row}.sku`, lostZeros(sku, withZeros))];
  });
}

async function countChangedOrders(client: pg.PoolClient, shopId: number, importId: string): Promise<number> {
  const [counted] = await sql.countChangedOrders.runPrepared(client, { shopId, importId });
  return counted!.changed_orders;
}
