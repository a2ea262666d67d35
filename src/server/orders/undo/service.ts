import type pg from 'pg';
import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { PageInput } from '../../core/fields';
import { decodeCursor, encodeCursor } from '../../core/lists/cursor';
import { findCountryCodes } from '../../countries/service';
import type { Database } from '../../db/client';
import { inRetriedTransaction, inRolledBackTransaction } from '../../db/transaction';
import { setNestedLoops } from '../import/planner-service';
import { lockShop } from '../import/store-service';
import { findCurrentAndFormerSaleDays, findSaleDays, recomputeDaySums } from '../indexing/day-service';
import { indexOrdersById } from '../indexing/search-service';
import { findShopOfImport } from '../shop-orders.queries';
import { lockTrackingNumbers, removeNumbersFromShop } from '../tracking/number-shops-service';
import { recomputeOrderStatuses } from '../tracking/tracking-status-service';
import * as fieldsSql from './plan-fields.queries';
import * as recordsSql from './plan-records.queries';
import type { undoInput, undoPreviewOutput } from './schema';
import * as sql from './undo.queries';

type UndoOutput = z.output<typeof undoPreviewOutput>;
type UndoCounts = UndoOutput['counts'];
type UndoList = UndoOutput['list'];
type UndoEntry = UndoOutput['entries'][number];

/** The maximum number of entries that an undo returns per list, and of kept entries that the audit log records. */
const MAX_ENTRIES = 200;

interface UndoTarget {
  shopId: number;
  importId: string;
}

interface UndoPlan {
  target: UndoTarget;
  /** The timestamp of the records that the undo changes: when it held all locks. In ISO format with microseconds. */
  at: string;
  /** The affected orders that still exist. */
  orderIds: string[];
  /** The tracking numbers of the affected orders. */
  trackingNumbers: string[];
  /** The sale days that the orders had before the undo, and before the import changed them. */
  days: string[];
}

/**
 * Locks the import and everything it affects, and plans its undo. Also removes the shipments and restores the orders, because the
 * statuses in the plan depend on them.
 *
 * @param requireCaller throws if the user may no longer undo imports; called once all locks are held, for which it may have waited
 * for minutes
 */
async function beginUndo(
  client: pg.PoolClient,
  importId: string,
  requireCaller: () => Promise<void>,
): Promise<UndoPlan> {
  const [importRow] = await findShopOfImport.run(client, { importId });
  if (!importRow) throw notFound(createReason('answer.noImport', { id: importId }));
  const target = { shopId: importRow.shop_id, importId };
  // Lock the shop first: a concurrent undo of the same import has then finished by the time its row is read.
  await lockShop(client, target.shopId);
  await requireUndoable(client, target);
  // Tracking numbers are locked before orders, and both in sorted order, as everywhere.
  const affectedNumbers = await sql.findAffectedTrackingNumbers.run(client, target);
  await lockTrackingNumbers(client, affectedNumbers);
  const trackingNumbers = affectedNumbers.map((row) => row.tracking_number);
  const numbersJson = JSON.stringify(await sql.readTrackingNumbers.run(client, { trackingNumbers }));
  const [lockedOrders] = await sql.lockAffectedOrders.run(client, target);
  const { locked_at: at, order_ids: orderIds } = lockedOrders!;
  await requireCaller();
  await recordsSql.createPlan.run(client);
  await recordsSql.planCreatedOrders.run(client, { ...target, numbers: numbersJson });
  await recordsSql.planAddedRecords.run(client, target);
  const ordersChangedByUsers = await sql.findOrdersChangedByUsers.run(client, { orderIds });
  await setNestedLoops(client, false);
  await fieldsSql.planChangedFields.run(client, {
    ...target,
    orderIdsChangedByUsers: ordersChangedByUsers.map((row) => row.record_id),
  });
  await setNestedLoops(client, true);
  const removedShipments = await sql.findShipmentsRemovedByUsers.run(client, { importId });
  await recordsSql.planMissing.run(client, { ...target, removedShipments: JSON.stringify(removedShipments) });
  await recordsSql.analyzePlan.run(client);
  await planCountries(client);
  const days = await findCurrentAndFormerSaleDays(client, { shopId: target.shopId, orderIds }, [importId]);
  await restoreOrdersAndStatuses(client, target.shopId, at);
  return { target, at, orderIds, trackingNumbers, days };
}

