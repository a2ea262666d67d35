import type pg from 'pg';
import * as sql from './entries.queries';
import { type OrderEntry, readEntries } from './entry-service';

/** The tracking status of the orders in each problem queue. */
const STATUS_BY_QUEUE = { exception: 'exception', delivery_failed: 'delivery_failure' } as const;
const PROBLEM_QUEUES = ['exception', 'delivery_failed'] as const;

/** Returns the open exceptions and failed deliveries that began at or after an instant. */
export async function findNewProblems(
  pool: pg.Pool,
  shopIds: readonly number[] | null,
  since: Date,
): Promise<OrderEntry[]> {
  const statuses = Object.values(STATUS_BY_QUEUE);
  const numberRows = await sql.findNewProblems.run(pool, { statuses, since });
  if (numberRows.length === 0) return [];
  const trackingNumbers = numberRows.map((row) => row.tracking_number);
  const orderRows = await sql.listOrdersOfNumbers.run(pool, { trackingNumbers, shopIds });
  const statusByNumber = new Map(numberRows.map((row) => [row.tracking_number, row.status]));
  const problemKeys = new Set(
    orderRows.map((row) => `${row.order_id} ${statusByNumber.get(row.tracking_number)}`),
  );
  const orderIds = [...new Set(orderRows.map((row) => row.order_id))];
  if (orderIds.length === 0) return [];
  const entries = await readEntries(pool, { queues: PROBLEM_QUEUES, shopIds, orderIds });
  return entries.filter(
    (entry) => entry.state === 'open' && problemKeys.has(`${entry.order_id} ${entry.tracking_status}`),
  );
}
