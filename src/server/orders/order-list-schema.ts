import { z } from 'zod';
import { instantSchema, recordIdSchema } from '../core/fields';

/** The states of an order (decisions.md, "Order and tracking states"), from the first to the last. */
export const ORDER_STATUSES = ['pending', 'paid', 'shipped', 'delivered', 'cancelled'] as const;

/** What an order's parcels are at, and `none` for orders without any. */
export const ORDER_TRACKING = [
  'not_found',
  'info_received',
  'in_transit',
  'out_for_delivery',
  'available_for_pickup',
  'delivery_failure',
  'delivered',
  'exception',
  'expired',
  'none',
] as const;

export const orderStatusSchema = z.enum(ORDER_STATUSES);
/** What a parcel is at. */
export const parcelStatusSchema = z.enum(ORDER_TRACKING).exclude(['none']);

const day = z.iso.date('must be a day such as 2026-08-22').meta({ description: 'A day in New York' });

/** Which orders a list, a count or an export is about. Days are New York's, the last one included. */
export const orderFilterSchema = z.strictObject({
  shops: z.array(z.int().min(1)).max(200).optional(),
  statuses: z.array(orderStatusSchema).max(ORDER_STATUSES.length).optional(),
  tracking: z.array(z.enum(ORDER_TRACKING)).max(ORDER_TRACKING.length).optional(),
  sold_from: day.optional(),
  sold_to: day.optional(),
  /** Codes of two letters; `--` for orders whose country matches none. */
  countries: z
    .array(z.string().regex(/^([A-Z]{2}|--)$/, 'must be a country code'))
    .max(300)
    .optional(),
  /** Words that all must be in receipt, buyer, name, titles, SKUs or tracking numbers; part of a word is enough. */
  text: z.string().trim().max(200, 'must have at most 200 characters').optional(),
  /** Paid, not shipped, and sold at least so many days ago. */
  unshipped_days: z.int().min(0).max(3_650).optional(),
  import_id: recordIdSchema('an import').optional(),
});

export type OrderFilter = z.output<typeof orderFilterSchema>;

const onceOnly = <Schema extends z.ZodType>(schema: Schema) =>
  z.tuple([schema], 'must be given once').transform(([one]) => one as z.output<Schema>);

/** A filter as JSON text, as the address of a page and of a download has it. */
const filterText = z
  .string()
  .max(20_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a filter as JSON' });
      return z.NEVER;
    }
  })
  .pipe(orderFilterSchema);

/** The query of a download of orders, each parameter as the list of its values. */
export const ordersDownloadQuery = z.strictObject({
  format: onceOnly(z.enum(['csv', 'xlsx'])),
  filter: onceOnly(filterText).optional(),
});

export const orderListInput = z.strictObject({
  filter: orderFilterSchema.default({}),
  /** By date of sale; orders without one are the newest. */
  direction: z.enum(['newest', 'oldest']).default('newest'),
  /** `next` of the page before. */
  after: z.string().max(100).optional(),
  limit: z.int().min(1).max(200).default(50),
});

export const orderListOutput = z.object({
  orders: z.array(
    z.object({
      id: z.string(),
      receipt_id: z.string(),
      shop_id: z.int(),
      shop: z.string(),
      status: orderStatusSchema,
      tracking_status: parcelStatusSchema.nullable(),
      sale_date: instantSchema.nullable(),
      buyer: z.string().nullable(),
      name: z.string().nullable(),
      country_code: z.string().nullable(),
      country_name: z.string().nullable(),
      currency: z.string().nullable(),
      /** Sum of the items' totals, as text; null where no item has one. */
      total: z.string().nullable(),
      items: z.int(),
      quantity: z.int(),
      title: z.string().nullable(),
      tracking_numbers: z.array(z.string()),
      carrier_code: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
});

export const orderCountInput = z.strictObject({ filter: orderFilterSchema.default({}) });

/** Counted up to a limit, so that no filter makes the database read a million rows only to say how many there are. */
export const orderCountOutput = z.object({ count: z.int(), more: z.boolean() });
