import { requireUnchanged } from '../../audit/edit-conflict-service';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { invalidField, notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { OrderStatus } from '../../core/statuses';
import type { Database } from '../../db/client';
import { inRetriedTransaction, inTransaction } from '../../db/transaction';
import { MAX_BULK_SIZE } from '../filter/bounds';
import { findOrders, type MatchingOrder } from '../filter/conditions-service';
import type { OrderFilter } from '../filter/schema';
import { findSaleDays, recomputeDaySums } from '../indexing/day-service';
import { collectFromShops, findShopsOfOrders, groupOrdersByShop, lockOrders } from '../shop-orders-service';
import * as sql from './change.queries';

/**
 * Sets the status of all orders that match a filter, in one transaction, and writes each change to the audit log. Unlike
 * imports and carriers, users may also move a status back (docs/orders.md).
 *
 * @param input.count how many orders the user has confirmed
 * @param input.shown the statuses that the page showed, by order id
 * @returns how many orders changed
 * @throws ServiceError `not_found` naming up to five of the filter's ids that match no order; `validation_failed` for more than
 * {@link MAX_BULK_SIZE} orders; `conflict` if the number of matching orders is no longer what the user confirmed, also once the
 * orders are locked, or if a status that would be overwritten differs from the one in `shown`. In all these cases nothing changes.
 */
export async function setOrderStatus(
  db: Database,
  actor: Actor,
  input: {
    filter: OrderFilter;
    count: number;
    status: OrderStatus;
    shown?: Readonly<Record<string, OrderStatus>> | undefined;
  },
): Promise<number> {
  return inRetriedTransaction(db.pool, async (client) => {
    const matchingOrders = await findOrders(client, input.filter, MAX_BULK_SIZE + 1);
    if (matchingOrders.length > MAX_BULK_SIZE)
      throw invalidField('filter', createReason('order.tooMany', { count: MAX_BULK_SIZE }));
    requireConfirmed(input, matchingOrders);
    const lockedShops = await collectFromShops(groupOrdersByShop(matchingOrders), async (orders) => [
      { shopId: orders.shopId, lockedOrders: await lockOrders(client, orders) },
    ]);
    // While this transaction waited for the locks, others may have changed or removed the orders.
    const lockedFilter = { ...input.filter, ids: matchingOrders.map((order) => order.order_id) };
    requireConfirmed(input, await findOrders(client, lockedFilter, matchingOrders.length));
    const changedOrders: { id: string; status: OrderStatus }[] = [];
    for (const { shopId, lockedOrders } of lockedShops) {
      const ordersToChange = lockedOrders.filter((order) => order.status !== input.status);
      for (const { id, status } of ordersToChange)
        await requireUnchanged(
          client,
          actor,
          { recordType: 'order', recordId: id },
          {
            shown: { status: input.shown?.[id] },
            stored: { status },
            newValues: { status: input.status },
          },
        );
      if (ordersToChange.length === 0) continue;
      const orders = { shopId, orderIds: ordersToChange.map((order) => order.id) };
      await sql.setStatus.run(client, { ...orders, status: input.status });
      await recomputeDaySums(client, shopId, await findSaleDays(client, orders));
      changedOrders.push(...ordersToChange);
    }
    await writeAuditEntries(
      client,
      actor,
      changedOrders.map((row) => ({
        action: 'order.set_status',
        recordType: 'order',
        recordId: row.id,
        before: { status: row.status },
        after: { status: input.status },
      })),
    );
    return changedOrders.length;
  });
}

/** @throws ServiceError if the orders that match are not those that the user has confirmed */
function requireConfirmed(
  { filter, count }: { filter: OrderFilter; count: number },
  matchingOrders: readonly MatchingOrder[],
): void {
  requireAllFound(filter.ids ?? [], new Set(matchingOrders.map((order) => order.order_id)));
  if (matchingOrders.length !== count)
    throw new ServiceError(
      'conflict',
      createReason('order.otherCount', { count: matchingOrders.length, expected: count }),
    );
}

function requireAllFound(ids: readonly string[], foundIds: ReadonlySet<string>): void {
  const missingIds = ids.filter((id) => !foundIds.has(id));
  if (missingIds.length > 0)
    throw notFound(createReason('answer.noOrder', { id: missingIds.slice(0, 5).join(', ') }));
}

/**
 * Adds the same note to each of the orders, in one transaction. An order that already has the text from this user with the same
 * key does not get it again.
 *
 * @returns the ids of the orders that exist
 */
export async function addOrderNotes(
  db: Database,
  actor: Actor & { id: number },
  { ids, text, key = null }: { ids: readonly string[]; text: string; key?: string | null | undefined },
): Promise<string[]> {
  return inTransaction(db.pool, async (client) => {
    const orderIdsWithNote: string[] = [];
    const orderIdsWithNewNote: string[] = [];
    for (const orders of await findShopsOfOrders(client, ids)) {
      const { shopId } = orders;
      // Without the lock, an order could be removed by an undo before its note is stored.
      const orderIds = (await lockOrders(client, orders)).map((order) => order.id);
      const note = { shopId, orderIds, userId: actor.id, author: actor.name, text, key };
      orderIdsWithNewNote.push(...(await sql.addNotes.run(client, note)).map((row) => row.order_id));
      orderIdsWithNote.push(...orderIds);
    }
    await writeAuditEntries(
      client,
      actor,
      orderIdsWithNewNote.map((id) => ({
        action: 'order.add_note',
        recordType: 'order',
        recordId: id,
        after: { text },
      })),
    );
    return orderIdsWithNote;
  });
}

/**
 * Adds a note to an order.
 *
 * @throws ServiceError `not_found`
 */
export async function addOrderNote(
  db: Database,
  actor: Actor & { id: number },
  { id, text, key }: { id: string; text: string; key?: string | undefined },
): Promise<void> {
  const orderIdsWithNote = await addOrderNotes(db, actor, { ids: [id], text, key });
  if (orderIdsWithNote.length === 0) throw notFound(createReason('answer.noOrder', { id }));
}

/**
 * Removes one of the user's own notes.
 *
 * @throws ServiceError `not_found` if the note does not exist or is someone else's
 */
export async function removeOrderNote(
  db: Database,
  actor: Actor & { id: number },
  noteId: number,
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const noteKey = { noteId, userId: actor.id };
    const [storedNote] = await sql.findNote.run(client, noteKey);
    const [note] = storedNote
      ? await sql.removeNote.run(client, { ...noteKey, shopId: storedNote.shop_id })
      : [];
    if (!note) throw notFound(createReason('answer.noNote', { id: noteId }));
    await writeAuditEntries(client, actor, [
      {
        action: 'order.remove_note',
        recordType: 'order',
        recordId: note.order_id,
        before: { text: note.text },
      },
    ]);
  });
}
