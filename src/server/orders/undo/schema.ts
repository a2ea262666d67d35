import { z } from 'zod';
import { nextCursor, nonNegativeInt, pageFields } from '../../core/fields';
import {
  changedFieldSchema,
  fingerprintInput,
  importIdSchema,
  recordKindSchema,
} from '../history/history-schema';

/** The lists of an undo: records that are undone, records that are kept because they have changed since, and missing records. */
const undoList = z.enum(['undone', 'kept', 'missing']);

export const undoPreviewInput = z.strictObject({ id: importIdSchema, list: undoList, ...pageFields });
export const undoInput = z.strictObject({
  id: importIdSchema,
  /** That of the preview which the user has seen. Pages of older versions do not send it. */
  fingerprint: fingerprintInput.optional(),
});

const undoCounts = z.object({
  removed_orders: nonNegativeInt,
  removed_items: nonNegativeInt,
  removed_shipments: nonNegativeInt,
  restored_records: nonNegativeInt,
  kept: nonNegativeInt,
  missing: nonNegativeInt,
});

const undoEntry = z.object({
  list: undoList,
  work: z.enum(['remove', 'restore']).nullable(),
  record: recordKindSchema,
  record_id: z.string().nullable(),
  order_id: z.string().nullable(),
  receipt_id: z.string().nullable(),
  /** Values without the import, after the import, and now. */
  fields: z.array(changedFieldSchema.extend({ present: z.unknown() })).nullable(),
  /** What has changed a kept record since the import: another import, a user, a carrier's event, or something unknown. */
  reason: z.enum(['import', 'user', 'tracking', 'changed']).nullable(),
  by_import: z.string().nullable(),
  /** How many missing records the entry stands for. */
  missing: z.int().nullable(),
});

export const undoPreviewOutput = z.object({
  counts: undoCounts,
  /** Differs if anything in the three lists differs. */
  fingerprint: z.string(),
  list: undoList,
  entries: z.array(undoEntry),
  next: nextCursor,
});

/** The first 200 entries of each list. */
export const undoOutput = z.object({
  counts: undoCounts,
  undone: z.array(undoEntry),
  kept: z.array(undoEntry),
  missing: z.array(undoEntry),
});
