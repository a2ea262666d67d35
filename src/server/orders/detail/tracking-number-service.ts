import type pg from 'pg';
import { type Actor, writeAudits } from '../../audit/audit';
import { ServiceError, validationError } from '../../core/errors';
import { inTransaction } from '../../core/postgres';
import { because, type Problem, problemAt } from '../../core/reason';
import { normaliseTrackingNumber } from '../../core/text';
import type { Database } from '../../db/client';
import { LOCK_WAYBILLS } from '../import/store-sql';
import { indexOrdersById } from '../list/search-service';
import {
  lockOrders,
  type OrderState,
  refreshTrackingStatus,
  settleOrders,
  stateChange,
} from './tracking-status-service';
import { LOCK_ORDERS, ORDER_STATES } from './tracking-status-sql';

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

/** A tracking number means that the order is shipped. */
const SHIP_ORDERS = `
UPDATE orders SET status = greatest(status, 'shipped'::order_status), updated_at = now()
 WHERE id = ANY($1::bigint[]) AND status < 'shipped'`;

function waybillOf(row: TrackingRow, index: number, problems: Problem[]): string {
  const folded = normaliseTrackingNumber(row.tracking_number);
  if (folded === '') problems.push(problemAt(`rows.${index}.tracking_number`, because('text.empty')));
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
        problems.push(
          problemAt(
            `rows.${index}.receipt_id`,
            because('order.unknown', { receipt: rows[index]!.receipt_id }),
          ),
        );
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

const HAS_SHIPMENT = 'SELECT FROM shipments WHERE order_id = $1 AND tracking_number = $2';

const REMOVE_SHIPMENT = `
DELETE FROM shipments WHERE order_id = $1 AND tracking_number = $2 RETURNING carrier_code, import_id::text`;

/** A number that no order has and of which nothing was ever observed is forgotten, so that no carrier is asked about it. */
const FORGET_WAYBILL = `
DELETE FROM waybills w WHERE w.tracking_number = $1
   AND NOT EXISTS (SELECT FROM shipments s WHERE s.tracking_number = w.tracking_number)
   AND NOT EXISTS (SELECT FROM tracking_events e WHERE e.tracking_number = w.tracking_number)`;

/**
 * Takes a tracking number off an order, for one that was mistyped. The order is at what it would be at without the number: its
 * tracking status follows its other shipments, and its own status moves back unless a person has set it. What carriers have said
 * of the number is kept. {@link restoreTrackingNumber} puts it back.
 *
 * @returns what the order is at now
 * @throws ServiceError `not_found` where the order does not have the number
 */
export async function removeTrackingNumber(
  db: Database,
  actor: Actor,
  input: { id: string; trackingNumber: string },
): Promise<OrderState> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  const missing = () => new ServiceError('not_found', because('order.noTrackingNumber', { number }));
  return inTransaction(db.pool, async (client) => {
    const known = await client.query(HAS_SHIPMENT, [input.id, number]);
    if (known.rowCount === 0) throw missing();
    // Waybills before orders, as imports and callbacks lock them.
    await client.query('SELECT FROM waybills WHERE tracking_number = $1 FOR UPDATE', [number]);
    const [before] = await lockOrders(client, [input.id]);
    const { rows } = await client.query<RemovedShipment>(REMOVE_SHIPMENT, [input.id, number]);
    const removed = rows[0];
    if (!before || !removed) throw missing();
    await client.query(FORGET_WAYBILL, [number]);
    const [after] = await settleOrders(client, [input.id]);
    await indexOrdersById(client, [input.id]);
    const change = stateChange(before, after!);
    await writeAudits(client, actor, [
      {
        action: 'order.remove_tracking_number',
        recordType: 'order',
        recordId: input.id,
        before: { tracking_number: number, ...removed, ...change.before },
        after: change.after,
      },
    ]);
    return after!;
  });
}

interface RemovedShipment {
  carrier_code: string | null;
  import_id: string | null;
}

/** The latest removal of the number $2 from the order $1. */
const LAST_REMOVAL = `
SELECT before->>'carrier_code' AS carrier_code, before->>'import_id' AS import_id FROM audit_log
 WHERE record_type = 'order' AND record_id = $1 AND action = 'order.remove_tracking_number'
   AND before->>'tracking_number' = $2
 ORDER BY created_at DESC, id DESC LIMIT 1`;

const RESTORE_SHIPMENT = `
INSERT INTO shipments (order_id, tracking_number, carrier_code, import_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (order_id, tracking_number) DO NOTHING`;

/**
 * Puts a tracking number back that a person has taken off the order, with its carrier and the import that it came with. Does
 * nothing where the order has it again already.
 *
 * @returns what the order is at now
 * @throws ServiceError `not_found` where nobody has taken the number off this order
 */
export async function restoreTrackingNumber(
  db: Database,
  actor: Actor,
  input: { id: string; trackingNumber: string },
): Promise<OrderState> {
  const number = normaliseTrackingNumber(input.trackingNumber);
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<RemovedShipment>(LAST_REMOVAL, [input.id, number]);
    const removed = rows[0];
    if (!removed) throw new ServiceError('not_found', because('order.notRemoved', { number }));
    await client.query(LOCK_WAYBILLS, [JSON.stringify([{ tracking_number: number }])]);
    const [before] = await lockOrders(client, [input.id]);
    if (!before) throw new ServiceError('not_found', because('answer.noOrder', { id: input.id }));
    const { carrier_code: carrier, import_id: importId } = removed;
    const stored = await client.query(RESTORE_SHIPMENT, [input.id, number, carrier, importId]);
    if (stored.rowCount === 0) return before;
    await client.query(SHIP_ORDERS, [[input.id]]);
    await refreshTrackingStatus(client, [input.id]);
    await indexOrdersById(client, [input.id]);
    const { rows: states } = await client.query<OrderState>(ORDER_STATES, [[input.id]]);
    const change = stateChange(before, states[0]!);
    await writeAudits(client, actor, [
      {
        action: 'order.restore_tracking_number',
        recordType: 'order',
        recordId: input.id,
        before: change.before,
        after: { tracking_number: number, carrier_code: carrier, ...change.after },
      },
    ]);
    return states[0]!;
  });
}
