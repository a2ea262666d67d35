import { z } from 'zod';
import { MAX_LISTED_PROBLEMS } from './errors';

/** The error envelope as documented for integrators; errors.ts builds it. */
export const errorSchema = z
  .object({
    success: z.literal(false),
    message: z
      .string()
      .meta({ description: 'What is wrong and what to do', examples: ['The header X-Api-Key is missing.'] }),
    code: z.string().meta({ description: 'A machine-readable code', examples: ['unauthorized'] }),
    request_id: z.string().meta({
      description:
        'The X-Request-Id of this response; if it is the replay of an earlier one (Idempotent-Replayed), that of the earlier one',
      examples: ['0f9e7c6a'],
    }),
    errors: z
      .array(
        z.object({
          path: z
            .string()
            .meta({ description: 'Path of the member, separated by dots', examples: ['rows.3.quantity'] }),
          message: z.string().meta({ examples: ['must be a whole number from 0 to 2147483647'] }),
        }),
      )
      .max(MAX_LISTED_PROBLEMS)
      .optional()
      .meta({ description: `The first ${MAX_LISTED_PROBLEMS} problems of an input` }),
    error_count: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Total number of problems', examples: [1] }),
    source: z
      .enum(['carrier', 'text_provider'])
      .optional()
      .meta({ description: 'With 502, 503 and 504: the other service that failed' }),
    error: z.string().optional().meta({ description: 'With the 500 of the import: the public cause' }),
  })
  .meta({ id: 'Error', description: 'Every error of every operation' });
