import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { reasonSchema } from '../../core/reason-schema';
import { otherwise } from '../../core/validation';
import { recordIdSchema, recordOutput } from '../../debug/record-schema';
import { TRACKING_STATUSES } from '../status';
import { leftOutSchema } from './left-out';

const status = z.enum(TRACKING_STATUSES);

/** Most records that one call reads again. */
export const MAX_REPLAYED = 500;

/** A callback with the events that it was the first to tell of, and with what of it made no event. */
export const callbackOutput = recordOutput.extend({
  ...leftOutSchema.shape,
  /** The first 500; `event_count` says how many there are. */
  events: z.array(
    z.object({
      id: z.string(),
      tracking_number: z.string(),
      kind: z.enum(['event', 'snapshot', 'correction']),
      occurred_at: instantSchema,
      status: status.nullable(),
      sub_status: z.string().nullable(),
      /** The provider's own word, where it means nothing to us or is mapped. */
      provider_status: z.string().nullable(),
      description: z.string().nullable(),
      location: z.string().nullable(),
    }),
  ),
  event_count: z.int(),
});

export const replayInput = z.strictObject({ ids: z.array(recordIdSchema).min(1).max(MAX_REPLAYED) });

const change = z.object({ tracking_number: z.string(), before: status, after: status });

export const replayOutput = z.object({
  /** In the order of their ids. */
  records: z.array(
    z.object({
      id: z.string(),
      /** Whether it was there to be read: not where it is no callback or has been deleted. */
      found: z.boolean(),
      form: z.string().nullable(),
      tracking_numbers: z.array(z.string()),
      new_events: z.int(),
      /** Orders whose status or tracking status is another now. */
      updated_orders: z.int(),
      /** Parcels whose status or sub-status is another now. */
      changes: z.array(change),
      /** Why nothing, or not all, is understood of it also now. */
      error: reasonSchema.nullable(),
    }),
  ),
});

/** What a mapping is kept under: 17TRACK, Yanwen, or the plain form of callbacks. */
const mappingSource = z.enum(['17track', 'yanwen', 'plain']);

/** A provider's word; upper and lower case and spaces around it make no difference. */
const providerStatus = z
  .string()
  .trim()
  .min(1, otherwise('text.empty'))
  .max(500, otherwise('text.long', { count: 500 }))
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), otherwise('text.storableShort'));

export const providerWordInput = z.strictObject({ source: mappingSource, provider_status: providerStatus });

export const mapStatusInput = providerWordInput.extend({ status });

export const replayUnmappedOutput = replayOutput.extend({
  /** Records with this word that were left for a next call, as one reads 500 at most. */
  left: z.int(),
});

export const mappedOutput = z.object({
  /** Events that have another status now. */
  changed_events: z.int(),
  updated_orders: z.int(),
  /** The first 500 parcels whose status is another now; `change_count` says how many there are. */
  changes: z.array(change),
  change_count: z.int(),
});

export const unmappedOutput = z.object({
  /** The most frequent first, 500 at most. */
  words: z.array(
    z.object({
      source: z.string(),
      /** As the newest event has it. */
      provider_status: z.string(),
      events: z.int(),
      parcels: z.int(),
      /** When it was first received, and last. */
      since: instantSchema,
      newest: instantSchema,
      example: z.object({
        tracking_number: z.string(),
        description: z.string().nullable(),
        occurred_at: instantSchema,
        /** The callback that told of it; null where the carrier was asked, or its body is deleted. */
        record_id: z.string().nullable(),
      }),
    }),
  ),
});

export const mappingsOutput = z.object({
  mappings: z.array(
    z.object({
      source: z.string(),
      provider_status: z.string(),
      status,
      created_by: z.string(),
      created_at: instantSchema,
    }),
  ),
});
