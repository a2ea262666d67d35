import { z } from 'zod';
import { identifyingText, recordIdSchema, storableText } from '../../core/fields';
import { ORDER_FIELDS } from '../import/column-map';
import { orderStatusSchema } from '../list/schema';

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

export const setTrackingInput = z.strictObject({
  shop_id: z.int().min(1),
  rows: z
    .array(
      z.strictObject({
        receipt_id: identifyingText(ORDER_FIELDS.receipt_id.maxLength),
        tracking_number: identifyingText(ORDER_FIELDS.tracking_number.maxLength),
        carrier_code: z.string().trim().max(ORDER_FIELDS.carrier_code.maxLength).optional(),
      }),
    )
    .min(1, 'needs at least one row')
    .max(MOST_AT_ONCE, `takes at most ${MOST_AT_ONCE} rows at once`),
});

export const setTrackingOutput = z.object({ added: z.int(), unchanged: z.int(), orders: z.int() });
