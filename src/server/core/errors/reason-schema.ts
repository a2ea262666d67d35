import { z } from 'zod';
import type { Reason } from './reason';

/** A reason as it is sent to the pages, which show it in the user's language, and as it is stored. */
export const reasonFields = {
  reason: z.custom<Reason['reason']>((key) => typeof key === 'string'),
  values: z.custom<Reason['values']>((values) => typeof values === 'object' && values !== null),
};

export const reasonSchema = z.object(reasonFields);
