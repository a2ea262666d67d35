import { z } from 'zod';
import { identifyingText, recordIdSchema, storableText } from '../../core/fields';
import { trackingNumberProblem } from '../../core/tracking-number';
import { issueOf, otherwise } from '../../core/validation';
import { ORDER_FIELDS } from '../import/column-map';
import { orderStatusSchema, parcelStatusSchema } from '../list/schema';

const orderId = recordIdSchema('an order');

/** Most orders that one action of a person may change. */
export const MOST_AT_ONCE = 5_000;

export const setStatusInput = z.strictObject({
  ids: z.array(orderId).min(1).max(MOST_AT_ONCE),
  status: orderStatusSchema,
});

export const changedOutput = z.object({ changed: z.int() });

export const addNoteInput = z.strictObject({
  id: orderId,
  text: z.string().trim().pipe(storableText(5_000)),
});

export const noteInput = z.strictObject({ note_id: z.int().min(1) });

/** A number that a person gives an order: one that can be one, and no `n/a` or several in one cell. */
const newTrackingNumber = z
  .string()
  .trim()
  .min(1, otherwise('text.empty'))
  .max(ORDER_FIELDS.tracking_number.maxLength)
  .superRefine((text, context) => {
    const problem = text === '' ? null : trackingNumberProblem(text);
    if (problem !== null) context.addIssue(issueOf(problem));
  });

export const setTrackingInput = z.strictObject({
  shop_id: z.int().min(1),
  rows: z
    .array(
      z.strictObject({
        receipt_id: identifyingText(ORDER_FIELDS.receipt_id.maxLength),
        tracking_number: newTrackingNumber,
        carrier_code: z.string().trim().max(ORDER_FIELDS.carrier_code.maxLength).optional(),
      }),
    )
    .min(1, otherwise('order.noRows'))
    .max(MOST_AT_ONCE, otherwise('order.manyRows', { count: MOST_AT_ONCE })),
});

export const setTrackingOutput = z.object({ added: z.int(), unchanged: z.int(), orders: z.int() });

/** A number that an order has or had, whatever it is: what is no tracking number can be taken off, too. */
export const orderTrackingInput = z.strictObject({
  id: orderId,
  tracking_number: z
    .string()
    .trim()
    .min(1, otherwise('text.empty'))
    .max(ORDER_FIELDS.tracking_number.maxLength),
});

/** What an order is at. */
export const orderStateOutput = z.object({
  id: z.string(),
  status: orderStatusSchema,
  tracking_status: parcelStatusSchema.nullable(),
});
