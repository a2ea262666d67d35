import { z } from 'zod';
import { reasonSchema } from '../../core/reason-schema';
import type { LeftOut } from '../observation';

/** Most parts of one body that are kept one by one; the others are only counted. */
const MOST_KEPT = 100;

/** What of a callback made no event, as its record keeps and its page shows it. */
export const leftOutSchema = z.object({
  /** The first hundred; `left_out_count` says how many there are. */
  left_out: z.array(
    z.object({
      /** Where it stands in the body, such as `data.3`. */
      path: z.string(),
      tracking_number: z.string().nullable(),
      reason: reasonSchema,
    }),
  ),
  left_out_count: z.int(),
});

export type KeptLeftOut = z.output<typeof leftOutSchema>;

/** What is kept of what was left out. */
export function keptLeftOut(leftOut: readonly LeftOut[]): KeptLeftOut {
  return {
    left_out: leftOut
      .slice(0, MOST_KEPT)
      .map(({ path, trackingNumber, reason }) => ({ path, tracking_number: trackingNumber, reason })),
    left_out_count: leftOut.length,
  };
}

/** What a stored result says was left out; nothing where it was cut short. */
export function leftOutOf(result: unknown): KeptLeftOut {
  return leftOutSchema.safeParse(result).data ?? keptLeftOut([]);
}
