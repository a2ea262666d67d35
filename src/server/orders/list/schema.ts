import { z } from 'zod';
import { cursorSchema, instantSchema, recordIdSchema } from '../../core/fields';
import { because } from '../../core/reason';
import { ORDER_STATUSES, ORDER_TRACKING, TRACKING_STATUSES } from '../../core/statuses';
import { issueOf, otherwise } from '../../core/validation';
import {
  COUNTRY_FILTER,
  LONGEST_SEARCH,
  MOST_COUNTRIES,
  MOST_SHOPS,
  MOST_UNSHIPPED_DAYS,
} from './filter-bounds';

export const orderStatusSchema = z.enum(ORDER_STATUSES);
/** The status of a shipment. */
export const shipmentStatusSchema = z.enum(TRACKING_STATUSES);

const day = z.iso.date(otherwise('input.day')).meta({ description: 'A day in New York' });

/** The orders of a list, a count or an export. Days are New York's, the last one included. */
export const orderFilterSchema = z.strictObject({
  shops: z.array(z.int().min(1)).max(MOST_SHOPS).optional(),
  statuses: z.array(orderStatusSchema).max(ORDER_STATUSES.length).optional(),
  tracking: z.array(z.enum(ORDER_TRACKING)).max(ORDER_TRACKING.length).optional(),
  sold_from: day.optional(),
  sold_to: day.optional(),
  /** Two-letter codes, or `--` for orders without a matched country. */
  countries: z
    .array(z.string().regex(COUNTRY_FILTER, otherwise('input.country')))
    .max(MOST_COUNTRIES)
    .optional(),
  /**
   * Words that must all occur in order number, buyer, name, city, zip, titles, SKUs or tracking numbers; part of a word is enough.
   * Several order or tracking numbers find the orders that have any of them (search-text.ts).
   */
  text: z
    .string()
    .trim()
    .max(LONGEST_SEARCH, otherwise('text.long', { count: LONGEST_SEARCH }))
    .optional(),
  /** Paid, not shipped, and sold at least this many days ago. */
  unshipped_days: z.int().min(0).max(MOST_UNSHIPPED_DAYS).optional(),
  import_id: recordIdSchema('type.idImport').optional(),
});

export type OrderFilter = z.output<typeof orderFilterSchema>;

const onceOnly = <Schema extends z.ZodType>(schema: Schema) =>
  z.tuple([schema], otherwise('input.once')).transform(([one]) => one as z.output<Schema>);

/** A filter as JSON text, as used in the address of a page or a download. */
const filterText = z
  .string()
  .max(20_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue(issueOf(because('type.filter')));
      return z.NEVER;
    }
  })
  .pipe(orderFilterSchema);

/** The query of an order download; each parameter is a list of its values. */
export const ordersDownloadQuery = z.strictObject({
  format: onceOnly(z.enum(['csv', 'xlsx'])),
  filter: onceOnly(filterText).optional(),
});

export const orderListInput = z.strictObject({
  filter: orderFilterSchema.default({}),
  /** By sale date; orders without one count as the newest. */
  direction: z.enum(['newest', 'oldest']).default('newest'),
  /** `next` of the previous page. */
  cursor: cursorSchema.optional(),
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
      tracking_status: shipmentStatusSchema.nullable(),
      sale_date: instantSchema.nullable(),
      buyer: z.string().nullable(),
      name: z.string().nullable(),
      country_code: z.string().nullable(),
      country_name: z.string().nullable(),
      currency: z.string().nullable(),
      /** The items' totals less their discounts and the in-person discount, as text; null if no item has a price. */
      value: z.string().nullable(),
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

/** Counted up to a limit, so that no filter makes the database read a million rows for a count. */
export const orderCountOutput = z.object({ count: z.int(), more: z.boolean() });

export const suggestInput = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, otherwise('text.empty'))
    .max(LONGEST_SEARCH, otherwise('text.long', { count: LONGEST_SEARCH })),
});

/** Names of buyers and cities spelled like a text that found nothing, the most similar first. */
export const suggestOutput = z.object({ names: z.array(z.string()).max(3) });
