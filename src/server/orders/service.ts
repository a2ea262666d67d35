import type pg from 'pg';
import { isServiceError, type Problem, ServiceError, validationError } from '../core/errors';
import type { Log } from '../core/log';
import { inTransaction, isDatabaseAway } from '../core/postgres';
import type { Database } from '../db/client';
import {
  beginImport,
  finishImport,
  type ImportCounts,
  type ImportOrigin,
  recordUnsuccessful,
} from './import-history';
import { LOCK_WAYBILLS, STORE_ITEMS, STORE_ORDERS, STORE_SHIPMENTS } from './import-sql';
import type { ImportInput, PreparedImport } from './prepare-import';
import { LOCK_ORDERS, REFRESH_AND_RECORD, REFRESH_TRACKING_STATUS } from './tracking-status-sql';

/** What the order service is given to work with. */
export interface OrderServices {
  db: Database;
  log: Log;
  /** Reads and checks an import, large ones in a worker thread. */
  readImport(input: ImportInput): Promise<PreparedImport>;
  /** Makes what an import brought found by text, some time after it. */
  search: { touch(): void; settled(): Promise<void> };
}

export interface ImportResult extends ImportCounts {
  importId: string;
  warnings: Problem[];
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
const MAX_ACCOUNT_ID = 2_147_483_647;

async function accountProblem(db: pg.Pool, accountId: number | null): Promise<Problem | null> {
  if (accountId === null) return null;
  const known =
    accountId >= 1 && accountId <= MAX_ACCOUNT_ID
      ? await db.query({ name: 'account', text: 'SELECT 1 FROM shops WHERE id = $1', values: [accountId] })
      : { rows: [] };
  if (known.rows.length === 1) return null;
  return { path: 'account_id', message: `must refer to an existing account; none has the id ${accountId}` };
}

/** @throws ServiceError `validation_failed` where no shop has the id */
export async function requireAccount(db: pg.Pool, accountId: number): Promise<void> {
  const problem = await accountProblem(db, accountId);
  if (problem) throw validationError([problem]);
}

/**
 * Imports orders: all or nothing (decisions.md, "Order import"). The one function behind the API, the command and the
 * spreadsheet page. Every call is recorded in the import history, also one that stores nothing.
 *
 * @param watch takes part in the transaction
 * @returns the three counts of api-reference.md 4.1 and more, once everything is stored
 * @throws ServiceError `validation_failed` naming the bad rows, or `import_failed`; nothing of the import is stored then
 */
export async function importOrders(
  services: OrderServices,
  origin: ImportOrigin,
  input: ImportInput,
  watch: ImportWatch = {},
): Promise<ImportResult> {
  const started = performance.now();
  const { db, log } = services;
  const elapsed = () => Math.round(performance.now() - started);
  const prepared = await services.readImport(input);
  const missing = await accountProblem(db.pool, prepared.accountId);
  const problems = missing ? [missing, ...prepared.problems] : prepared.problems;
  const problemCount = prepared.problemCount + (missing ? 1 : 0);
  const accountId = missing ? null : prepared.accountId;

  if (problemCount > 0) {
    const error = validationError(problems, problemCount);
    const outcome = { outcome: 'rejected', accountId, errors: problemCount, message: error.message } as const;
    await record(services, origin, prepared, { ...outcome, durationMs: elapsed() }, problems);
    throw error;
  }
  try {
    const result = await inTransaction(db.bulkPool, (client) =>
      storeImport(client, origin, prepared, elapsed, watch),
    );
    services.search.touch();
    return result;
  } catch (cause) {
    if (isServiceError(cause)) {
      const outcome = { outcome: 'rejected', accountId, message: cause.message } as const;
      await record(services, origin, prepared, { ...outcome, durationMs: elapsed() }, []);
      throw cause;
    }
    log.error({ err: cause, requestId: origin.requestId }, 'import failed');
    const error = isDatabaseAway(cause)
      ? 'The database could not be reached. Send the same rows again: what is imported twice is not doubled.'
      : 'An internal error; the log has the details under this request_id. Nothing was imported.';
    const outcome = { outcome: 'failed', accountId, message: error } as const;
    await record(services, origin, prepared, { ...outcome, durationMs: elapsed() }, []);
    throw new ServiceError('import_failed', '导入失败', { members: { error }, cause });
  }
}

/** The history must not turn a clear answer into another one; that it could not be written is logged. */
async function record(
  { db, log }: OrderServices,
  origin: ImportOrigin,
  ...entry: [PreparedImport, Parameters<typeof recordUnsuccessful>[3], readonly Problem[]]
): Promise<void> {
  try {
    await recordUnsuccessful(db.pool, origin, ...entry);
  } catch (error) {
    log.error({ err: error, requestId: origin.requestId }, 'import history could not be written');
  }
}

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
    changedOrders: orders.changed_orders,
    itemsInserted: items.rows[0]!.inserted,
    itemsChanged: items.rows[0]!.changed,
  };
  const unmatched = orders.unmatched_countries.map(({ row, name }) => ({
    path: `rows.${row}.country_name`,
    message: `"${name}" is no known country or alias; it is kept as text`,
  }));
  const warnings = [...prepared.warnings, ...unmatched];
  const warningCount = prepared.warningCount + unmatched.length;
  const result = { importId, ...counts, warnings, warningCount };
  await watch.ending?.(client, result);
  await finishImport(client, importId, counts, warnings, warningCount, elapsed());
  return result;
}

interface StoredOrders {
  new_orders: number;
  updated_orders: number;
  changed_orders: number;
  unmatched_countries: { row: number; name: string }[];
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

/**
 * Brings the orders' statuses in line with their shipments' waybills, inside the caller's transaction, which holds the locks
 * of the waybills that it changes.
 *
 * @returns the ids of the orders that changed
 */
export async function refreshTrackingStatus(
  client: pg.PoolClient,
  orderIds: readonly string[],
): Promise<string[]> {
  await client.query({ name: 'lock-orders', text: LOCK_ORDERS, values: [orderIds] });
  const { rows } = await client.query<{ id: string }>({
    name: 'refresh-tracking-status',
    text: REFRESH_TRACKING_STATUS,
    values: [orderIds],
  });
  return rows.map((row) => row.id);
}
