import { z } from 'zod';
import { createIssue, withReason } from '../../core/errors/validation';
import { optionalText, requiredText } from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { trackingNumberProblem } from '../../core/text/tracking-number';
import { ORDER_FIELDS } from '../column-map';
import { MAX_BULK_SIZE } from '../filter/bounds';

/** A tracking number set by a user. It must be plausible: not `n/a`, and not two numbers in one cell. */
const newTrackingNumber = z
  .string()
  .trim()
  .min(1, withReason('text.empty'))
  .max(ORDER_FIELDS.tracking_number.maxLength)
  .superRefine((text, context) => {
    const problem = text === '' ? null : trackingNumberProblem(text);
    if (problem !== null) context.addIssue(createIssue(problem));
  });

export const setTrackingInput = z.strictObject({
  shop_id: idSchema('type.idShop'),
  rows: z
    .array(
      z.strictObject({
        receipt_id: requiredText(ORDER_FIELDS.receipt_id.maxLength),
        tracking_number: newTrackingNumber,
        carrier_code: optionalText(ORDER_FIELDS.carrier_code.maxLength).optional(),
      }),
    )
    .min(1, withReason('order.noRows'))
    .max(MAX_BULK_SIZE, withReason('order.manyRows', { count: MAX_BULK_SIZE })),
});

export const setTrackingOutput = z.object({ added: z.int(), unchanged: z.int(), orders: z.int() });

/** An order that has a tracking number which other orders have too. */
export const orderWithNumber = z.object({ id: z.string(), receipt_id: z.string(), shop: z.string() });

/** A tracking number that an order has or had. Any text is allowed, so that an implausible number can be removed. */
export const orderTrackingInput = z.strictObject({
  id: recordIdSchema('type.idOrder'),
  tracking_number: requiredText(ORDER_FIELDS.tracking_number.maxLength),
});

export const correctTrackingInput = orderTrackingInput.extend({
  tracking_number: newTrackingNumber,
  /** The number to remove from the order. */
  mistyped: orderTrackingInput.shape.tracking_number,
});
