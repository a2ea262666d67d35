import type { z } from 'zod';
import { instantText } from '../../core/cursor';
import type { Database } from '../../db/client';
import { orderValue } from '../detail/order-value-sql';
import { findConditions } from './conditions-service';
import { afterCursor, decodeOrderCursor, encodeOrderCursor, ORDER_BY } from './filter-sql';
import type { OrderFilter, orderListOutput } from './schema';

/** An order as the list shows it. */
export type ListedOrder = z.output<typeof orderListOutput>['orders'][number];

const where = (conditions: readonly string[]) =>
  conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';

/** Finds the page's orders first, and reads items and shipments only for them. */
export const listStatement = (
  conditions: readonly string[],
  direction: 'newest' | 'oldest',
  limit: string,
) => `
SELECT o.id::text, o.receipt_id, o.shop_id, s.name AS shop, o.status, o.tracking_status,
       ${instantText('o.sale_date')} AS sale_date, o.buyer, o.name,
       o.country_code::text, o.country_name, o.currency, i.value, i.items, i.quantity, i.title,
       coalesce(p.tracking_numbers, '{}') AS tracking_numbers, coalesce(p.carrier_code, o.carrier_code) AS carrier_code
  FROM (SELECT o.* FROM orders o ${where(conditions)} ORDER BY ${ORDER_BY[direction]} LIMIT ${limit}) o
  JOIN shops s ON s.id = o.shop_id
  LEFT JOIN LATERAL (
    SELECT trim_scale(${orderValue('o', 't')})::text AS value, count(*)::int AS items,
           coalesce(sum(t.quantity), 0)::float8 AS quantity, (array_agg(t.title ORDER BY t.id))[1] AS title
      FROM order_items t WHERE t.shop_id = o.shop_id AND t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT array_agg(t.tracking_number ORDER BY t.created_at DESC, t.id) AS tracking_numbers,
           (array_agg(t.carrier_code ORDER BY t.created_at DESC, t.id))[1] AS carrier_code
      FROM shipments t WHERE t.shop_id = o.shop_id AND t.order_id = o.id) p ON true
 ORDER BY ${ORDER_BY[direction]}`;

/**
 * Returns a page of orders. A page starts after the last order of the previous one, so orders that arrive in between neither
 * repeat nor hide any.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listOrders(
  db: Database,
  input: { filter: OrderFilter; direction: 'newest' | 'oldest'; cursor?: string; limit: number },
): Promise<{ orders: ListedOrder[]; next: string | null }> {
  const { conditions, values } = await findConditions(db.pool, input.filter);
  if (input.cursor !== undefined)
    conditions.push(afterCursor(decodeOrderCursor(input.cursor), input.direction, values));
  const limit = `$${values.push(input.limit + 1)}::int`;
  const { rows } = await db.pool.query<ListedOrder>(
    listStatement(conditions, input.direction, limit),
    values,
  );
  const orders = rows.slice(0, input.limit);
  const last = orders.at(-1);
  const next =
    rows.length > input.limit && last ? encodeOrderCursor({ saleDate: last.sale_date, id: last.id }) : null;
  return { orders, next };
}

const MOST_COUNTED = 10_000;

export const countStatement = (conditions: readonly string[]) =>
  `SELECT count(*)::int AS count FROM (SELECT 1 FROM orders o ${where(conditions)} LIMIT ${MOST_COUNTED + 1}) x`;

/** Counts matching orders, up to ten thousand. */
export async function countOrders(
  db: Database,
  filter: OrderFilter,
): Promise<{ count: number; more: boolean }> {
  const { conditions, values } = await findConditions(db.pool, filter);
  const { rows } = await db.pool.query<{ count: number }>(countStatement(conditions), values);
  const count = rows[0]!.count;
  return { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED };
}
