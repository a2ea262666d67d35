import { z } from 'zod';
import { marketplaceShopIdSchema, nameSchema } from '../core/fields';

const id = z.int('must be the id of a shop').min(1).max(2_147_483_647);
const instant = z.iso.datetime({ offset: true });

/** The marketplace's text as people type it. */
const shopId = z.string().trim().pipe(marketplaceShopIdSchema);

export const shopOutput = z.object({
  id,
  name: z.string(),
  shop_id: z.string().nullable(),
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
export const createShopInput = z.strictObject({ name: nameSchema, shop_id: shopId.optional() });
export const updateShopInput = z.strictObject({
  id,
  name: nameSchema.optional(),
  /** Null clears it. */
  shop_id: shopId.nullable().optional(),
});
