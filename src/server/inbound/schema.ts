import { z } from 'zod';
import { reasonSchema } from '../core/errors/reason-schema';
import { dayInput, instantSchema, pageFields } from '../core/fields';
import { RECORD_KINDS } from './kind';

const dayField = dayInput();

/** The input of a list of records, whatever their kind. */
export const recordPageInput = z.strictObject({
  /** Days in the reader's time zone, the last one included. */
  from: dayField.optional(),
  to: dayField.optional(),
  ...pageFields,
});

/** A record as lists show it. What was read from it is null, zero or empty if it was not processed; debug records never are. */
export const listedRecord = z.object({
  id: z.string(),
  kind: z.enum(RECORD_KINDS),
  method: z.string(),
  received_at: instantSchema,
  /** Size of the body in bytes. */
  size: z.int(),
  /** The name of the key that it was sent with. Null only if the key has been deleted, which the service never does. */
  api_key: z.string().nullable(),
  request_id: z.string().nullable(),
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

/** A record with its body. */
export const storedRecord = listedRecord.extend({
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
