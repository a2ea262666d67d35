import { z } from 'zod';
import { csvFileInput } from '../../../core/fields';
import { idSchema } from '../../../core/ids';
import { MAX_BULK_SIZE } from '../../filter/bounds';
import { orderWithNumber, setTrackingInput, setTrackingOutput } from '../schema';

const { rows } = setTrackingInput.shape;

/** A pasted row. The shop is needed only if several shops have the order number. */
export const pastedTrackingRow = rows.element.extend({ shop_id: idSchema('type.idShop').optional() });

export const pasteTrackingInput = z.strictObject({
  rows: z.array(pastedTrackingRow).min(1).max(MAX_BULK_SIZE),
});

export const pasteTrackingOutput = setTrackingOutput.extend({
  /** The rows that were not applied, by their index in the request. */
  refused: z.array(
    z.object({
      row: z.int(),
      /**
       * The shops in use that have the order number: none, several or, if the row names a shop that is not among them, any number.
       */
      shops: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  ),
  /** The numbers of the applied rows that several orders have now, each with the newest of these orders (six at most). */
  shared_numbers: z.array(z.object({ tracking_number: z.string(), orders: z.array(orderWithNumber) })),
});

export const trackingFileInput = csvFileInput.extend({ name: z.string().min(1).max(255) });

/** The file's rows, header first. */
export const trackingFileOutput = z.object({ rows: z.array(z.array(z.string())) });
