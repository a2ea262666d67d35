import type { z } from 'zod';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { readOrderForReply } from './order-service';
import * as sql from './reply-drafts.queries';
import type { buyerOutput } from './schema';

const MAX_ORDERS = 20;
const MAX_REPLIES = 10;

/**
 * Returns the latest other orders of an order's buyer, and the latest replies sent about the order or one of the others. Two
 * orders have the same buyer if they are in the same shop and their `buyer` fields are equal. An order without a buyer has no
 * other orders.
 *
 * @throws ServiceError `not_found`
 */
export async function readBuyer(db: Database, id: string): Promise<z.output<typeof buyerOutput>> {
  const { shop_id: shopId, order_id: orderId, buyer } = await readOrderForReply(db, id);
  const rows =
    buyer === null
      ? []
      : await sql.listOrdersOfBuyer.run(db.pool, { shopId, orderId, buyer, limit: MAX_ORDERS + 1 });
  const orders = rows.slice(0, MAX_ORDERS);
  const orderIds = [orderId, ...orders.map((order) => order.id)];
  const replies = await sql.listSentReplies.run(db.pool, { shopId, orderIds, limit: MAX_REPLIES });
  return {
    orders: orders.map(withIsoInstants),
    more: rows.length > MAX_ORDERS,
    replies: replies.map(withIsoInstants),
  };
}
