import { z } from 'zod';
import { cursorSchema, instantSchema, queryText } from '../../core/fields';
import { otherwise } from '../../core/validation';
import { messageResponse } from '../schema';

const day = z.iso.date(otherwise('input.day'));

export const replyListInput = z.strictObject({
  shop_name: queryText(200).optional(),
  outcome: z.enum(['answered', 'refused', 'failed']).optional(),
  order_number: queryText(100).optional(),
  /** True for replies with warnings only, false for those without. */
  warned: z.boolean().optional(),
  /** True for playground trials only, false for all others. */
  trial: z.boolean().optional(),
  /** Days in New York, the last one included. */
  from: day.optional(),
  to: day.optional(),
  cursor: cursorSchema.optional(),
  limit: z.int().min(1).max(200).default(50),
});

const listedReply = z.object({
  id: z.string(),
  created_at: instantSchema,
  shop_name: z.string(),
  order_number: z.string().nullable(),
  buyer_name: z.string().nullable(),
  outcome: z.enum(['answered', 'refused', 'failed']),
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
  /** Name of the key used; null for a trial, and once the key is deleted. */
  api_key: z.string().nullable(),
  /** Who ran it in the playground; null if it is not a trial. */
  trial_by: z.string().nullable(),
});

export const replyListOutput = z.object({ replies: z.array(listedReply), next: z.string().nullable() });

export const replyInput = z.strictObject({
  id: z.string().regex(/^[1-9]\d{0,17}$/, otherwise('type.idReply')),
});

export const replyOutput = listedReply.omit({ excerpt: true }).extend({
  reply: z.string().nullable(),
  warnings: messageResponse.shape.data.shape.warnings,
  /** The conversation as received. */
  messages: z.unknown(),
  /** Unknown members of the request. */
  extra: z.unknown(),
  /** The prompt it was written with; null once that is deleted. */
  prompt_text: z.string().nullable(),
  prompt_version_id: z.int().nullable(),
  request_id: z.string().nullable(),
});
