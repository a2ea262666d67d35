import { z } from 'zod';
import { reasonFields, reasonSchema } from '../../core/errors/reason-schema';
import { withReason } from '../../core/errors/validation';
import {
  instantSchema,
  nextCursor,
  nonNegativeInt,
  offsetInstantInput,
  pageFields,
  requiredText,
} from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { MAX_SHOPS } from '../filter/bounds';
import { orderStatusSchema } from '../schema';
import { IMPORT_OUTCOMES, IMPORT_SOURCES, MAX_TEXT_LENGTH } from './history-filters';

export const importIdSchema = recordIdSchema('type.idImport');
const filterText = requiredText(MAX_TEXT_LENGTH);

/** The fingerprint of the preview of an import, or of an undo, that the user has seen. */
export const fingerprintInput = z.string().regex(/^[0-9a-f]{64}$/, withReason('input.fingerprint'));

export const historyInput = z.strictObject({
  ...pageFields,
  shops: z.array(idSchema('type.idShop')).max(MAX_SHOPS).optional(),
  source: z.enum(IMPORT_SOURCES).optional(),
  outcomes: z.array(z.enum(IMPORT_OUTCOMES)).max(IMPORT_OUTCOMES.length).optional(),
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
  rows: nonNegativeInt,
  new_orders: nonNegativeInt,
  updated_orders: nonNegativeInt,
  changed_orders: nonNegativeInt,
  items_inserted: nonNegativeInt,
  items_changed: nonNegativeInt,
  warnings: nonNegativeInt,
  errors: nonNegativeInt,
  /** Rows of the file that were not imported because they, or other rows of their order, had a bad cell. */
  held_rows: nonNegativeInt,
  /** Why the import stored nothing. */
  failure: reasonSchema.nullable(),
  duration_ms: nonNegativeInt,
  created_at: instantSchema,
  undone_at: instantSchema.nullable(),
  undone_by: z.string().nullable(),
  /** Whether the issues and changes of its rows are still stored; without them the import cannot be undone. */
  has_row_history: z.boolean(),
});

export const historyOutput = z.object({ entries: z.array(importFields), next: nextCursor });

export const importInput = z.strictObject({
  id: importIdSchema,
  part: z.enum(['issues', 'created', 'changes']).default('issues'),
  ...pageFields,
});

/** The kinds of records that an import creates and changes. */
export const recordKindSchema = z.enum(['order', 'item', 'shipment']);

/** A field of a record, with its values before and after the change. */
export const changedFieldSchema = z.object({ name: z.string(), before: z.unknown(), after: z.unknown() });

/** A page of one of an import's lists: its problems and warnings, the orders it created, or the changes it made. */
const importList = z.discriminatedUnion('part', [
  z.object({
    part: z.literal('issues'),
    entries: z.array(
      z.object({
        position: z.int(),
        severity: z.enum(['error', 'warning']),
        row: z.int().nullable(),
        path: z.string(),
        /** The header of the export's column that the path names; null if it names no column. */
        column: z.string().nullable(),
        ...reasonFields,
      }),
    ),
  }),
  z.object({
    part: z.literal('created'),
    entries: z.array(
      z.object({
        order_id: z.string(),
        receipt_id: z.string(),
        status: orderStatusSchema,
        buyer: z.string().nullable(),
        name: z.string().nullable(),
      }),
    ),
  }),
  z.object({
    part: z.literal('changes'),
    entries: z.array(
      z.object({
        id: z.string(),
        record: recordKindSchema,
        record_id: z.string(),
        order_id: z.string(),
        receipt_id: z.string().nullable(),
        before: z.record(z.string(), z.unknown()),
        after: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
]);

export type ImportList = z.output<typeof importList>;

export const importOutput = z
  .object({
    import: importFields,
    /** The number of entries on all pages. */
    total: nonNegativeInt,
    next: nextCursor,
  })
  .and(importList);