/**
 * Adds the codes of the restored country names to the plan. The code that was once stored with a name may be out of date: the name
 * may have become an alias since.
 */
async function planCountries(client: pg.PoolClient): Promise<void> {
  const restoredRows = await fieldsSql.listRestoredCountries.run(client);
  if (restoredRows.length === 0) return;
  const countryCodes = await findCountryCodes(
    client,
    restoredRows.map((row) => row.country_name ?? ''),
  );
  const countries = restoredRows.map((row, index) => ({ ...row, country_code: countryCodes[index] }));
  await fieldsSql.planCountries.run(client, { countries: JSON.stringify(countries) });
}

/**
 * Removes the shipments and restores the orders. Then recomputes the orders' statuses and adds those that change to the
 * plan. Restoring the earlier statuses is not enough: they could contradict what has happened to an order since, or what a user
 * has decided.
 */
async function restoreOrdersAndStatuses(client: pg.PoolClient, shopId: number, at: string): Promise<void> {
  const ordersToRecompute = await fieldsSql.listOrdersToRecompute.run(client, { shopId });
  await sql.removeShipments.run(client, { shopId });
  await sql.restoreOrders.run(client, { shopId, at });
  if (ordersToRecompute.length === 0) return;
  const orderIds = ordersToRecompute.map((order) => order.order_id);
  const states = await recomputeOrderStatuses(client, { shopId, orderIds }, at);
  const statusById = new Map(states.map(({ id, status }) => [id, status]));
  const statusChanges = ordersToRecompute
    .map(({ order_id, status }) => ({ order_id, from: status, to: statusById.get(order_id) }))
    .filter(({ from, to }) => from !== to);
  await fieldsSql.planStatuses.run(client, { statusChanges: JSON.stringify(statusChanges) });
  await fieldsSql.removeUnchangedOrders.run(client);
}

/** Carries out the rest of the plan, in an order in which no step needs a record that an earlier one removed. */
async function carryOutPlan(client: pg.PoolClient, { target, at, trackingNumbers }: UndoPlan): Promise<void> {
  const { shopId } = target;
  await sql.removeItems.run(client, { shopId });
  await sql.removeOrders.run(client, { shopId });
  await sql.removeDocuments.run(client, { shopId });
  await sql.restoreItems.run(client, { shopId, at });
  await sql.restoreShipments.run(client, { shopId, at });
  await removeNumbersFromShop(client, shopId, trackingNumbers);
}

/** Locks the import. @throws ServiceError like {@link previewUndo} if it cannot be undone */
async function requireUndoable(client: pg.PoolClient, target: UndoTarget): Promise<void> {
  const [importRow] = await sql.lockImport.run(client, target);
  if (importRow?.outcome === 'undone') throw new ServiceError('conflict', createReason('answer.undone'));
  if (importRow?.outcome !== 'succeeded')
    throw new ServiceError('validation_failed', createReason('answer.nothingStored'));
  if (importRow.row_history !== 'kept')
    throw new ServiceError('conflict', createReason('answer.historyDeleted'));
}

async function countPlan(client: pg.PoolClient): Promise<UndoCounts> {
  return (await sql.countPlan.run(client))[0]!;
}

async function fingerprintPlan(client: pg.PoolClient): Promise<string> {
  return (await sql.fingerprintPlan.run(client))[0]!.fingerprint;
}

/** A cursor names its list, so that no other list accepts it. */
const cursorNameOf = (list: UndoList) => `undo.${list}`;

