import { z } from 'zod';
import { reasonSchema } from '../core/errors/reason-schema';
import { dayInput, instantSchema, pageFields, queryText } from '../core/fields';
import { recordIdSchema } from '../core/ids';
import { CALLBACK_OUTCOMES } from './outcomes';

const dayField = dayInput();

export const recordListInput = z.strictObject({
  kind: z.enum(['tracks', 'marketplace']).default('marketplace'),
  /** Days in the reader's time zone, the last one included. */
  from: dayField.optional(),
  to: dayField.optional(),
  ...pageFields,
});

/** The input of the list of callbacks, which can also be filtered by outcome and tracking number. */
export const callbackListInput = recordListInput.omit({ kind: true }).extend({
  outcome: z.enum(CALLBACK_OUTCOMES).optional(),
  tracking_number: queryText(100).optional(),
});

export const recordInput = z.strictObject({ id: recordIdSchema('type.idRecord') });

const listedRecord = z.object({
  id: z.string(),
  kind: z.enum(['tracks', 'marketplace']),
  method: z.string(),
  received_at: instantSchema,
  /** Size of the body in bytes. */
  size: z.int(),
  /** The name of the key that it was sent with. Null only if the key has been deleted, which the service never does. */
  api_key: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Null for debug records, which are stored but not processed. */
  outcome: z.enum(CALLBACK_OUTCOMES).nullable(),
  form: z.string().nullable(),
  /** The first ten; `tracking_number_count` is the total number. */
  tracking_numbers: z.array(z.string()),
  tracking_number_count: z.int(),
  matched_orders: z.int().nullable(),
  updated_orders: z.int().nullable(),
  new_events: z.int().nullable(),
  /** Why nothing, or not everything, was understood. */
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
  /** Pairs of name and value, in order. */
  query: z.unknown(),
  headers: z.unknown(),
  /** `text` for a body of JSON in UTF-8, otherwise `base64`. */
  body_encoding: z.enum(['text', 'base64']),
  body: z.string(),
  /** The full result, including that of the last replay. */
  result: z.unknown(),
});
