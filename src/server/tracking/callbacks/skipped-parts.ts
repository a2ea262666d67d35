import { z } from 'zod';
import { reasonSchema } from '../../core/errors/reason-schema';
import type { SkippedParts } from '../observation';

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

/** Returns skipped parts as they are stored. */
export function toStoredSkippedParts({ parts, count }: SkippedParts): StoredSkippedParts {
  return {
    left_out: parts.map(({ path, trackingNumber, reason }) => ({
      path,
      tracking_number: trackingNumber,
      reason,
    })),
    left_out_count: count,
  };
}

/** Returns the skipped parts in a stored result; none if it has no list of them, as when processing was interrupted. */
export function readSkippedParts(result: unknown): StoredSkippedParts {
  return skippedPartsSchema.safeParse(result).data ?? toStoredSkippedParts({ parts: [], count: 0 });
}
