import type pg from 'pg';
import { LOCK_ORDERS, REFRESH_TRACKING_STATUS } from './tracking-status-sql';

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
