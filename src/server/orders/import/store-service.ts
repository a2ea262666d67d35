import type pg from 'pg';
import { because, type Problem, problemAt } from '../../core/reason';
import { LOCK_ORDERS, REFRESH_AND_RECORD } from '../detail/tracking-status-sql';
import { lostZeros } from './damaged-identifier';
import { beginImport, finishImport, type ImportCounts, type ImportOrigin } from './history';
import type { PreparedImport } from './prepare';
import {
  COUNT_CHANGED_ORDERS,
  LOCK_WAYBILLS,
  SKUS_WITH_ZEROS,
  STORE_ITEMS,
  STORE_ORDERS,
  STORE_SHIPMENTS,
} from './store-sql';

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

/** First number of the advisory locks that make the imports of one shop wait for each other; the second is its id. */
const IMPORT_LOCK = 20_261;
const LOCK_TIMEOUT = '120s';

/** Takes the lock that everything holds which changes a shop's orders by import, until the transaction ends. */
export async function lockShop(client: pg.PoolClient, accountId: number | null): Promise<void> {
  await client.query({
    name: 'import-lock',
    text: `SELECT set_config('lock_timeout', $1, true), pg_advisory_xact_lock($2, $3)`,
    values: [LOCK_TIMEOUT, IMPORT_LOCK, accountId],
  });
}

/** Stores an import inside the caller's transaction, which decides whether it stays. */
export async function storeImport(
  client: pg.PoolClient,
  origin: ImportOrigin,
  prepared: PreparedImport,
  elapsed: () => number,
  watch: ImportWatch = {},
): Promise<ImportResult> {
  const { accountId } = prepared;
  await lockShop(client, accountId);
  await watch.locked?.(client);
  const lacking = await skusWithoutZeros(client, prepared);
  const importId = await beginImport(client, origin, prepared);
  if (prepared.shipmentCount > 0) await lockWaybills(client, prepared);
  const orders = await storeOrders(client, prepared, importId);
  watch.stored?.(prepared.orderCount);
  const items = await client.query<{ inserted: number; changed: number }>({
    name: 'import-items',
    text: STORE_ITEMS,
    values: [accountId, prepared.items, importId],
  });
  watch.stored?.(prepared.itemCount);
  if (prepared.shipmentCount > 0) await storeShipments(client, prepared, importId);
  watch.stored?.(prepared.shipmentCount);
  const counts: ImportCounts = {
    newOrders: orders.new_orders,
    updatedOrders: orders.updated_orders,
    changedOrders: orders.updated_orders > 0 ? await countChangedOrders(client, importId) : 0,
    itemsInserted: items.rows[0]!.inserted,
    itemsChanged: items.rows[0]!.changed,
  };
  const unmatched = orders.unmatched_countries.map(({ row, name }) =>
    problemAt(`rows.${row}.country_name`, because('cell.country', { value: name })),
  );
  const storeWarnings = [...lacking, ...unmatched];
  const result = {
    importId,
    ...counts,
    warnings: [...prepared.warnings, ...storeWarnings],
    storeWarnings,
    warningCount: prepared.warningCount + storeWarnings.length,
  };
  await watch.ending?.(client, result);
  await finishImport(client, result, prepared.heldBack, elapsed());
  return result;
}

/** Asks which SKUs the shop has sold with the leading zeros that a spreadsheet may have dropped here. */
async function skusWithoutZeros(
  client: pg.PoolClient,
  { accountId, doubtfulSkus }: PreparedImport,
): Promise<Problem[]> {
  if (doubtfulSkus.length === 0) return [];
  const { rows } = await client.query<{ sku: string; stored: string }>({
    name: 'import-skus-with-zeros',
    text: SKUS_WITH_ZEROS,
    values: [accountId, [...new Set(doubtfulSkus.map(({ sku }) => sku))]],
  });
  const stored = new Map(rows.map((row) => [row.sku, row.stored]));
  return doubtfulSkus.flatMap(({ row, sku }) => {
    const withZeros = stored.get(sku);
    return withZeros === undefined ? [] : [problemAt(`rows.${row}.sku`, lostZeros(sku, withZeros))];
  });
}

interface StoredOrders {
  new_orders: number;
  updated_orders: number;
  unmatched_countries: { row: number; name: string }[];
}

async function countChangedOrders(client: pg.PoolClient, importId: string): Promise<number> {
  const { rows } = await client.query<{ changed_orders: number }>({
    name: 'import-changed-orders',
    text: COUNT_CHANGED_ORDERS,
    values: [importId],
  });
  return rows[0]!.changed_orders;
}

async function storeOrders(
  client: pg.PoolClient,
  prepared: PreparedImport,
  importId: string,
): Promise<StoredOrders> {
  const { rows } = await client.query<StoredOrders>({
    name: 'import-orders',
    text: STORE_ORDERS,
    values: [prepared.accountId, prepared.orders, importId],
  });
  return rows[0]!;
}

async function storeShipments(
  client: pg.PoolClient,
  prepared: PreparedImport,
  importId: string,
): Promise<void> {
  const { rows } = await client.query<{ order_ids: string[] }>({
    name: 'import-shipments',
    text: STORE_SHIPMENTS,
    values: [prepared.accountId, prepared.shipments, importId],
  });
  const orderIds = rows[0]!.order_ids;
  await client.query({ name: 'lock-orders', text: LOCK_ORDERS, values: [orderIds] });
  await client.query({
    name: 'import-refresh-tracking-status',
    text: REFRESH_AND_RECORD,
    values: [orderIds, importId],
  });
}

/**
 * Waybills are locked before orders, here as in tracking's merge, so that the two never wait for each other in a circle and
 * neither misses what the other commits.
 */
async function lockWaybills(client: pg.PoolClient, prepared: PreparedImport): Promise<void> {
  await client.query({ name: 'import-lock-waybills', text: LOCK_WAYBILLS, values: [prepared.shipments] });
}
