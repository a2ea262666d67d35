import { z } from 'zod';
import { reasonFields, reasonSchema } from '../../core/errors/reason-schema';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nextCursor, nonNegativeInt, pageFields, storableText } from '../../core/fields';
import { ENCODINGS } from '../../core/text/encodings';
import { changedFieldSchema, fingerprintInput } from '../history/history-schema';
import { orderStatusSchema } from '../schema';

const draftId = z.uuid(withReason('type.idDraft')).meta({ description: 'Id of a draft' });

/** The steps of an import. Pages show `finishing` once the import is done; the server never sets this step. */
const IMPORT_STEPS = ['reading', 'checking', 'storing', 'finishing'] as const;
export type ImportStep = (typeof IMPORT_STEPS)[number];

export const draftInput = z.strictObject({ id: draftId });

const draftFields = z.object({
  id: z.string(),
  account_id: z.int(),
  account: z.string(),
  file_name: z.string(),
  state: z.enum(['ready', 'running', 'done', 'failed']),
  /** Progress of the import: rows read and checked, records stored. */
  done: nonNegativeInt,
  total: nonNegativeInt,
  /** The current step of a running import. */
  step: z.enum(IMPORT_STEPS).nullable(),
  /** Why the last attempt to import failed or was refused. */
  failure: reasonSchema.nullable(),
  /** Id of the finished import. */
  import_id: z.string().nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
});

export const draftsOutput = z.array(draftFields);

export const draftOutput = draftFields.extend({
  header: z.array(z.string()),
  /** Whether `line` counts the lines of a CSV file or the rows of a sheet. */
  unit: z.enum(['line', 'row']),
  /** How the file was encoded; null for a workbook. */
  encoding: z.enum(ENCODINGS).nullable(),
  rows: nonNegativeInt,
  fixed: z.array(z.tuple([z.int(), z.int()])),
});

/** The query parameters of the download of rejected rows. The value of each parameter is a list. */
export const rejectedRowsDownloadQuery = z.strictObject({
  draft: z.tuple([draftId]).transform(([id]) => id),
});

export const previewInput = z.strictObject({
  id: draftId,
  part: z.enum(['new', 'updated', 'unchanged', 'rejected', 'warnings']),
  ...pageFields,
});

const positionFields = {
  /** Index of the row in the sheet; the header is 0. */
  row: z.int(),
  /** The line of the CSV file or the row of the workbook's sheet, counted from 1; null if unknown. */
  line: z.int().nullable(),
};

/** A finding and its position in the file. */
const finding = z.object({
  ...positionFields,
  /** Counted from 0; null if the finding concerns the whole row or a field without a column. */
  column: z.int().nullable(),
  /** The cell's address in a spreadsheet program, such as `X12`; null in a CSV file, or if the column or row is unknown. */
  address: z.string().nullable(),
  field: z.string(),
  ...reasonFields,
});

/** A finding that does not hold back its row, with the text of its cell (null if the finding has no column). */
const warning = finding.extend({ cell: z.string().nullable() });

const newOrder = z.object({
  ...positionFields,
  receipt_id: z.string(),
  status: orderStatusSchema,
  sale_date: z.string().nullable(),
  buyer: z.string().nullable(),
  name: z.string().nullable(),
  country_name: z.string().nullable(),
  country_code: z.string().nullable(),
  currency: z.string().nullable(),
  items: nonNegativeInt,
  value: z.string().nullable(),
});

const updatedOrder = z.object({
  ...positionFields,
  order_id: z.string(),
  receipt_id: z.string(),
  fields: z.array(changedFieldSchema),
  items: z.array(
    z.object({
      created: z.boolean(),
      transaction_id: z.string().nullable(),
      title: z.string().nullable(),
      sku: z.string().nullable(),
      fields: z.array(changedFieldSchema),
    }),
  ),
  shipments: z.array(
    z.object({ created: z.boolean(), tracking_number: z.string(), fields: z.array(changedFieldSchema) }),
  ),
});

const unchangedOrder = z.object({ ...positionFields, order_id: z.string(), receipt_id: z.string() });

/** A row that is held back, because of its own cells or because another row of its order is bad. */
const rejectedRow = z.object({
  ...positionFields,
  receipt_id: z.string().nullable(),
  /** All cells of the row, so that they can be fixed. */
  cells: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Empty if the row itself is good but held back with its order. */
  problems: z.array(finding),
});

/** A page of one of a preview's lists. */
const previewListPage = z.discriminatedUnion('part', [
  z.object({ part: z.literal('new'), entries: z.array(newOrder) }),
  z.object({ part: z.literal('updated'), entries: z.array(updatedOrder) }),
  z.object({ part: z.literal('unchanged'), entries: z.array(unchangedOrder) }),
  z.object({ part: z.literal('rejected'), entries: z.array(rejectedRow) }),
  z.object({ part: z.literal('warnings'), entries: z.array(warning) }),
]);

export type PreviewListPage = z.output<typeof previewListPage>;

const previewFields = z.object({
  /** Identifies the data that the preview was built from; the commit requires it. */
  fingerprint: z.string(),
  counts: z.object({
    rows: nonNegativeInt,
    accepted_rows: nonNegativeInt,
    bad_rows: nonNegativeInt,
    held_rows: nonNegativeInt,
    new_orders: nonNegativeInt,
    /** Orders in the file that already exist: the sum of `changed_orders` and `unchanged_orders`. */
    updated_orders: nonNegativeInt,
    changed_orders: nonNegativeInt,
    unchanged_orders: nonNegativeInt,
    order_items_inserted: nonNegativeInt,
    order_items_changed: nonNegativeInt,
    warnings: nonNegativeInt,
  }),
  /** Signs that the file belongs to another shop. */
  mismatches: z.array(
    z.object({
      /** The kind of mismatch: orders in another currency, or order numbers or listings of another shop. */
      kind: z.enum(['currency', 'receipts', 'listings']),
      /** The other currency, or the other shop's name. */
      value: z.string(),
      count: nonNegativeInt,
    }),
  ),
  /** The number of entries on all pages. */
  total: nonNegativeInt,
  next: nextCursor,
});

export const previewOutput = previewFields.and(previewListPage);

export const fixInput = z.strictObject({
  id: draftId,
  cells: z
    .array(
      z.strictObject({
        row: z.int().min(1, withReason('input.below')).max(10_000_000),
        column: z.int().min(0).max(16_383),
        value: z.union([storableText(10_000), z.literal(''), z.null()]),
      }),
    )
    .min(1)
    .max(1_000),
});

export const commitInput = z.strictObject({
  id: draftId,
  fingerprint: fingerprintInput,
});

export const commitOutput = z.object({
  import_id: z.string(),
  new_orders: nonNegativeInt,
  updated_orders: nonNegativeInt,
  changed_orders: nonNegativeInt,
  order_items_inserted: nonNegativeInt,
  order_items_changed: nonNegativeInt,
  warnings: nonNegativeInt,
  /** The number of rows of the file that were rejected and not imported. */
  held_back: nonNegativeInt,
});
