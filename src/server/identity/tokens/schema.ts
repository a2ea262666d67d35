import { z } from 'zod';
import { DAY_MS } from '../../core/days';
import { withReason } from '../../core/errors/validation';
import { durationSchema, instantSchema, nameSchema } from '../../core/fields';
import { idSchema } from '../../core/ids';

/** The maximum lifetime of a personal access token, in days. */
const MAX_DAYS = 366;

/** A token's lifetime as the command line takes it, such as `90d`, in milliseconds. */
export const tokenLifetimeSchema = durationSchema.refine(
  (ms) => ms <= MAX_DAYS * DAY_MS,
  withReason('key.days', { count: MAX_DAYS }),
);

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
