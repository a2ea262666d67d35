import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import type { SkippedPart } from '../observation';

/** The maximum number of parts of one body that are stored individually. The rest are only counted. */
const MAX_STORED_PARTS = 100;

/** The parts of a callback that produced no event, as stored in its record and shown on its page. */
export const skippedPartsSchema = z.object({
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

export type StoredSkippedParts = z.output<typeof skippedPartsSchema>;

/** Returns skipped parts as they are stored: the first hundred, and how many there are. */
export function toStoredSkippedParts(skippedParts: readonly SkippedPart[]): StoredSkippedParts {
  return {
    left_out: skippedParts
      .slice(0, MAX_STORED_PARTS)
      .map(({ path, trackingNumber, reason }) => ({ path, tracking_number: trackingNumber, reason })),
    left_out_count: skippedParts.length,
  };
}

/** Returns the skipped parts in a stored result; none if it has no list of them, as when processing was interrupted. */
export function readSkippedParts(result: unknown): StoredSkippedParts {
  return skippedPartsSchema.safeParse(result).data ?? toStoredSkippedParts([]);
}
