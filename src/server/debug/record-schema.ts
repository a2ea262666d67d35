import { z } from 'zod';
import { cursorSchema, instantSchema, queryText } from '../core/fields';
import { reasonSchema } from '../core/reason-schema';
import { otherwise } from '../core/validation';

const day = z.iso.date(otherwise('input.day'));

/** The id of a stored record, as decimal text. */
export const recordIdSchema = z.string().regex(/^[1-9]\d{0,17}$/, otherwise('type.idRecord'));

/** What came of a callback: understood, at least in part; nothing understood; cut short before it was done. */
export const CALLBACK_OUTCOMES = ['understood', 'nothing', 'failed'] as const;

export const recordListInput = z.strictObject({
  kind: z.enum(['tracks', 'marketplace']).default('marketplace'),
  /** Days in New York, the last one included. */
  from: day.optional(),
  to: day.optional(),
  /** `next` of the page before. */
  cursor: cursorSchema.optional(),
  limit: z.int().min(1).max(200).default(50),
});

/** The same of callbacks alone, with what only these have. */
export const callbackListInput = recordListInput.omit({ kind: true }).extend({
  outcome: z.enum(CALLBACK_OUTCOMES).optional(),
  tracking_number: queryText(100).optional(),
});

export const recordInput = z.strictObject({ id: recordIdSchema });

const listedRecord = z.object({
  id: z.string(),
  kind: z.enum(['tracks', 'marketplace']),
  method: z.string(),
  received_at: instantSchema,
  /** Bytes of the body. */
  size: z.int(),
  /** Name of the key with which it came; null once that is gone. */
  api_key: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Null for what is only kept, as debugging calls are. */
  outcome: z.enum(CALLBACK_OUTCOMES).nullable(),
  form: z.string().nullable(),
  /** The first ten; `tracking_number_count` says how many there are. */
  tracking_numbers: z.array(z.string()),
  tracking_number_count: z.int(),
  matched_orders: z.int().nullable(),
  updated_orders: z.int().nullable(),
  new_events: z.int().nullable(),
  /** Why nothing, or not all, was understood. */
  error: reasonSchema.nullable(),
  replays: z.int(),
  replayed_at: instantSchema.nullable(),
});

export const recordListOutput = z.object({
  records: z.array(listedRecord),
  next: z.string().nullable(),
});

export const recordOutput = listedRecord.extend({
  processed_at: instantSchema.nullable(),
  /** Pairs of name and value, in their order. */
  query: z.unknown(),
  headers: z.unknown(),
  /** `text` where the body is JSON in UTF-8, else `base64`. */
  body_encoding: z.enum(['text', 'base64']),
  body: z.string(),
  /** All of what was made of it, with that of the last replay. */
  result: z.unknown(),
});
