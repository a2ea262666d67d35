import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { dayInput, instantSchema, nextCursor, pageFields, queryText } from '../../core/fields';
import { warningSchema } from '../warning';
import { REPLY_KINDS, REPLY_OUTCOMES } from './filters';

const daySchema = dayInput();

export const replyListInput = z.strictObject({
  shop_name: queryText(200).optional(),
  outcome: z.enum(REPLY_OUTCOMES).optional(),
  order_number: queryText(100).optional(),
  /** True: only replies with warnings; false: only those without. */
  warned: z.boolean().optional(),
  kind: z.enum(REPLY_KINDS).optional(),
  /** True for only replies marked as sent, false for only the others. */
  sent: z.boolean().optional(),
  /** The first day, in the user's time zone. */
  from: daySchema.optional(),
  /** The last day, inclusive. */
  to: daySchema.optional(),
  ...pageFields,
});

const listedReply = z.object({
  id: z.string(),
  created_at: instantSchema,
  shop_name: z.string(),
  order_number: z.string().nullable(),
  buyer_name: z.string().nullable(),
  outcome: z.enum(REPLY_OUTCOMES),
  /** A code for the error, such as `timeout`. */
  error: z.string().nullable(),
  /** The first 200 characters of the reply. */
  excerpt: z.string().nullable(),
  model: z.string(),
  prompt_version: z.int().nullable(),
  warning_count: z.int(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  duration_ms: z.int(),
  kind: z.enum(REPLY_KINDS),
  /** The name of the key. Null for replies from the back office. */
  api_key: z.string().nullable(),
  /** Who requested the reply in the back office. Null for a request to the API. */
  requested_by: z.string().nullable(),
  /** The id of the stored order that the reply is about. */
  order_id: z.string().nullable(),
  sent_at: instantSchema.nullable(),
  sent_by: z.string().nullable(),
});

export const replyListOutput = z.object({ replies: z.array(listedReply), next: nextCursor });

export const replyInput = z.strictObject({
  id: z.string().regex(/^[1-9]\d{0,17}$/, withReason('type.idReply')),
});

export const replyOutput = listedReply.omit({ excerpt: true }).extend({
  reply: z.string().nullable(),
  /** The text that was sent to the buyer, which may have been edited. */
  sent_text: z.string().nullable(),
  warnings: z.array(warningSchema),
  /** The conversation as received. */
  messages: z.unknown(),
  /** Unknown members of the request. */
  extra: z.unknown(),
  /** The prompt the reply was written with. Null for translations and handwritten replies, and once the prompt is deleted. */
  prompt_text: z.string().nullable(),
  prompt_version_id: z.int().nullable(),
  request_id: z.string().nullable(),
});
