import { z } from 'zod';
import { cursorSchema, instantSchema, queryText } from '../../core/fields';
import { otherwise } from '../../core/validation';
import { messageResponse } from '../schema';

const day = z.iso.date(otherwise('input.day'));

export const replyListInput = z.strictObject({
  shop_name: queryText(200).optional(),
  outcome: z.enum(['answered', 'refused', 'failed']).optional(),
  order_number: queryText(100).optional(),
  /** Only those with warnings, or only those without. */
  warned: z.boolean().optional(),
  /** Only trials of the playground, or none of them. */
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
  /** A word for what went wrong, such as `timeout`. */
  error: z.string().nullable(),
  /** The first 200 characters of the reply. */
  excerpt: z.string().nullable(),
  model: z.string(),
  prompt_version: z.int().nullable(),
  warning_count: z.int(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  duration_ms: z.int(),
  /** Name of the key that asked; null for a trial, and once the key is gone. */
  api_key: z.string().nullable(),
  /** Who tried it in the playground; null where nobody did. */
  trial_by: z.string().nullable(),
});

export const replyListOutput = z.object({ replies: z.array(listedReply), next: z.string().nullable() });

export const replyInput = z.strictObject({
  id: z.string().regex(/^[1-9]\d{0,17}$/, otherwise('type.idReply')),
});

export const replyOutput = listedReply.omit({ excerpt: true }).extend({
  reply: z.string().nullable(),
  warnings: messageResponse.shape.data.shape.warnings,
  /** The conversation as it came. */
  messages: z.unknown(),
  /** Members of the request that have no field of their own. */
  extra: z.unknown(),
  /** The prompt that it was written with; null once that is gone. */
  prompt_text: z.string().nullable(),
  prompt_version_id: z.int().nullable(),
  request_id: z.string().nullable(),
});
