import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import { withReason } from '../../core/errors/validation';
import { instantInput, instantSchema, nextCursor, queryText } from '../../core/fields';
import { recordIdSchema } from '../../core/ids';
import { OBSERVATION_KINDS, TRACKING_STATUSES } from '../../core/statuses';
import { listedRecord, recordPageInput, storedRecord } from '../../inbound/schema';
import { CARRIERS } from '../carriers/carrier-list';
import { MAX_REPLAYED_CALLBACKS } from './bounds';
import { CALLBACK_OUTCOMES } from './outcomes';
import { skippedPartsSchema } from './skipped-parts';

const status = z.enum(TRACKING_STATUSES);
const outcome = z.enum(CALLBACK_OUTCOMES);

export const callbackListInput = recordPageInput.extend({
  outcome: outcome.optional(),
  tracking_number: queryText(100).optional(),
});

export const callbackListOutput = z.object({
  records: z.array(listedRecord.extend({ outcome })),
  next: nextCursor,
});

export const callbackInput = z.strictObject({ id: recordIdSchema('type.idRecord') });

/** A callback with the events that it was the first to report, and the parts that produced no event. */
export const callbackOutput = storedRecord.extend({
  outcome,
  ...skippedPartsSchema.shape,
  /** The newest 500, newest first; `event_count` is the total number. */
  events: z.array(
    z.object({
      id: z.string(),
      tracking_number: z.string(),
      kind: z.enum(OBSERVATION_KINDS),
      occurred_at: instantSchema,
      status: status.nullable(),
      sub_status: z.string().nullable(),
      /** The status as the provider sent it, if it has no built-in meaning. */
      provider_status: z.string().nullable(),
      description: z.string().nullable(),
      location: z.string().nullable(),
    }),
  ),
  event_count: z.int(),
});

export const replayInput = z.strictObject({
  ids: z.array(recordIdSchema('type.idRecord')).min(1).max(MAX_REPLAYED_CALLBACKS),
});

const change = z.object({ tracking_number: z.string(), before: status, after: status });

export const replayOutput = z.object({
  /** In id order. */
  records: z.array(
    z.object({
      id: z.string(),
      /** False if the record is not a callback or has been deleted. */
      found: z.boolean(),
      form: z.string().nullable(),
      tracking_numbers: z.array(z.string()),
      new_events: z.int(),
      /** Orders whose status or tracking status changed. */
      updated_orders: z.int(),
      /** Shipments whose status or sub-status changed. */
      changes: z.array(change),
      /** Why the body, or a part of it, is still not understood, or that the record was not found. */
      error: reasonSchema.nullable(),
    }),
  ),
});

/** The source under which a mapping is stored: a carrier, or the plain callback form. */
const mappingSource = z.enum([...CARRIERS, 'plain']);

/** A status as a provider sent it. Case and surrounding spaces are ignored. */
const providerStatus = z
  .string()
  .trim()
  .min(1, withReason('text.empty'))
  .max(500, withReason('text.long', { count: 500 }))
  .refine((text) => !text.includes('\u0000') && text.isWellFormed(), withReason('text.storableShort'));

export const providerStatusInput = z.strictObject({ source: mappingSource, provider_status: providerStatus });

export const mapStatusInput = providerStatusInput.extend({ status });

export const replayUnmappedInput = providerStatusInput.extend({
  /** The `started_at` of a replay to continue. Callbacks that have been replayed since then are skipped. */
  started_at: instantInput.optional(),
});

export const replayUnmappedOutput = replayOutput.extend({
  /** Callbacks with this status that remain for the next call, because one call replays at most 500. */
  left: z.int(),
  /** When the first call started, to pass to the next one. Null if there was nothing to replay. */
  started_at: instantSchema.nullable(),
});

export const mappingChangeOutput = z.object({
  /** Events whose status changed. */
  changed_events: z.int(),
  updated_orders: z.int(),
  /** The first 500 shipments whose status or sub-status changed; `change_count` is the total number. */
  changes: z.array(change),
  change_count: z.int(),
});

export const unmappedStatusesOutput = z.object({
  /** The most frequent first, at most 500. */
  statuses: z.array(
    z.object({
      source: z.string(),
      /** As spelled in the newest event. */
      provider_status: z.string(),
      events: z.int(),
      shipments: z.int(),
      /** When the status was first received. */
      since: instantSchema,
      /** When the status was last received. */
      newest: instantSchema,
      example: z.object({
        tracking_number: z.string(),
        description: z.string().nullable(),
        occurred_at: instantSchema,
        /** The callback that reported the event; null if the event comes from a carrier query or the callback has been deleted. */
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
