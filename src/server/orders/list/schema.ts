import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { dayInput, instantSchema, pageFields } from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { jsonText, singleValue } from '../../core/lists/download-query';
import { LOCALES } from '../../core/locales';
import { ORDER_STATUSES, ORDER_TRACKING, TRACKING_STATUSES } from '../../core/statuses';
import { ORDER_QUEUES } from '../../queues/queue';
import { BUILT_IN_TEMPLATES } from '../export/template-names';
import {
  COUNTRY_FILTER,
  MAX_COUNTRIES,
  MAX_IDS,
  MAX_SEARCH_LENGTH,
  MAX_SHOPS,
  MAX_UNSHIPPED_DAYS,
} from './filter-bounds';
import { ORDER_TABS } from './order-tabs';

export const orderStatusSchema = z.enum(ORDER_STATUSES);
/** The status of a shipment. */
export const shipmentStatusSchema = z.enum(TRACKING_STATUSES);

const day = dayInput().meta({ description: 'A day in New York' });

/** Selects the orders of a list, a count or an export. Days are days in New York; `sold_to` is inclusive. */
export const orderFilterSchema = z.strictObject({
  /** Only these orders, such as the rows selected in a list. */
  ids: z.array(recordIdSchema('type.idOrder')).min(1).max(MAX_IDS).optional(),
  shops: z.array(idSchema('type.idShop')).max(MAX_SHOPS).optional(),
  statuses: z.array(orderStatusSchema).max(ORDER_STATUSES.length).optional(),
  tracking: z.array(z.enum(ORDER_TRACKING)).max(ORDER_TRACKING.length).optional(),
  sold_from: day.optional(),
  sold_to: day.optional(),
  /** Two-letter codes, or `--` for orders whose country name matches no country. */
  countries: z
    .array(z.string().regex(COUNTRY_FILTER, withReason('input.country')))
    .max(MAX_COUNTRIES)
    .optional(),
  /**
   * Words that must all occur somewhere in the order number, buyer, name, city, zip, titles, SKUs or tracking numbers; part of a
   * word is enough. If all words are shorter than three characters, the order number must begin with them, in any letter case.
   * A list of order or tracking numbers matches orders that have any of them (search-text.ts).
   */
  text: z
    .string()
    .trim()
    .max(MAX_SEARCH_LENGTH, withReason('text.long', { count: MAX_SEARCH_LENGTH }))
    .optional(),
  /** Paid, not shipped, and sold at least this many days ago. */
  unshipped_days: z.int().min(0).max(MAX_UNSHIPPED_DAYS).optional(),
  import_id: recordIdSchema('type.idImport').optional(),
  /** The open entries of this work queue (docs/queues.md). */
  queue: z.enum(ORDER_QUEUES).optional(),
});

export type OrderFilter = z.output<typeof orderFilterSchema>;

/** Order ids in a URL, such as `1.2.3`, which is much shorter than URL-encoded JSON. */
const idList = z
  .string()
  .regex(/^\d{1,18}(?:\.\d{1,18})*$/, withReason('type.idOrder'))
  .transform((text) => text.split('.'))
  .pipe(z.array(z.string()).max(MAX_IDS));

const NAMED_TEMPLATES = ['raw', ...BUILT_IN_TEMPLATES] as const;

/** `raw`, the name of a built-in template, or the id of a saved one. */
const templateSchema = z
  .string()
  .regex(new RegExp(`^(?:${NAMED_TEMPLATES.join('|')}|[1-9]\\d{0,8})$`), withReason('type.idTemplate'))
  .transform((text) => NAMED_TEMPLATES.find((name) => name === text) ?? Number(text));

/**
 * The query of an order download; each parameter is a list of its values. Without a template, the file has every field under its
 * name in the API.
 */
export const ordersDownloadQuery = z
  .strictObject({
    format: singleValue(z.enum(['csv', 'xlsx'])),
    filter: singleValue(jsonText.pipe(orderFilterSchema)).optional(),
    /** The filter's `ids`. */
    ids: singleValue(idList).optional(),
    template: singleValue(templateSchema).default('raw'),
    language: singleValue(z.enum(LOCALES)).default('en'),
  })
  .transform(({ ids, filter = {}, ...query }) => ({ ...query, filter: ids ? { ...filter, ids } : filter }));

export const orderListInput = z.strictObject({
  filter: orderFilterSchema.default({}),
  /** By sale date; orders without one count as the newest. */
  direction: z.enum(['newest', 'oldest']).default('newest'),
  ...pageFields,
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
      /** The items' totals less their discounts and the in-person discount, as text; null if no item has a total or a price. */
      value: z.string().nullable(),
      items: z.int(),
      quantity: z.int(),
      title: z.string().nullable(),
      /** The first item's variations and personalization, each on its own line; empty if it has none. */
      variations: z.string().nullable(),
      tracking_numbers: z.array(z.string()),
      carrier_code: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
});

export const orderCountInput = z.strictObject({ filter: orderFilterSchema.default({}) });

/** Counted up to a limit, so that no filter makes the database read a million rows for a count. */
export const orderCountOutput = z.object({ count: z.int(), more: z.boolean() });

/** Each tab with its number of orders in all shops, counted up to the same limit. */
export const orderTabsOutput = z.array(orderCountOutput.extend({ tab: z.enum(ORDER_TABS) }));

export const suggestInput = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, withReason('text.empty'))
    .max(MAX_SEARCH_LENGTH, withReason('text.long', { count: MAX_SEARCH_LENGTH })),
});

/** Names of buyers, recipients and cities that are spelled similarly to a search text that found nothing, most similar first. */
export const suggestOutput = z.object({ names: z.array(z.string()).max(3) });
