import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import type { SkippedPart } from '../observation';

/** The most parts of one body that are stored individually; the rest are only counted. */
const MAX_KEPT = 100;

/** The parts of a callback that produced no event, as its record stores them and its page shows them. */
export const leftOutSchema = z.object({
  /** The first hundred; `left_out_count` is the total number. */
  left_out: z.array(
    z.object({
      /** Position in the body, such as `data.3`. */
      path: z.string(),
      tracking_number: z.string().nullable(),
      reason: reasonSchema,
    }),
  ),
  left_out_count: z.int(),
});

export type KeptLeftOut = z.output<typeof leftOutSchema>;

/** Returns the stored form of the parts left out. */
export function keptLeftOut(leftOut: readonly SkippedPart[]): KeptLeftOut {
  return {
    left_out: leftOut
      .slice(0, MAX_KEPT)
      .map(({ path, trackingNumber, reason }) => ({ path, tracking_number: trackingNumber, reason })),
    left_out_count: leftOut.length,
  };
}

/** Returns the parts left out according to a stored result; none if processing was interrupted. */
export function leftOutOf(result: unknown): KeptLeftOut {
  return leftOutSchema.safeParse(result).data ?? keptLeftOut([]);
}
