import { z } from 'zod';
import { nameSchema } from '../core/fields';
import { idTextSchema } from '../core/ids';
import { shopInput } from '../shops/schema';

export const deleteShopInput = shopInput.extend({
  /** The name of the shop, typed again, so that no other shop is deleted by mistake. */
  name: nameSchema,
});

export const deleteShopOutput = z.object({ deleting: z.literal(true) });

/** The query parameters of the download. The value of each parameter is a list. */
export const shopDownloadQuery = z.strictObject({
  id: z.tuple([idTextSchema]).transform(([id]) => id),
});
