import { z } from 'zod';
import type { Reason } from './reason';

/** A reason in responses to pages and in stored rows: pages show it in the reader's language. */
export const reasonFields = {
  reason: z.custom<Reason['reason']>((key) => typeof key === 'string'),
  values: z.custom<Reason['values']>((values) => typeof values === 'object' && values !== null),
};

export const reasonSchema = z.object(reasonFields);
