import { z } from 'zod';
import { reasonFields, reasonSchema } from '../../core/errors/reason-schema';
import { instantSchema, offsetInstantInput, pageFields, recordIdSchema } from '../../core/fields';
import { changedField, count, pageNumber } from '../drafts/schema';
import { IMPORT_OUTCOMES, IMPORT_SOURCES, MAX_TEXT_LENGTH } from './history-filters';

const importId = recordIdSchema('type.idImport');
const filterText = z.string().trim().min(1).max(MAX_TEXT_LENGTH);

export const historyInput = z.strictObject({
  ...pageFields,
  account_id: z.int().min(1).max(2_147_483_647).optional(),
  source: z.enum(IMPORT_SOURCES).optional(),
  outcome: z.enum(IMPORT_OUTCOMES).optional(),
  /** If true, returns only imports with warnings or held-back rows; if false, only imports with neither. */
  warnings: z.boolean().optional(),
  actor: filterText.optional(),
  file_name: filterText.optional(),
  from: offsetInstantInput.optional(),
  until: offsetInstantInput.optional(),
});

const importFields = z.object({
  id: z.string(),
  account_id: z.int().nullable(),
  account: z.string().nullable(),
  source: z.enum(IMPORT_SOURCES),
  outcome: z.enum(['running', ...IMPORT_OUTCOMES]),
  actor: z.string(),
  user_id: z.int().nullable(),
  api_key_id: z.int().nullable(),
  request_id: z.string().nullable(),
  file_name: z.string().nullable(),
  content_hash: z.string(),
  rows: count,
  new_orders: count,
  updated_orders: count,
  changed_orders: count,
  items_inserted: count,
  items_changed: count,
  warnings: count,
  errors: count,
  /** Rows of the file that were not imported because they, or other rows of their order, had a bad cell. */
  held_rows: count,
  /** Why the import stored nothing. */
  failure: reasonSchema.nullable(),
  duration_ms: count,
  created_at: instantSchema,
  undone_at: instantSchema.nullable(),
  undone_by: z.string().nullable(),
  /** Whether the issues and changes of its rows are still stored; without them the import cannot be undone. */
  has_row_history: z.boolean(),
});

export const historyOutput = z.object({ entries: z.array(importFields), next: z.string().nullable() });

export const importInput = z.strictObject({
  id: importId,
  part: z.enum(['issues', 'created', 'changes']).default('issues'),
  page: pageNumber,
});

const partFields = { import: importFields, page: count, pages: count, total: count };
const record = z.enum(['order', 'item', 'shipment']);

export const importOutput = z.discriminatedUnion('part', [
  z.object({
    ...partFields,
    part: z.literal('issues'),
    entries: z.array(
      z.object({
        position: z.int(),
        severity: z.enum(['error', 'warning']),
        row: z.int().nullable(),
        path: z.string(),
        ...reasonFields,
      }),
    ),
  }),
  z.object({
    ...partFields,
    part: z.literal('created'),
    entries: z.array(
      z.object({
        order_id: z.string(),
        receipt_id: z.string(),
        status: z.string(),
        buyer: z.string().nullable(),
        name: z.string().nullable(),
      }),
    ),
  }),
  z.object({
    ...partFields,
    part: z.literal('changes'),
    entries: z.array(
      z.object({
        id: z.string(),
        record,
        record_id: z.string(),
        order_id: z.string(),
        receipt_id: z.string().nullable(),
        before: z.record(z.string(), z.unknown()),
        after: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
]);

const undoList = z.enum(['undone', 'kept', 'missing']);

export const undoPreviewInput = z.strictObject({ id: importId, list: undoList, page: pageNumber });
export const undoInput = z.strictObject({ id: importId });

const undoCounts = z.object({
  removed_orders: count,
  removed_items: count,
  removed_shipments: count,
  restored_records: count,
  kept: count,
  missing: count,
});

const undoEntry = z.object({
  list: undoList,
  work: z.enum(['remove', 'restore']).nullable(),
  record,
  record_id: z.string().nullable(),
  order_id: z.string().nullable(),
  receipt_id: z.string().nullable(),
  /** Values before the import, after the import, and now. */
  fields: z.array(changedField.extend({ present: z.unknown() })).nullable(),
  reason: z.enum(['import', 'user', 'tracking', 'changed']).nullable(),
  by_import: z.string().nullable(),
  missing: z.int().nullable(),
});

export const undoPreviewOutput = z.object({
  counts: undoCounts,
  list: undoList,
  page: count,
  entries: z.array(undoEntry),
});

/** The first 200 entries of each list. */
export const undoOutput = z.object({
  counts: undoCounts,
  undone: z.array(undoEntry),
  kept: z.array(undoEntry),
  missing: z.array(undoEntry),
});
