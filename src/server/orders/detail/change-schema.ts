import { z } from 'zod';
import { MAX_INTEGER } from '../../core/exact-integer';
import { requiredText, storableText } from '../../core/fields';
import { idSchema, recordIdSchema } from '../../core/ids';
import { MAX_NOTE_LENGTH } from '../../queues/queue';
import { orderFilterSchema } from '../filter/schema';
import { orderStatusSchema } from '../schema';

const orderId = recordIdSchema('type.idOrder');

export const setStatusInput = z.strictObject({
  /** May match at most MAX_BULK_SIZE orders. */
  filter: orderFilterSchema,
  /** How many orders the user has confirmed. */
  count: z.int().min(1).max(MAX_INTEGER),
  status: orderStatusSchema,
  /** The statuses that the page showed, by order id. Other orders are set whatever their status is now. */
  shown: z.record(orderId, orderStatusSchema).optional(),
});

export const changedCountOutput = z.object({ changed: z.int() });

export const addNoteInput = z.strictObject({
  id: orderId,
  text: z.string().trim().pipe(storableText(MAX_NOTE_LENGTH)),
  /** An idempotency key: the same text with the same key is stored once on an order, however often it is sent. */
  key: requiredText(64).optional(),
});

export const addNotesInput = z.strictObject({
  ids: z.array(orderId).min(1).max(200),
  text: addNoteInput.shape.text,
  key: addNoteInput.shape.key,
});

/** The ids of the orders that got the note; the others do not exist. */
export const addNotesOutput = z.object({ noted: z.array(z.string()) });

export const noteInput = z.strictObject({ note_id: idSchema('type.idNote') });
