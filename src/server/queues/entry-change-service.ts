import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../audit/service';
import { createReason, type Reason } from '../core/errors/reason';
import { isBigintIdText } from '../core/id-text';
import type { Database } from '../db/client';
import { inRetriedTransaction } from '../db/transaction';
import { isOrderQueue, type OrderQueue, type QueueName } from './queue';
import * as sql from './queues.queries';
import * as unmatchedSql from './unmatched.queries';

/** An entry of a queue: an order with its shop, or a tracking number that no order has. */
export interface EntryReference {
  shop_id: number | null;
  id: string;
}

/** An entry that cannot be changed, with the reason. */
interface RefusedEntry {
  id: string;
  reason: Reason;
}

/** The ids of the entries that changed, and the entries that could not be changed because they do not exist. */
export interface ChangeResult {
  changed: string[];
  refused: RefusedEntry[];
}

/** How the entries of a queue are changed. */
export interface EntryChange<Entry extends EntryReference> {
  queue: QueueName;
  entries: readonly Entry[];
  action: 'handle' | 'snooze' | 'assign' | 'put_back';
  /** What the audit log records in addition to the queue. */
  after?: { snoozed_until?: string; assigned_to?: string | null };
  /** Changes the entries of one shop. `now` is the database's time. @returns the orders whose entries changed */
  changeOrders: (
    client: pg.PoolClient,
    shop: { queue: OrderQueue; shopId: number; entries: readonly Entry[]; orderIds: string[]; now: string },
  ) => Promise<{ order_id: string }[]>;
  /** Changes the entries of tracking numbers. `now` is the database's time. @returns the numbers whose entries changed */
  changeNumbers: (
    client: pg.PoolClient,
    entries: readonly Entry[],
    trackingNumbers: string[],
    now: string,
  ) => Promise<{ id: string }[]>;
}

const toRefusedOrder = (id: string): RefusedEntry => ({
  id,
  reason: createReason('answer.noOrder', { id }),
});

/**
 * Changes entries in one transaction, orders shop by shop, and writes each changed entry to the audit log. Entries that do not
 * exist are refused; the others are changed anyway.
 */
export function changeEntries<Entry extends EntryReference>(
  db: Database,
  actor: Actor,
  entryChange: EntryChange<Entry>,
): Promise<ChangeResult> {
  const { queue, action, after = {} } = entryChange;
  return inRetriedTransaction(db.pool, async (client) => {
    const result = isOrderQueue(queue)
      ? await changeOrders(client, queue, entryChange)
      : await changeNumbers(client, entryChange);
    const recordType = isOrderQueue(queue) ? 'order' : 'shipment';
    await writeAuditEntries(
      client,
      actor,
      result.changed.map((id) => ({
        action: `${recordType}.${action}`,
        recordType,
        recordId: id,
        after: { queue, ...after },
      })),
    );
    return result;
  });
}

async function changeOrders<Entry extends EntryReference>(
  client: pg.PoolClient,
  queue: OrderQueue,
  { entries, changeOrders: changeOrdersOfShop }: EntryChange<Entry>,
): Promise<ChangeResult> {
  const isOrder = ({ shop_id, id }: Entry) => shop_id !== null && isBigintIdText(id);
  const refusedEntries = entries.filter((entry) => !isOrder(entry)).map(({ id }) => toRefusedOrder(id));
  const orders = entries.filter(isOrder);
  const changedIds: string[] = [];
  const shopIds = [...new Set(orders.map((entry) => entry.shop_id!))].sort((a, b) => a - b);
  for (const shopId of shopIds) {
    const shopEntries = orders.filter((entry) => entry.shop_id === shopId);
    const orderRows = await sql.lockOrders.run(client, { shopId, orderIds: shopEntries.map(({ id }) => id) });
    const storedIds = new Set(orderRows.map(({ id }) => id));
    refusedEntries.push(
      ...shopEntries.filter(({ id }) => !storedIds.has(id)).map(({ id }) => toRefusedOrder(id)),
    );
    const existingEntries = shopEntries.filter(({ id }) => storedIds.has(id));
    const orderIds = existingEntries.map(({ id }) => id);
    const now = orderRows[0]?.now;
    const rows = now
      ? await changeOrdersOfShop(client, { queue, shopId, entries: existingEntries, orderIds, now })
      : [];
    changedIds.push(...rows.map((row) => row.order_id));
  }
  return { changed: changedIds, refused: refusedEntries };
}

/** Changes the entries of tracking numbers. Numbers that now belong to an order have left the queue, and stay as they are. */
async function changeNumbers<Entry extends EntryReference>(
  client: pg.PoolClient,
  { entries, changeNumbers: changeExistingNumbers }: EntryChange<Entry>,
): Promise<ChangeResult> {
  const databaseTimeByNumber = new Map<string, string>();
  const recordedRows = await unmatchedSql.listRecordedNumbers.run(client, {
    trackingNumbers: entries.map(({ id }) => id),
  });
  // One by one, because the numbers may be on several servers, and in the database's order, as imports and callbacks lock them
  // (tracking/merge.sql).
  for (const { tracking_number: trackingNumber } of recordedRows) {
    const [lockedRow] = await unmatchedSql.lockNumber.run(client, { trackingNumber });
    if (lockedRow) databaseTimeByNumber.set(trackingNumber, lockedRow.now);
  }
  const refusedEntries = entries
    .filter(({ id }) => !databaseTimeByNumber.has(id))
    .map(({ id }) => ({ id, reason: createReason('answer.notUnmatched', { number: id }) }));
  const existingEntries = entries.filter(({ id }) => databaseTimeByNumber.has(id));
  const now = existingEntries[0] && databaseTimeByNumber.get(existingEntries[0].id);
  const ids = existingEntries.map(({ id }) => id);
  const rows = now ? await changeExistingNumbers(client, existingEntries, ids, now) : [];
  return { changed: rows.map(({ id }) => id), refused: refusedEntries };
}
