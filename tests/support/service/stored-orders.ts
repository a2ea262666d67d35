import { normaliseOrderNumber } from '../../../src/server/core/text/order-number';
import type { TestDatabase } from '../database/test-database';

export interface StoredOrder {
  [column: string]: unknown;
  receipt_id: string;
  status: string;
  items: Record<string, unknown>[];
  shipments: Record<string, unknown>[];
}

/** Returns every stored order with its items and shipments. Sale dates are ISO text in UTC. */
export async function readStoredOrders(database: TestDatabase): Promise<StoredOrder[]> {
  return database
    .query<StoredOrder>(`
    SELECT to_jsonb(o)
           || jsonb_build_object('sale_date', to_char(o.sale_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
           || jsonb_build_object(
                'items', (SELECT coalesce(jsonb_agg(to_jsonb(i) ORDER BY i.id), '[]') FROM order_items i
                           WHERE i.shop_id = o.shop_id AND i.order_id = o.id),
                'shipments', (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.id), '[]') FROM shipments s
                               WHERE s.shop_id = o.shop_id AND s.order_id = o.id)
              ) AS "order"
      FROM orders o ORDER BY o.id`)
    .then((rows) => rows.map((row) => row.order as StoredOrder));
}

/** Returns the stored order with this order number, normalised as in an import. Throws unless there is exactly one. */
export async function readStoredOrder(database: TestDatabase, receiptId: string): Promise<StoredOrder> {
  const number = normaliseOrderNumber(receiptId);
  const matches = (await readStoredOrders(database)).filter((order) => order.receipt_id === number);
  if (matches.length !== 1) throw new Error(`${matches.length} orders have the number ${number}`);
  return matches[0]!;
}
