import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nextCursor, pageFields } from '../../core/fields';
import { MAX_SEARCH_LENGTH } from '../filter/bounds';
import { ORDER_TABS } from '../filter/order-tabs';
import { orderFilterSchema } from '../filter/schema';
import { orderStatusSchema, trackingStatusSchema } from '../schema';

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
      tracking_status: trackingStatusSchema.nullable(),
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
      /** The first item's variations and personalization, each on its own line; null if it has none. */
      variations: z.string().nullable(),
      tracking_numbers: z.array(z.string()),
      carrier_code: z.string().nullable(),
    }),
  ),
  next: nextCursor,
});

export const orderCountInput = z.strictObject({ filter: orderFilterSchema.default({}) });

/** Counted up to a limit, so that the database does not read a million orders if the filter matches that many. */
export const orderCountOutput = z.object({ count: z.int(), more: z.boolean() });

/** Each tab with its number of orders in all shops, counted up to the limit of {@link orderCountOutput}. */
export const orderTabsOutput = z.array(orderCountOutput.extend({ tab: z.enum(ORDER_TABS) }));

export const suggestInput = z.strictObject({
  text: z
    .string()
    .trim()
    .min(1, withReason('text.empty'))
    .max(MAX_SEARCH_LENGTH, withReason('text.long', { count: MAX_SEARCH_LENGTH })),
});

/** Names of buyers, recipients and cities that are spelled similarly to the text, the most similar first. */
export const suggestOutput = z.object({ names: z.array(z.string()).max(3) });
