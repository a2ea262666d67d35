import { z } from 'zod';
import { createProductInput } from '../../server/catalog/product-schema';

/** Like `createProductInput`, but converts the category id to a number, because a select returns text. */
export const productFormSchema = createProductInput.extend({
  category_id: z.coerce.number().pipe(createProductInput.shape.category_id),
});
