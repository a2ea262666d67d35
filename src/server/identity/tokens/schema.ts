import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nameSchema } from '../../core/fields';
import { idSchema } from '../../core/ids';

/** The maximum lifetime of a personal access token, in days. */
const MAX_DAYS = 366;

export const createTokenInput = z.strictObject({
  name: nameSchema,
  expires_in_days: z
    .int(withReason('key.wholeDays'))
    .min(1, withReason('key.oneDay'))
    .max(MAX_DAYS, withReason('key.days', { count: MAX_DAYS }))
    .meta({ description: 'Days until it expires', examples: [90] }),
});

export const createdTokenOutput = z.object({
  id: z.int(),
  name: z.string(),
  /** Shown only once. */
  token: z.string(),
  expires_at: instantSchema,
});

export const tokensOutput = z.array(
  z.object({
    id: z.int(),
    name: z.string(),
    prefix: z.string(),
    last_four: z.string(),
    state: z.enum(['active', 'expired', 'revoked']),
    scopes: z.array(z.string()),
    created_at: instantSchema,
    expires_at: instantSchema,
    last_used_at: instantSchema.nullable(),
    revoked_at: instantSchema.nullable(),
  }),
);

export const tokenInput = z.strictObject({ id: idSchema('type.idToken') });
