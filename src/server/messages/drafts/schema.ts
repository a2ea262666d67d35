import { z } from 'zod';
import { instantSchema, requiredText, storableText } from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { ORDER_STATUSES } from '../../core/statuses';
import { localeSchema } from '../../identity/users/account-schema';
import { conversationSchema, messageResponse } from '../schema';
import { warningSchema } from '../warning';

const orderId = recordIdSchema('type.idOrder');

export const orderDraftsInput = z.strictObject({ order_id: orderId });

const { reply, model, usage } = messageResponse.shape.data.shape;

/** A reply to an order's buyer, written by the provider (for a user or an API request) or by hand. */
const orderReply = z.object({
  id: z.string(),
  kind: z.enum(['draft', 'request', 'handwritten']),
  created_at: instantSchema,
  /** Null for a reply requested through the API. */
  requested_by: z.string().nullable(),
  reply,
  /** What to check before the reply is sent. */
  warnings: z.array(warningSchema),
  model,
  usage,
  duration_ms: z.int(),
  /** Null until a user marks the reply as sent. */
  sent: z.object({ text: z.string(), at: instantSchema, by: z.string() }).nullable(),
});

/** The latest hundred replies, newest first. */
export const orderDraftsOutput = z.object({ drafts: z.array(orderReply) });

export const writeDraftInput = z.strictObject({
  order_id: orderId,
  /** Oldest first. Empty for the shop's first message. */
  messages: conversationSchema,
});

export const writeDraftOutput = z.object({ id: z.string() });

export const markSentInput = z.strictObject({
  order_id: orderId,
  /** The draft that was sent. Null for a reply written by hand. */
  draft_id: recordIdSchema('type.idReply').nullable(),
  /** An idempotency key. A reply written by hand is recorded once per key. */
  key: requiredText(64),
  /** The text as sent to the buyer. */
  text: z.string().trim().pipe(storableText(20_000)),
});

export const markManySentInput = z.strictObject({
  /** Drafts that were sent without changes. */
  replies: z
    .array(
      z.strictObject({
        shop_id: idSchema('type.idShop'),
        order_id: orderId,
        id: recordIdSchema('type.idReply'),
      }),
    )
    .min(1)
    .max(200),
});

/** The ids of the orders whose reply this call marked as sent. The other replies were already marked, or do not exist. */
export const markManySentOutput = z.object({ changed: z.array(z.string()) });

export const translateMessageInput = z.strictObject({
  order_id: orderId,
  /** What the buyer wrote. */
  text: storableText(20_000),
  /** The reader's language. */
  language: localeSchema,
});

export const translateReplyInput = z.strictObject({
  order_id: orderId,
  /** The reply as edited. */
  text: storableText(20_000),
  /** The conversation with the buyer, whose language the reply is translated into. */
  messages: conversationSchema.min(1),
});

export const translationOutput = z.object({
  text: z.string(),
  /** Claims that nothing confirms, and claims missing from the translation. */
  warnings: z.array(warningSchema),
});

export const buyerOutput = z.object({
  /** Other orders of the same buyer, most recent sale first. */
  orders: z.array(
    z.object({
      id: z.string(),
      receipt_id: z.string(),
      status: z.enum(ORDER_STATUSES),
      sale_date: instantSchema.nullable(),
    }),
  ),
  /** Whether there are more orders than listed. */
  more: z.boolean(),
  /** The latest replies sent about this order or the listed ones. */
  replies: z.array(
    z.object({
      id: z.string(),
      order_id: z.string(),
      receipt_id: z.string(),
      text: z.string(),
      at: instantSchema,
      by: z.string(),
    }),
  ),
});
