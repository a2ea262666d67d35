import '../../core/errors/validation';
import { z } from 'zod';
import { COLUMN_FIELDS, FIELD_NAMES, ORDER_FIELDS, type OrderField } from '../column-map';

/** The default maximum number of rows per import (docs/api-conventions.md). */
const DEFAULT_MAX_ROWS = 50_000;

const cell = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .meta({ description: 'A cell: text, a number, true, false or null. Null and blank text are blank.' });

function namedCellSchema(name: OrderField) {
  const { maxLength, description, example } = ORDER_FIELDS[name];
  return z
    .union([z.string().max(maxLength), z.number(), z.boolean(), z.null()])
    .optional()
    .meta({ description, examples: [example] });
}

const namedRow = z
  .object(
    Object.fromEntries(FIELD_NAMES.map((name) => [name, namedCellSchema(name)])) as Record<
      Exclude<OrderField, 'receipt_id'>,
      ReturnType<typeof namedCellSchema>
    >,
  )
  .extend({
    receipt_id: z.union([z.string().min(1).max(ORDER_FIELDS.receipt_id.maxLength), z.int().min(0)]).meta({
      description: `${ORDER_FIELDS.receipt_id.description}. Send it as text: a number beyond 2^53-1 is refused.`,
      examples: [ORDER_FIELDS.receipt_id.example],
    }),
  })
  .catchall(cell)
  .meta({
    id: 'OrderRow',
    description:
      "One order item, by field name. Rows with the same receipt_id form one order. Fields with unknown names are kept in the item's extra, at most 64 KiB.",
  });

const arrayRow = z.array(cell).meta({
  id: 'OrderRowColumns',
  description: `One row of the marketplace's export, by column: ${COLUMN_FIELDS.map((name, index) => `${index} ${name}`).join(', ')}. Additional columns are kept in the item's extra, at most 64 KiB.`,
});

/** The body of the import, as an integrator reads it (docs/orders.md). */
export const orderImportRequest = z
  .strictObject({
    account_id: z
      .int()
      .min(1)
      .meta({
        description: 'Id of the shop; it must exist.',
        examples: [1],
      }),
    rows: z
      .array(z.union([namedRow, arrayRow]))
      .min(1)
      .max(DEFAULT_MAX_ROWS)
      .meta({
        description:
          'One row for each order item. When excel_format is false, objects and arrays may be mixed.',
      }),
    excel_format: z
      .boolean()
      .optional()
      .meta({
        description:
          "Default false. When true, the first row is the header of the marketplace's export, whose third column is Buyer, and all rows are arrays.",
        examples: [false],
      }),
  })
  .meta({
    id: 'OrderImportRequest',
    examples: [
      {
        account_id: 1,
        rows: [
          {
            receipt_id: '4165098857',
            transaction_id: '5159655655',
            listing_id: '1089353670',
            title: 'Fox Sticker',
            quantity: 1,
            price: 4.49,
            currency: 'USD',
            sale_date: '08/22/2026',
            name: 'Sable Proxy',
            country_name: 'United States',
          },
        ],
      },
    ],
  });

/** `orderImportRequest` with one or more rows of any kind: prepare.ts reads them and reports their problems. */
export const orderImportMembers = orderImportRequest.extend({ rows: z.array(z.unknown()).min(1) });

const countSchema = (description: string) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [1] });

const orderImportCounts = z.object({
  new_orders: countSchema('Orders created'),
  updated_orders: countSchema('Existing orders that the request names, changed or not'),
  order_items_inserted: countSchema('Order items created'),
});

/** The response to an import, with exactly the members in docs/orders.md. */
export const orderImportResponse = z
  .object({
    success: z.literal(true),
    message: z.literal('导入完成'),
    data: orderImportCounts,
  })
  .meta({ id: 'OrderImportResponse' });
