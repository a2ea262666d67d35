import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { marketplaceShopIdSchema, nameSchema, shownFields, timeZoneSchema } from '../core/fields';
import { idSchema } from '../core/ids';
import { isCurrency } from '../core/money/iso-currencies';

/**
 * An ISO 4217 currency code, in upper or lower case. Not in core/fields.ts, because every form that uses that file would then load
 * the list of currencies too.
 */
export const currencySchema = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCurrency, withReason('shop.currency'))
  .meta({ description: 'An ISO 4217 currency code', examples: ['USD'] });

const id = idSchema('type.idShop');
const instant = z.iso.datetime({ offset: true });

export const shopOutput = z.object({
  id,
  name: z.string(),
  /** Former names, newest first; requests that use one still reach this shop. */
  former_names: z.array(z.string()),
  shop_id: z.string().nullable(),
  /** The currency of its statistics. Null until a user sets it or it is taken from its orders. */
  currency: z.string().nullable(),
  /** The time zone in which the marketplace counts the days of its statistics. */
  time_zone: z.string(),
  created_at: instant,
  /** When it was hidden from the choices on pages. The API still accepts imports for it, unless it is being deleted. */
  archived_at: instant.nullable(),
  /** When it was marked for deletion with all its data. */
  deleting_at: instant.nullable(),
  orders: z.int(),
  last_import: z
    .object({ id: z.string(), at: instant, outcome: z.string(), new_orders: z.int(), rows: z.int() })
    .nullable(),
  statistic_days: z.int(),
  has_prompt: z.boolean(),
});

export const shopsOutput = z.array(shopOutput);
/** The shops without the counts of their data, which take time that grows with the data. */
export const shopNamesOutput = z.array(
  shopOutput.omit({ orders: true, last_import: true, statistic_days: true, has_prompt: true }),
);
export const shopInput = z.strictObject({ id });
export const createShopInput = z.strictObject({
  name: nameSchema,
  shop_id: marketplaceShopIdSchema.optional(),
  currency: currencySchema.optional(),
  time_zone: timeZoneSchema.optional(),
});
export const updateShopInput = z.strictObject({
  id,
  name: nameSchema.optional(),
  /** Null clears it. */
  shop_id: marketplaceShopIdSchema.nullable().optional(),
  /** Null clears it. */
  currency: currencySchema.nullable().optional(),
  time_zone: timeZoneSchema.optional(),
  shown: shownFields(shopOutput.pick({ name: true, shop_id: true, currency: true, time_zone: true })),
});
