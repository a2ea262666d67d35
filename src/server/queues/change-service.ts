import type pg from 'pg';
import { type Actor, writeAuditEntries } from '../audit/service';
import { invalidField, notFound } from '../core/errors/errors';
import { createReason, type Reason } from '../core/errors/reason';
import { isBigintIdText } from '../core/id-text';
import type { Database } from '../db/client';
import { inRetriedTransaction } from '../db/transaction';
import { readEntries } from './entry-service';
import { isOrderQueue, type OrderQueue, type QueueName } from './queue';
import * as sql from './queues.queries';
import { ORDER_WRITER_ROLES } from './service';
import * as unmatchedSql from './unmatched.queries';

/** An entry of a queue: an order with its shop, or a tracking number that no order has. */
interface EntryReference {
  shop_id: number | null;
  id: string;
}

/** An entry as the caller has seen it. News after `latest_at` reopens it. */
interface SeenEntry extends EntryReference {
  latest_at: string;
}

/** An entry that cannot be changed, with the reason. */
interface RefusedEntry {
  id: string;
  reason: Reason;
}

/** The ids of the entries that changed, and the entries that could not be changed because they do not exist. */
interface ChangeResult {
  changed: string[];
  refused: RefusedEntry[];
}

interface EntryChange<Entry extends EntryReference> {
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
function changeEntries<Entry extends EntryReference>(
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

/** Marks entries as handled. They reopen when something new happens. */
export function handleEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[] },
): Promise<ChangeResult> {
  return changeEntries(db, actor, { ...input, action: 'handle', ...createDismissal(actor, null) });
}

/**
 * Snoozes entries until an instant, or until something new happens, whichever comes first.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `validation_failed` if the instant is not in the future
 */
export function snoozeEntries(
  db: Database,
  actor: Actor & { id: number },
  input: { queue: QueueName; entries: readonly SeenEntry[]; until: string },
  now: number,
): Promise<ChangeResult> {
  const { until } = input;
  if (Date.parse(until) <= now) throw invalidField('until', createReason('key.future'));
  return changeEntries(db, actor, {
    ...input,
    action: 'snooze',
    after: { snoozed_until: until },
    ...createDismissal(actor, until),
  });
}

/** Returns the functions that snooze entries until `until`, or mark them as handled if it is null. */
function createDismissal(
  { id: userId }: { id: number },
  until: string | null,
): Pick<EntryChange<SeenEntry>, 'changeOrders' | 'changeNumbers'> {
  const seenAtsOf = (entries: readonly SeenEntry[]) => entries.map((entry) => entry.latest_at);
  return {
    changeOrders: async (client, { queue, shopId, entries, orderIds, now }) => {
      const currentEntries = await readEntries(client, { queues: [queue], shopIds: [shopId], orderIds });
      const openOrderIds = new Set(
        currentEntries.flatMap(({ state, order_id }) => (state === 'open' ? order_id : [])),
      );
      const openEntries = entries.filter(({ id }) => openOrderIds.has(id));
      const params = {
        shopId,
        queue,
        orderIds: openEntries.map(({ id }) => id),
        seenAts: seenAtsOf(openEntries),
      };
      await sql.endSnoozes.run(client, { ...params, now });
      return sql.dismissOrders.run(client, { ...params, userId, until, now });
    },
    changeNumbers: (client, entries, trackingNumbers, now) =>
      unmatchedSql.dismissNumbers.run(client, {
        trackingNumbers,
        seenAts: seenAtsOf(entries),
        userId,
        until,
        now,
      }),
  };
}

/** Reopens entries that were handled or snoozed. */
export function putBackEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[] },
): Promise<ChangeResult> {
  return changeEntries(db, actor, {
    ...input,
    action: 'put_back',
    changeOrders: (client, { queue, shopId, orderIds }) =>
      sql.putOrdersBack.run(client, { shopId, queue, orderIds }),
    changeNumbers: (client, _, trackingNumbers) =>
      unmatchedSql.putNumbersBack.run(client, { trackingNumbers }),
  });
}

/**
 * Assigns entries to a user, or to nobody.
 *
 * @throws ServiceError `not_found` if there is no active user with this id whose role may change orders
 */
export async function assignEntries(
  db: Database,
  actor: Actor,
  input: { queue: QueueName; entries: readonly EntryReference[]; userId: number | null },
): Promise<ChangeResult> {
  const { userId } = input;
  const [user] =
    userId === null ? [] : await sql.findAssignableUser.run(db.pool, { userId, roles: ORDER_WRITER_ROLES });
  if (userId !== null && !user) throw notFound(createReason('answer.noUser', { id: userId }));
  return changeEntries(db, actor, {
    ...input,
    action: 'assign',
    after: { assigned_to: user?.name ?? null },
    changeOrders: async (client, { queue, shopId, orderIds }) => {
      const entries = await readEntries(client, { queues: [queue], shopIds: [shopId], orderIds });
      return sql.assignOrders.run(client, {
        shopId,
        queue,
        orderIds: entries.map((entry) => entry.order_id),
        userId,
      });
    },
    changeNumbers: (client, _, trackingNumbers) =>
      unmatchedSql.assignNumbers.run(client, { trackingNumbers, userId }),
  });
}
