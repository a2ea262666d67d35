import { z } from 'zod';
import { instantSchema } from '../../core/fields';
import { orderFilterSchema } from '../filter/schema';

const text = z.string().nullable();

export const printInput = z.strictObject({ filter: orderFilterSchema });

const item = { sku: text, title: text, variations: text, quantity: z.int() };

export const pickListOutput = z.object({
  orders: z.int(),
  units: z.int(),
  /** Identical items of all orders combined, sorted by SKU and title. */
  items: z.array(
    z.object({
      ...item,
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
    time_zone: z.string(),
    buyer: text,
    name: text,
    first_line: text,
    second_line: text,
    city: text,
    state: text,
    zip: text,
    country_name: text,
    note: text,
    items: z.array(z.object({ id: z.string(), ...item })),
  }),
);
