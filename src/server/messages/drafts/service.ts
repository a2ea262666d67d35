import type { z } from 'zod';
import { type Actor, writeAuditEntries } from '../../audit/service';
import { notFound, ServiceError } from '../../core/errors/errors';
import { createReason } from '../../core/errors/reason';
import { withIsoInstants } from '../../core/time';
import type { Database } from '../../db/client';
import { inTransaction } from '../../db/transaction';
import type { MessageServices } from '../recorded-text-service';
import { replyToBuyer } from '../service';
import { callerOf, findOrderKey, readOrderForReply } from './order-service';
import * as sql from './reply-drafts.queries';
import type { markManySentInput, markSentInput, orderDraftsOutput, writeDraftInput } from './schema';

type OrderReplies = z.output<typeof orderDraftsOutput>;
type OrderReply = OrderReplies['drafts'][number];

/**
 * Returns the latest replies on an order's page, newest first: drafts and replies requested through the API, whether or not
 * they were sent, and replies written by hand.
 *
 * @throws ServiceError `not_found`
 */
export async function listRepliesOfOrder(db: Database, orderId: string): Promise<OrderReplies> {
  const rows = await sql.listRepliesOfOrder.run(db.pool, await findOrderKey(db, orderId));
  return {
    drafts: rows.map((row) => {
      const { input_tokens, output_tokens, sent_text: text, sent_at: at, sent_by: by, ...draft } = row;
      return {
        ...withIsoInstants(draft),
        kind: draft.kind as OrderReply['kind'],
        warnings: draft.warnings as OrderReply['warnings'],
        usage: input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens },
        sent: text === null || at === null || by === null ? null : withIsoInstants({ text, at, by }),
      };
    }),
  };
}

/**
 * Writes a draft of a reply to an order's buyer with the shop's published prompt and the order's facts (docs/replies.md). Does
 * not change earlier drafts.
 *
 * @returns the draft's id
 * @throws ServiceError `not_found`; `validation_failed` if no prompt is published for the shop; `rate_limited` if today's
 * tokens for drafts are used up or reserved; `upstream_not_configured`, `upstream_failed`, `upstream_timeout`;
 * `service_unavailable` if the draft could not be stored
 */
export async function writeDraft(
  services: MessageServices,
  actor: Actor & { requestId?: string },
  input: z.output<typeof writeDraftInput>,
): Promise<string> {
  const order = await readOrderForReply(services.db, input.order_id);
  const caller = callerOf('draft', actor);
  const { id } = await replyToBuyer(services, caller, {
    shop_name: order.shop_name,
    order_number: order.receipt_id,
    ...(order.buyer === null ? {} : { buyer_name: order.buyer }),
    messages: input.messages,
  });
  if (id === null) throw new ServiceError('service_unavailable', createReason('service.noDatabase'));
  return id;
}

/**
 * Records in the log of replies and in the order's history that a reply was sent to the buyer, with its text as sent. The user
 * sends the reply in the marketplace. Repeating the call for a reply written by hand changes nothing.
 *
 * @throws ServiceError `not_found`; `conflict` if the draft is already marked as sent
 */
export async function markSent(
  db: Database,
  actor: Actor & { requestId?: string },
  input: z.output<typeof markSentInput>,
): Promise<void> {
  const orderKey = await findOrderKey(db, input.order_id);
  const { draft_id: draftId, text } = input;
  const sentBy = actor.name;
  await inTransaction(db.pool, async (client) => {
    let id = draftId;
    if (id === null) {
      const [addedReply] = await sql.addHandwrittenReply.run(client, {
        ...orderKey,
        key: input.key,
        text,
        sentBy,
        requestId: actor.requestId ?? null,
      });
      if (!addedReply) return;
      id = addedReply.id;
    } else {
      const [draft] = await sql.lockDraft.run(client, { ...orderKey, id });
      if (!draft) throw notFound(createReason('answer.noReply'));
      if (draft.sent_by !== null)
        throw new ServiceError('conflict', createReason('answer.replySent', { name: draft.sent_by }));
      await sql.markSent.run(client, { id, text, sentBy });
    }
    await writeAuditEntries(client, actor, [
      {
        action: 'order.send_reply',
        recordType: 'order',
        recordId: input.order_id,
        after: { reply_id: id, sent_text: text },
      },
    ]);
  });
}

/**
 * Records in one transaction that drafts were sent without changes. Drafts that are already marked as sent do not change.
 *
 * @returns the order ids of the drafts that were marked
 */
export function markManySent(
  db: Database,
  actor: Actor,
  { replies }: z.output<typeof markManySentInput>,
): Promise<string[]> {
  return inTransaction(db.pool, async (client) => {
    const lockedReplies = await sql.lockReplies.run(client, {
      shopIds: replies.map(({ shop_id }) => shop_id),
      orderIds: replies.map(({ order_id }) => order_id),
      ids: replies.map(({ id }) => id),
    });
    const markedReplies = await sql.markManySent.run(client, {
      ids: lockedReplies.map(({ id }) => id),
      sentBy: actor.name,
    });
    await writeAuditEntries(
      client,
      actor,
      markedReplies.map((reply) => ({
        action: 'order.send_reply',
        recordType: 'order',
        recordId: reply.order_id,
        after: { reply_id: reply.id, sent_text: reply.sent_text },
      })),
    );
    return markedReplies.map((reply) => reply.order_id);
  });
}
