import { z } from 'zod';
import { marketplaceShopIdSchema, nameSchema, timeZoneSchema } from '../core/fields';
import { isCurrency } from '../core/iso-currencies';
import { otherwise } from '../core/validation';

/** A currency as ISO 4217 writes it, in any case. Here and not in core/fields.ts, which every page loads. */
export const currencySchema = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isCurrency, otherwise('shop.currency'))
  .meta({ description: 'A currency code of ISO 4217', examples: ['USD'] });

const id = z.int(otherwise('type.idShop')).min(1).max(2_147_483_647);
const instant = z.iso.datetime({ offset: true });

export const shopOutput = z.object({
  id,
  name: z.string(),
  /** Names that it had before; requests that use one reach this shop. The newest first. */
  former_names: z.array(z.string()),
  shop_id: z.string().nullable(),
  /** What the amounts of its statistics are in; null while nobody has set it and its orders do not tell it. */
  currency: z.string().nullable(),
  /** Where the marketplace ends the days of its statistics. */
  time_zone: z.string(),
  created_at: instant,
  /** Hidden from the choices of pages; the API goes on taking imports of it. */
  archived_at: instant.nullable(),
  orders: z.int(),
  last_import: z
    .object({ id: z.string(), at: instant, outcome: z.string(), new_orders: z.int(), rows: z.int() })
    .nullable(),
  statistic_days: z.int(),
  has_prompt: z.boolean(),
});

export const shopsOutput = z.array(shopOutput);
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
});
