import { z } from 'zod';
import { cursorSchema, instantSchema } from '../core/fields';

const text = z.string().trim().min(1).max(200);

export const auditInput = z.strictObject({
  /** `next` of the previous page. */
  cursor: cursorSchema.optional(),
  limit: z.int().min(1).max(200).default(50),
  record_type: text.optional(),
  record_id: text.optional(),
  /** Part of the actor's name. */
  actor: text.optional(),
  action: text.optional(),
});

export const auditOutput = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      created_at: instantSchema,
      actor_kind: z.string(),
      actor: z.string(),
      action: z.string(),
      record_type: z.string(),
      record_id: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      address: z.string().nullable(),
      request_id: z.string().nullable(),
    }),
  ),
  /** Start of the next page; null at the end. */
  next: z.string().nullable(),
});
