import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { dayInput } from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { ORDER_STATUSES, ORDER_TRACKING_STATUSES } from '../../core/statuses';
import { ORDER_QUEUES } from '../../queues/queue';
import { orderStatusSchema } from '../schema';
import {
  COUNTRY_FILTER,
  MAX_COUNTRIES,
  MAX_IDS,
  MAX_SEARCH_LENGTH,
  MAX_SHOPS,
  MAX_UNSHIPPED_DAYS,
} from './bounds';

const day = dayInput().meta({ description: 'A day in New York' });

/** Selects the orders of a list, a count or an export. Days are days in New York; `sold_to` is inclusive. */
export const orderFilterSchema = z.strictObject({
  /** Only these orders, such as the rows selected in a list. */
  ids: z.array(recordIdSchema('type.idOrder')).min(1).max(MAX_IDS).optional(),
  shops: z.array(idSchema('type.idShop')).max(MAX_SHOPS).optional(),
  statuses: z.array(orderStatusSchema).max(ORDER_STATUSES.length).optional(),
  tracking: z.array(z.enum(ORDER_TRACKING_STATUSES)).max(ORDER_TRACKING_STATUSES.length).optional(),
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
