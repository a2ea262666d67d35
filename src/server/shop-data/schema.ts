import { z } from 'zod';
import { nameSchema } from '../core/fields';
import { shopInput } from '../shops/schema';

export const deleteShopInput = shopInput.extend({
  /** The name of the shop, typed again, so that no other shop is deleted by mistake. */
  name: nameSchema,
});

export const deleteShopOutput = z.object({ deleting: z.literal(true) });

/** The query parameters of the download. The value of each parameter is a list. */
export const shopDownloadQuery = z.strictObject({
  id: z.tuple([z.string().regex(/^[1-9]\d{0,9}$/)]).transform(([text]) => Number(text)),
});
