import { type Actor, writeAudits } from '../../audit/audit';
import { ServiceError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because } from '../../core/reason';
import type { OrderStatus } from '../../core/statuses';
import type { Database } from '../../db/client';
import { daysOfOrders, sumUpDays } from '../list/day-service';
import * as sql from './change.queries';
import { findShopsOfOrders, lockOrders } from './tracking-status-service';

/**
 * Sets the status of orders by hand, forward or back (docs/orders.md: only a user moves one back), and writes each change to
 * the audit log.
 *
 * @returns how many orders changed
 * @throws ServiceError `not_found` naming the ids that do not exist; nothing changes then
 */
export async function setOrderStatus(
  db: Database,
  actor: Actor,
  input: { ids: readonly string[]; status: OrderStatus },
): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    const found = await findShopsOfOrders(client, input.ids);
    const existing = new Set<string>();
    const changed: { id: string; status: OrderStatus }[] = [];
    for (const { shopId, orderIds } of found) {
      const before = await lockOrders(client, { shopId, orderIds });
      for (const order of before) existing.add(order.id);
      const changing = before.filter((order) => order.status !== input.status);
      if (changing.length === 0) continue;
      const orders = { shopId, orderIds: changing.map((order) => order.id) };
      await sql.setStatus.run(client, { ...orders, status: input.status });
      await sumUpDays(client, shopId, await daysOfOrders(client, orders));
      changed.push(...changing);
    }
    requireAll(input.ids, existing);
    await writeAudits(
      client,
      actor,
      changed.map((row) => ({
        action: 'order.set_status',
        recordType: 'order',
        recordId: row.id,
        before: { status: row.status },
        after: { status: input.status },
      })),
    );
    return changed.length;
  });
}

function requireAll(ids: readonly string[], found: ReadonlySet<string>): void {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0)
    throw new ServiceError('not_found', because('answer.noOrders', { id: missing.slice(0, 5).join(', ') }));
}

/** Adds a note to an order. */
export async function addOrderNote(
  db: Database,
  actor: Actor & { id: number },
  input: { id: string; text: string },
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const [found] = await findShopsOfOrders(client, [input.id]);
    if (!found) throw new ServiceError('not_found', because('answer.noOrder', { id: input.id }));
    const { id: orderId, text } = input;
    await sql.addNote.run(client, {
      shopId: found.shopId,
      orderId,
      userId: actor.id,
      author: actor.name,
      text,
    });
    await writeAudits(client, actor, [
      { action: 'order.add_note', recordType: 'order', recordId: input.id, after: { text: input.text } },
    ]);
  });
}

/**
 * Removes a note of the user's own.
 *
 * @throws ServiceError `not_found` if the note does not exist or is someone else's
 */
export async function removeOrderNote(
  db: Database,
  actor: Actor & { id: number },
  noteId: number,
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const own = { noteId, userId: actor.id };
    const [found] = await sql.findNote.run(client, own);
    const [note] = found ? await sql.removeNote.run(client, { ...own, shopId: found.shop_id }) : [];
    if (!note) throw new ServiceError('not_found', because('answer.noNote', { id: noteId }));
    await writeAudits(client, actor, [
      {
        action: 'order.remove_note',
        recordType: 'order',
        recordId: note.order_id,
        before: { text: note.text },
      },
    ]);
  });
}
