import type pg from 'pg';
import { type Actor, writeAudits } from '../../audit/audit';
import { type Problem, ServiceError, validationError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { normaliseTrackingNumber } from '../../core/text';
import type { Database } from '../../db/client';
import { LOCK_WAYBILLS } from '../import/store-sql';
import { daysOfOrders, sumUpDays } from '../list/day-service';
import { indexOrdersById } from '../list/search-service';
import { refreshTrackingStatus } from './tracking-status-service';
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
    throw new ServiceError('not_found', `There is no order with the id ${missing.slice(0, 5).join(', ')}.`);
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
    if (rowCount === 0) throw new ServiceError('not_found', `No order has the id ${input.id}.`);
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
    if (!note) throw new ServiceError('not_found', `You have no note with the id ${noteId}.`);
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

interface TrackingRow {
  receipt_id: string;
  tracking_number: string;
  carrier_code?: string;
}

const FIND_ORDERS = `
SELECT r.ord, o.id::text AS order_id
  FROM unnest($2::text[]) WITH ORDINALITY AS r(receipt_id, ord)
  LEFT JOIN orders o ON o.account_id = $1 AND o.receipt_id = r.receipt_id ORDER BY r.ord`;

/** A parcel that the order has already only learns its carrier. `xmax` is zero for rows that are new. */
const STORE_SHIPMENTS = `
INSERT INTO shipments (order_id, tracking_number, carrier_code)
SELECT DISTINCT ON (r.order_id, r.tracking_number) r.order_id, r.tracking_number, nullif(r.carrier_code, '')
  FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS r(order_id, tracking_number, carrier_code, ord)
 ORDER BY r.order_id, r.tracking_number, r.ord DESC
    ON CONFLICT (order_id, tracking_number) DO UPDATE
   SET carrier_code = EXCLUDED.carrier_code, updated_at = now()
 WHERE EXCLUDED.carrier_code IS NOT NULL AND EXCLUDED.carrier_code IS DISTINCT FROM shipments.carrier_code
RETURNING order_id::text, tracking_number, carrier_code, xmax = 0 AS added`;

/** A tracking number means that the order is shipped (docs/orders.md). */
const SHIP_ORDERS = `
UPDATE orders SET status = greatest(status, 'shipped'::order_status), updated_at = now()
 WHERE id = ANY($1::bigint[]) AND status < 'shipped'`;

function waybillOf(row: TrackingRow, index: number, problems: Problem[]): string {
  const folded = normaliseTrackingNumber(row.tracking_number);
  if (folded === '') problems.push({ path: `rows.${index}.tracking_number`, message: 'must not be empty' });
  return folded;
}

/**
 * Gives orders of a shop their tracking numbers, all or nothing: events that came before apply at once, statuses move.
 *
 * @throws ServiceError `validation_failed` naming every row whose receipt the shop does not have
 */
export async function setTrackingNumbers(
  db: Database,
  actor: Actor,
  input: { accountId: number; rows: readonly TrackingRow[] },
): Promise<{ added: number; unchanged: number; orders: number }> {
  const { rows } = input;
  const problems: Problem[] = [];
  const numbers = rows.map((row, index) => waybillOf(row, index, problems));
  return inTransaction(db.pool, async (client) => {
    const receipts = rows.map((row) => row.receipt_id.replace(/^#/, ''));
    const found = await client.query<{ order_id: string | null }>(FIND_ORDERS, [input.accountId, receipts]);
    const orderIds = found.rows.map((row, index) => {
      if (row.order_id === null)
        problems.push({
          path: `rows.${index}.receipt_id`,
          message: `the shop has no order ${rows[index]!.receipt_id}`,
        });
      return row.order_id!;
    });
    if (problems.length > 0) throw validationError(problems);
    // Waybills before orders, as imports and callbacks lock them.
    await client.query(LOCK_WAYBILLS, [
      JSON.stringify(numbers.map((tracking_number) => ({ tracking_number }))),
    ]);
    const concerned = [...new Set(orderIds)];
    await client.query(LOCK_ORDERS, [concerned]);
    const carriers = rows.map((row) => row.carrier_code ?? '');
    const stored = await client.query<StoredShipment>(STORE_SHIPMENTS, [orderIds, numbers, carriers]);
    await client.query(SHIP_ORDERS, [concerned]);
    await refreshTrackingStatus(client, concerned);
    await indexOrdersById(client, concerned);
    await auditShipments(client, actor, stored.rows);
    const added = stored.rows.filter((row) => row.added).length;
    return { added, unchanged: rows.length - stored.rows.length, orders: concerned.length };
  });
}

interface StoredShipment {
  order_id: string;
  tracking_number: string;
  carrier_code: string | null;
  added: boolean;
}

function auditShipments(
  client: pg.PoolClient,
  actor: Actor,
  stored: readonly StoredShipment[],
): Promise<void> {
  return writeAudits(
    client,
    actor,
    stored.map((row) => ({
      action: row.added ? 'order.add_tracking_number' : 'order.set_carrier',
      recordType: 'order',
      recordId: row.order_id,
      after: { tracking_number: row.tracking_number, carrier_code: row.carrier_code },
    })),
  );
}
