import { type Actor, writeAudits } from '../../audit/audit';
import { ServiceError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because } from '../../core/reason';
import type { Database } from '../../db/client';
import { daysOfOrders, sumUpDays } from '../list/day-service';
import { LOCK_ORDERS } from './tracking-status-sql';

type Status = 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled';

/**
 * Sets the status of orders by hand, forward or back (docs/orders.md: only a person moves one back), and tells the audit log of
 * each that changed.
 *
 * @returns how many changed
 * @throws ServiceError `not_found` naming the ids that there are not; nothing is changed then
 */
export async function setOrderStatus(
  db: Database,
  actor: Actor,
  input: { ids: readonly string[]; status: Status },
): Promise<number> {
  return inTransaction(db.pool, async (client) => {
    await client.query(LOCK_ORDERS, [input.ids]);
    const before = await client.query<{ id: string; status: Status }>(
      'SELECT id::text, status FROM orders WHERE id = ANY($1::bigint[])',
      [input.ids],
    );
    requireAll(input.ids, new Set(before.rows.map((row) => row.id)));
    const changed = before.rows.filter((row) => row.status !== input.status);
    await client.query('UPDATE orders SET status = $2, updated_at = now() WHERE id = ANY($1::bigint[])', [
      changed.map((row) => row.id),
      input.status,
    ]);
    await sumUpDays(
      client,
      await daysOfOrders(
        client,
        changed.map((row) => row.id),
      ),
    );
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

/** Writes a note to an order. */
export async function addOrderNote(
  db: Database,
  actor: Actor & { id: number },
  input: { id: string; text: string },
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const { rowCount } = await client.query(
      `INSERT INTO order_notes (order_id, user_id, author, text) SELECT id, $2, $3, $4 FROM orders WHERE id = $1`,
      [input.id, actor.id, actor.name, input.text],
    );
    if (rowCount === 0) throw new ServiceError('not_found', because('answer.noOrder', { id: input.id }));
    await writeAudits(client, actor, [
      { action: 'order.add_note', recordType: 'order', recordId: input.id, after: { text: input.text } },
    ]);
  });
}

/**
 * Removes one's own note.
 *
 * @throws ServiceError `not_found` where it is not one's own
 */
export async function removeOrderNote(
  db: Database,
  actor: Actor & { id: number },
  noteId: number,
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ order_id: string; text: string }>(
      'DELETE FROM order_notes WHERE id = $1 AND user_id = $2 RETURNING order_id::text, text',
      [noteId, actor.id],
    );
    const note = rows[0];
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
