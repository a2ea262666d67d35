import type { z } from 'zod';
import { instantTextSql } from '../../core/lists/cursor';
import type { Database } from '../../db/client';
import { buildOrderConditions } from '../filter/conditions-service';
import {
  afterPositionSql,
  decodeOrderCursor,
  encodeOrderCursor,
  ORDER_BY,
  whereAll,
} from '../filter/filter-sql';
import type { OrderFilter } from '../filter/schema';
import { orderValueSql } from '../order-value-sql';
import type { orderListOutput } from './schema';

/** An order as the list shows it. */
export type ListedOrder = z.output<typeof orderListOutput>['orders'][number];

/**
 * Returns the statement that finds a page of orders. It is separate from {@link DESCRIBE_ORDERS_STATEMENT}, so that each server of
 * a cluster can find its part of the page on its own. It selects the order number because no index has both this number and the
 * sale date: otherwise PostgreSQL might prefer an index-only scan and sort all orders of a shop.
 */
export const pageStatement = (
  conditions: readonly string[],
  direction: 'newest' | 'oldest',
  limitPlaceholder: string,
) => `
SELECT o.shop_id, o.id::text, o.receipt_id, ${instantTextSql('o.sale_date')} AS sale_date
  FROM orders o ${whereAll(conditions)} ORDER BY ${ORDER_BY[direction]} LIMIT ${limitPlaceholder}`;

/** An order as {@link pageStatement} finds it. */
export interface PageOrder {
  shop_id: number;
  id: string;
  receipt_id: string;
  sale_date: string | null;
}

/** Reads the orders with the ids $2 in the shops $1, in no particular order. Blank items are neither shown nor counted. */
export const DESCRIBE_ORDERS_STATEMENT = {
  name: 'orders.describe',
  text: `
SELECT o.id::text, o.receipt_id, o.shop_id, s.name AS shop, o.status, o.tracking_status,
       ${instantTextSql('o.sale_date')} AS sale_date, o.buyer, o.name,
       o.country_code::text, o.country_name, o.currency, i.value, i.items, i.quantity, i.title, i.variations,
       coalesce(p.tracking_numbers, '{}') AS tracking_numbers, coalesce(p.carrier_code, o.carrier_code) AS carrier_code
  FROM orders o
  JOIN shops s ON s.id = o.shop_id
  LEFT JOIN LATERAL (
    SELECT trim_scale(${orderValueSql('o', 't')})::text AS value, count(*) FILTER (WHERE NOT t.is_blank)::int AS items,
           coalesce(sum(t.units), 0)::float8 AS quantity,
           (array_agg(t.title ORDER BY t.id) FILTER (WHERE NOT t.is_blank))[1] AS title,
           (array_agg(t.choices ORDER BY t.id) FILTER (WHERE NOT t.is_blank))[1] AS variations
      FROM described_items t WHERE t.shop_id = o.shop_id AND t.order_id = o.id) i ON true
  LEFT JOIN LATERAL (
    SELECT array_agg(t.tracking_number ORDER BY t.created_at DESC, t.id) AS tracking_numbers,
           (array_agg(t.carrier_code ORDER BY t.created_at DESC, t.id))[1] AS carrier_code
      FROM shipments t WHERE t.shop_id = o.shop_id AND t.order_id = o.id) p ON true
 WHERE o.shop_id = ANY($1::int[]) AND o.id = ANY($2::bigint[])`,
};

/** Returns the orders of a page in the same order, without those that have been deleted since. */
async function describeOrders(db: Database, page: readonly PageOrder[]): Promise<ListedOrder[]> {
  if (page.length === 0) return [];
  const shopIds = [...new Set(page.map((order) => order.shop_id))];
  const { rows } = await db.pool.query<ListedOrder>(DESCRIBE_ORDERS_STATEMENT, [
    shopIds,
    page.map(({ id }) => id),
  ]);
  const orderById = new Map(rows.map((order) => [order.id, order]));
  return page.flatMap(({ id }) => orderById.get(id) ?? []);
}

/**
 * Returns a page of orders. A page starts after the last order of the previous one, so orders that arrive in between cause
 * neither repeats nor gaps.
 *
 * @throws ServiceError `validation_failed` for an invalid cursor
 */
export async function listOrders(
  db: Database,
  input: { filter: OrderFilter; direction: 'newest' | 'oldest'; cursor?: string; limit: number },
): Promise<{ orders: ListedOrder[]; next: string | null }> {
  const { conditions, values } = await buildOrderConditions(db.pool, input.filter, { readsPage: true });
  if (input.cursor !== undefined)
    conditions.push(afterPositionSql(decodeOrderCursor(input.cursor), input.direction, values));
  const limitPlaceholder = `$${values.push(input.limit + 1)}::int`;
  const { rows } = await db.pool.query<PageOrder>(
    pageStatement(conditions, input.direction, limitPlaceholder),
    values,
  );
  const page = rows.slice(0, input.limit);
  const lastOrder = page.at(-1);
  const next =
    rows.length > input.limit && lastOrder
      ? encodeOrderCursor({ saleDate: lastOrder.sale_date, id: lastOrder.id })
      : null;
  return { orders: await describeOrders(db, page), next };
}
