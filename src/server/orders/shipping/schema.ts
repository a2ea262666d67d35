import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { orderFilterSchema } from '../filter/schema';

const nullableText = z.string().nullable();

export const printInput = z.strictObject({ filter: orderFilterSchema });

const itemFields = { sku: nullableText, title: nullableText, variations: nullableText, quantity: z.int() };

export const pickListOutput = z.object({
  orders: z.int(),
  units: z.int(),
  /** Identical items of all orders combined, sorted by SKU, title and variations. */
  items: z.array(
    z.object({
      ...itemFields,
      /** The orders that contain the item, with the quantity in each. */
      orders: z.array(z.object({ receipt_id: z.string(), quantity: z.int() })),
    }),
  ),
});

export const packingSlipsOutput = z.array(
  z.object({
    id: z.string(),
    receipt_id: z.string(),
    shop: z.string(),
    sale_date: instantSchema.nullable(),
    buyer: nullableText,
    name: nullableText,
    first_line: nullableText,
    second_line: nullableText,
    city: nullableText,
    state: nullableText,
    zip: nullableText,
    country_name: nullableText,
    note: nullableText,
    items: z.array(z.object({ id: z.string(), ...itemFields })),
  }),
);
