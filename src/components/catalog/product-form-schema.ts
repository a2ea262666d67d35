import { z } from 'zod';
import { createProductInput } from '../../server/catalog/product-schema';

/** Converts the category id, because a select returns text. */
export const productForm = createProductInput.extend({
  category_id: z.coerce.number().pipe(createProductInput.shape.category_id),
});
