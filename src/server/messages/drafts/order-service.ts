import type { Actor } from '../../audit/service';
import { notFound } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import type { Database } from '../../db/client';
import { findShopsOfOrders } from '../../orders/shop-orders-service';
import type { ReplyCaller } from '../replies/history-service';
import * as sql from './reply-drafts.queries';

const noOrderError = (id: string) => notFound(createReason('answer.noOrder', { id }));

/** Returns the ids of an order and its shop. @throws ServiceError `not_found` */
export async function findOrderKey(
  db: Database,
  orderId: string,
): Promise<{ shopId: number; orderId: string }> {
  const [shop] = await findShopsOfOrders(db.pool, [orderId]);
  if (!shop) throw noOrderError(orderId);
  return { shopId: shop.shopId, orderId };
}

/**
 * Returns the order with the values that the log of replies stores.
 *
 * @throws ServiceError `not_found`
 */
export async function readOrderForReply(db: Database, orderId: string): Promise<sql.ReadOrderForReplyRow> {
  const [order] = await sql.readOrderForReply.run(db.pool, await findOrderKey(db, orderId));
  if (!order) throw noOrderError(orderId);
  return order;
}

/** Returns the caller to record for a draft or translation that a user requests on an order's page. */
export function callerOf(kind: 'draft' | 'translation', actor: Actor): ReplyCaller {
  return { kind, apiKeyId: null, requestedBy: actor.name, requestId: actor.requestId ?? '' };
}
