import { z } from 'zod';
import type { ReasonKey } from './reason';

/** A reason in responses to pages and in stored rows: pages show it in the reader's language. */
export const reasonFields = {
  reason: z.custom<ReasonKey>((key) => typeof key === 'string'),
  values: z.record(z.string(), z.unknown()),
};

export const reasonSchema = z.object(reasonFields);
