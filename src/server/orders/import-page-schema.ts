import { z } from 'zod';
import { storableText } from '../core/fields';

const draftId = z.uuid('must be the id of a draft').meta({ description: 'Id of a draft' });
const importId = z.string().regex(/^[1-9]\d{0,17}$/, 'must be the id of an import');
const page = z.int().min(0).max(100_000).default(0).meta({ description: 'Page of the list, counted from 0' });
const count = z.int().min(0);

export const draftInput = z.strictObject({ id: draftId });

const draftFields = z.object({
  id: z.string(),
  account_id: z.int(),
  account: z.string(),
  file_name: z.string(),
  state: z.enum(['ready', 'running', 'done', 'failed']),
  /** How far the import is: rows read and checked, records stored. */
  done: count,
  total: count,
  /** While it runs reading, checking or storing; afterwards what went wrong. */
  message: z.string().nullable(),
  /** Of the import, once it is done. */
  import_id: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const draftsOutput = z.array(draftFields);

export const draftOutput = draftFields.extend({
  header: z.array(z.string()),
  /** Whether `line` counts the lines of a CSV file or the rows of a sheet. */
  unit: z.enum(['line', 'row']),
  rows: count,
  mended: z.array(z.tuple([z.int(), z.int()])),
});

export const previewInput = z.strictObject({
  id: draftId,
  part: z.enum(['new', 'updated', 'unchanged', 'rejected', 'warnings']),
  page,
});

const field = z.object({ name: z.string(), before: z.unknown(), after: z.unknown() });
const place = { row: z.int(), line: z.int().nullable() };
const finding = z.object({
  ...place,
  column: z.int().nullable(),
  /** `X12` in a workbook; null in a CSV file. */
  address: z.string().nullable(),
  field: z.string(),
  message: z.string(),
});

const newOrder = z.object({
  ...place,
  receipt_id: z.string(),
  status: z.string(),
  sale_date: z.string().nullable(),
  buyer: z.string().nullable(),
  name: z.string().nullable(),
  country_name: z.string().nullable(),
  country_code: z.string().nullable(),
  currency: z.string().nullable(),
  items: count,
  total: z.string().nullable(),
});

const updatedOrder = z.object({
  ...place,
  order_id: z.string(),
  receipt_id: z.string(),
  fields: z.array(field),
  items: z.array(
    z.object({
      created: z.boolean(),
      transaction_id: z.string().nullable(),
      title: z.string().nullable(),
      sku: z.string().nullable(),
      fields: z.array(field),
    }),
  ),
  shipments: z.array(z.object({ created: z.boolean(), tracking_number: z.string(), fields: z.array(field) })),
});

const unchangedOrder = z.object({ ...place, order_id: z.string(), receipt_id: z.string() });

const rejectedRow = z.object({
  ...place,
  receipt_id: z.string().nullable(),
  /** All cells of the row, to be mended. */
  cells: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** None where the row is good and held back with its receipt. */
  problems: z.array(finding),
});

const previewed = {
  /** What the preview was made from; the commit wants it back. */
  fingerprint: z.string(),
  counts: z.object({
    rows: count,
    accepted_rows: count,
    bad_rows: count,
    held_rows: count,
    new_orders: count,
    updated_orders: count,
    changing_orders: count,
    unchanged_orders: count,
    order_items_inserted: count,
    order_items_changed: count,
    warnings: count,
  }),
  page: count,
  pages: count,
  /** Entries on all pages. */
  total: count,
};

export const previewOutput = z.discriminatedUnion('part', [
  z.object({ ...previewed, part: z.literal('new'), entries: z.array(newOrder) }),
  z.object({ ...previewed, part: z.literal('updated'), entries: z.array(updatedOrder) }),
  z.object({ ...previewed, part: z.literal('unchanged'), entries: z.array(unchangedOrder) }),
  z.object({ ...previewed, part: z.literal('rejected'), entries: z.array(rejectedRow) }),
  z.object({ ...previewed, part: z.literal('warnings'), entries: z.array(finding) }),
]);

export const mendInput = z.strictObject({
  id: draftId,
  cells: z
    .array(
      z.strictObject({
        row: z.int().min(1, 'must be a row below the header').max(10_000_000),
        column: z.int().min(0).max(16_383),
        value: z.union([storableText(10_000), z.literal(''), z.null()]),
      }),
    )
    .min(1)
    .max(1_000),
});

export const commitInput = z.strictObject({
  id: draftId,
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/, 'must be the fingerprint of the preview'),
});

export const commitOutput = z.object({
  import_id: z.string(),
  new_orders: count,
  updated_orders: count,
  changed_orders: count,
  order_items_inserted: count,
  order_items_changed: count,
  warnings: count,
  /** Rejected rows of the file, which are not imported. */
  held_back: count,
});

const filterText = z.string().trim().min(1).max(200);

export const historyInput = z.strictObject({
  /** Imports before this one: the last of the page before. */
  before: importId.optional(),
  limit: z.int().min(1).max(200).default(50),
  account_id: z.int().min(1).max(2_147_483_647).optional(),
  source: z.enum(['api', 'command', 'spreadsheet']).optional(),
  outcome: z.enum(['succeeded', 'rejected', 'failed', 'undone']).optional(),
  /** Only imports that warned of something, or only those that did not. */
  warnings: z.boolean().optional(),
  actor: filterText.optional(),
  file_name: filterText.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
});

const importFields = z.object({
  id: z.string(),
  account_id: z.int().nullable(),
  account: z.string().nullable(),
  source: z.enum(['api', 'command', 'spreadsheet']),
  outcome: z.enum(['running', 'succeeded', 'rejected', 'failed', 'undone']),
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
  message: z.string().nullable(),
  duration_ms: count,
  created_at: z.iso.datetime(),
  undone_at: z.iso.datetime().nullable(),
  undone_by: z.string().nullable(),
});

export const historyOutput = z.object({ entries: z.array(importFields), next: z.string().nullable() });

export const oneInput = z.strictObject({
  id: importId,
  part: z.enum(['issues', 'created', 'changes']).default('issues'),
  page,
});

const listed = { import: importFields, page: count, pages: count, total: count };
const record = z.enum(['order', 'item', 'shipment']);

export const oneOutput = z.discriminatedUnion('part', [
  z.object({
    ...listed,
    part: z.literal('issues'),
    entries: z.array(
      z.object({
        position: z.int(),
        severity: z.enum(['error', 'warning']),
        row: z.int().nullable(),
        path: z.string(),
        message: z.string(),
      }),
    ),
  }),
  z.object({
    ...listed,
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
    ...listed,
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

export const undoPreviewInput = z.strictObject({ id: importId, list: undoList, page });
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
  /** Before the import, as the import left it, and as it is. */
  fields: z.array(field.extend({ present: z.unknown() })).nullable(),
  reason: z.enum(['import', 'person', 'tracking', 'changed']).nullable(),
  by_import: z.string().nullable(),
  missing: z.int().nullable(),
});

export const undoPreviewOutput = z.object({
  counts: undoCounts,
  list: undoList,
  page: count,
  entries: z.array(undoEntry),
});

/** The first two hundred entries of each list. */
export const undoOutput = z.object({
  counts: undoCounts,
  undone: z.array(undoEntry),
  kept: z.array(undoEntry),
  missing: z.array(undoEntry),
});

export const doneOutput = z.object({ done: z.literal(true) });