/** What `sort_key` of the plan can contain (plan-records.sql). */
const SORT_KEY_PATTERN = /^[\da-z ]{1,100}$/;

/**
 * Returns what undoing an import would do now: the counts, a fingerprint of the three lists, and a page of one of them.
 *
 * @throws ServiceError `not_found`; `conflict` if the import is already undone or its row history was deleted;
 * `validation_failed` if it stored nothing, or `cursor` is not `next` of a page of this list
 */
export async function previewUndo(
  db: Database,
  id: string,
  list: UndoList,
  { cursor, limit }: PageInput,
  requireCaller: () => Promise<void>,
): Promise<{ counts: UndoCounts; fingerprint: string; entries: UndoEntry[]; next: string | null }> {
  const after =
    cursor === undefined ? null : decodeCursor(cursor, cursorNameOf(list), [SORT_KEY_PATTERN])[0]!;
  return inRolledBackTransaction(db.bulkPool, async (client) => {
    await beginUndo(client, id, requireCaller);
    const rows = await sql.readPlan.run(client, { list, after, limit: limit + 1 });
    const entries = rows.slice(0, limit).map(({ sort_key: _, ...entry }) => entry as UndoEntry);
    const next = rows.length > limit ? encodeCursor(cursorNameOf(list), [rows[limit - 1]!.sort_key]) : null;
    return { counts: await countPlan(client), fingerprint: await fingerprintPlan(client), entries, next };
  });
}

/**
 * Undoes an import in one transaction: removes the orders, items and shipments it created and restores the fields it changed,
 * except what has changed since. An import can be undone only once.
 *
 * @param input.fingerprint the fingerprint of the preview that the user has seen
 * @returns what was done, with the first entries of each list
 * @throws ServiceError like {@link previewUndo}; `conflict` if the undo would not do exactly what the preview showed
 */
export async function undoImport(
  db: Database,
  actor: Actor & { id: number },
  { id, fingerprint }: z.output<typeof undoInput>,
  requireCaller: () => Promise<void>,
): Promise<{ counts: UndoCounts; lists: Record<UndoList, UndoEntry[]> }> {
  return inRetriedTransaction(db.bulkPool, async (client) => {
    const undoPlan = await beginUndo(client, id, requireCaller);
    const { target, at, orderIds, days } = undoPlan;
    const { shopId } = target;
    if (fingerprint !== undefined && fingerprint !== (await fingerprintPlan(client)))
      throw new ServiceError('conflict', createReason('answer.undoStale'));
    const counts = await countPlan(client);
    const entries = (await sql.readFirstEntries.run(client, { limit: MAX_ENTRIES })) as UndoEntry[];
    await carryOutPlan(client, undoPlan);
    await sql.markUndone.run(client, { ...target, at, userId: actor.id });
    const remainingOrders = await sql.findRemainingOrders.run(client, { shopId, orderIds });
    const orders = { shopId, orderIds: remainingOrders.map((row) => row.id) };
    await indexOrdersById(client, orders);
    // Both the earlier sale days and those that the remaining orders have after the undo.
    await recomputeDaySums(client, shopId, [...days, ...(await findSaleDays(client, orders))]);
    const lists: Record<UndoList, UndoEntry[]> = { undone: [], kept: [], missing: [] };
    for (const entry of entries) lists[entry.list].push(entry);
    await writeAuditEntries(client, actor, [
      {
        action: 'import.undo',
        recordType: 'import',
        recordId: id,
        after: { ...counts, kept_records: lists.kept.map(toKeptRecord) },
      },
    ]);
    return { counts, lists };
  });
}

function toKeptRecord({ record, record_id, receipt_id, reason, by_import, fields }: UndoEntry) {
  return {
    record,
    record_id,
    receipt_id,
    reason,
    by_import,
    fields: fields?.map((field) => field.name) ?? null,
  };
}
