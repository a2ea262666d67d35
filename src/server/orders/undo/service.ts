import type pg from 'pg';
import { type Actor, writeAudits } from '../../audit/audit';
import { ServiceError } from '../../core/errors';
import { inRolledBackTransaction, inTransaction } from '../../core/postgres';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';
import { refreshTrackingStatus } from '../detail/tracking-status-service';
import { PAGE_SIZE } from '../drafts/checked-sheet';
import { lockShop } from '../import/store-service';
import { daysOfImports, daysOfOrders, sumUpDays } from '../list/day-service';
import { indexOrdersById } from '../list/search-service';
import {
  CARRY_OUT,
  COUNT_PLAN,
  LOCK_CONCERNED_ORDERS,
  LOCK_CONCERNED_WAYBILLS,
  MAKE_PLAN,
  PLAN_ADDED_RECORDS,
  PLAN_CHANGED_FIELDS,
  PLAN_CREATED_ORDERS,
  PLAN_MISSING,
  READ_PLAN,
  READ_PLAN_HEADS,
} from './sql';

export interface UndoCounts {
  removed_orders: number;
  removed_items: number;
  removed_shipments: number;
  restored_records: number;
  kept: number;
  missing: number;
}

/** What is undone, what stays because somebody touched it since, and what is not there any more. */
export type UndoList = 'undone' | 'kept' | 'missing';

export interface UndoEntry {
  list: UndoList;
  work: 'remove' | 'restore' | null;
  record: 'order' | 'item' | 'shipment';
  record_id: string | null;
  order_id: string | null;
  receipt_id: string | null;
  fields: { name: string; before: unknown; after: unknown; present: unknown }[] | null;
  /** Who touched it since: another import, a person, a carrier's event, or something that left no name. */
  reason: 'import' | 'person' | 'tracking' | 'changed' | null;
  by_import: string | null;
  /** How many records the entry stands for, where they are not there any more. */
  missing: number | null;
}

/** How many entries of each list the answer of an undo shows, and the audit log keeps of what stayed. */
const SHOWN = 200;

/** Locks the import and all that it concerns, and plans its undo. Returns the orders concerned that there are. */
async function plan(client: pg.PoolClient, id: string): Promise<string[]> {
  const { rows } = await client.query<{ account_id: number | null }>(
    'SELECT account_id FROM imports WHERE id = $1',
    [id],
  );
  if (!rows[0]) throw new ServiceError('not_found', because('answer.noImport', { id }));
  // The shop first: whoever undoes the same import meanwhile has finished when its row is read.
  if (rows[0].account_id !== null) await lockShop(client, rows[0].account_id);
  await requireUndoable(client, id);
  await client.query(LOCK_CONCERNED_WAYBILLS, [id]);
  const concerned = await client.query<{ id: string }>(LOCK_CONCERNED_ORDERS, [id]);
  await client.query(MAKE_PLAN);
  for (const part of [PLAN_CREATED_ORDERS, PLAN_ADDED_RECORDS, PLAN_CHANGED_FIELDS, PLAN_MISSING])
    await client.query(part, [id]);
  return concerned.rows.map((row) => row.id);
}

async function requireUndoable(client: pg.PoolClient, id: string): Promise<void> {
  const { rows } = await client.query<{ outcome: string }>(
    'SELECT outcome FROM imports WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (rows[0]?.outcome === 'undone') throw new ServiceError('conflict', because('answer.undone'));
  if (rows[0]?.outcome !== 'succeeded')
    throw new ServiceError('validation_failed', because('answer.nothingStored'));
}

async function countPlan(client: pg.PoolClient): Promise<UndoCounts> {
  return (await client.query<UndoCounts>(COUNT_PLAN)).rows[0]!;
}

/**
 * What the undo of an import would do now: a page of one of its three lists.
 *
 * @param page counted from 0
 * @throws ServiceError `not_found`; `conflict` where it is undone; `validation_failed` where it stored nothing
 */
export async function previewUndo(
  db: Database,
  id: string,
  list: UndoList,
  page: number,
): Promise<{ counts: UndoCounts; entries: UndoEntry[] }> {
  return inRolledBackTransaction(db.bulkPool, async (client) => {
    await plan(client, id);
    const { rows } = await client.query<UndoEntry>(READ_PLAN, [list, page * PAGE_SIZE]);
    return { counts: await countPlan(client), entries: rows };
  });
}

/**
 * Undoes an import, in one transaction: removes the orders, items and parcels that it created and puts back the fields that it
 * changed, except what was touched since. Happens once.
 *
 * @returns what was done, with the first entries of each list
 * @throws ServiceError as {@link previewUndo}
 */
export async function undoImport(
  db: Database,
  actor: Actor & { id: number },
  id: string,
): Promise<{ counts: UndoCounts; lists: Record<UndoList, UndoEntry[]> }> {
  return inTransaction(db.bulkPool, async (client) => {
    const concerned = await plan(client, id);
    const counts = await countPlan(client);
    const { rows } = await client.query<UndoEntry>(READ_PLAN_HEADS, [SHOWN]);
    const days = await daysOfImports(client, concerned, [id]);
    for (const statement of CARRY_OUT) await client.query(statement);
    await client.query(
      `UPDATE imports SET outcome = 'undone', undone_at = now(), undone_by_user_id = $2 WHERE id = $1`,
      [id, actor.id],
    );
    const left = await client.query<{ id: string }>('SELECT id FROM orders WHERE id = ANY($1::bigint[])', [
      concerned,
    ]);
    const ids = left.rows.map((row) => row.id);
    await refreshTrackingStatus(client, ids);
    await indexOrdersById(client, ids);
    // The days as they were, and those on which what is left is sold now.
    const now = await daysOfOrders(client, ids);
    await sumUpDays(client, [...days, ...now]);
    const lists: Record<UndoList, UndoEntry[]> = { undone: [], kept: [], missing: [] };
    for (const entry of rows) lists[entry.list].push(entry);
    await writeAudits(client, actor, [
      {
        action: 'import.undo',
        recordType: 'import',
        recordId: id,
        after: { ...counts, kept_records: lists.kept.map(keptEntry) },
      },
    ]);
    return { counts, lists };
  });
}

function keptEntry({ record, record_id, receipt_id, reason, by_import, fields }: UndoEntry) {
  return {
    record,
    record_id,
    receipt_id,
    reason,
    by_import,
    fields: fields?.map((field) => field.name) ?? null,
  };
}
