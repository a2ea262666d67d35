import { z } from 'zod';
import { withReason } from '../../core/errors/validation';
import { instantSchema, nameSchema, shownFields, timeZoneSchema } from '../../core/fields';
import { LOCALES } from '../../core/locales';
import { passwordSchema, roleSchema } from '../schema';

export const localeSchema = z.enum(LOCALES).meta({ description: 'Language of the pages', examples: ['zh'] });

/** A code from an authenticator app, or a recovery code. */
const codeSchema = z
  .string()
  .trim()
  .min(1, withReason('text.empty'))
  .max(40, withReason('text.long', { count: 40 }))
  .meta({ description: 'Six digits from the authenticator app, or a recovery code', examples: ['123456'] });

export const codeInput = z.strictObject({ code: codeSchema });

/** What the confirmation dialog asks for: the password and the code, if the user has them. */
export const confirmInput = z.strictObject({
  password: z.string().max(1_000).optional(),
  code: codeSchema.optional(),
});

export const meOutput = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  /** Null if the user has not chosen a language. */
  locale: z.string().nullable(),
  time_zone: z.string(),
  two_factor: z.boolean(),
  two_factor_required: z.boolean(),
  has_password: z.boolean(),
  recovery_codes_left: z.int(),
  permissions: z.array(z.string()),
});

export const updateMeInput = z.strictObject({
  name: nameSchema.optional(),
  locale: localeSchema.optional(),
  time_zone: timeZoneSchema.optional(),
  shown: shownFields(meOutput.pick({ name: true, time_zone: true })),
});

export const changePasswordInput = z.strictObject({
  current_password: z.string().min(1, withReason('text.empty')).max(1_000),
  new_password: passwordSchema,
});

export const beginTwoFactorOutput = z.object({ secret: z.string(), uri: z.string() });

export const recoveryCodesOutput = z.object({ recovery_codes: z.array(z.string()) });

export const sessionsOutput = z.array(
  z.object({
    id: z.uuid(),
    here: z.boolean(),
    method: z.string(),
    created_at: instantSchema,
    last_seen_at: instantSchema,
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
  }),
);

export const sessionInput = z.strictObject({ id: z.uuid(withReason('type.idSession')) });

export const endedOutput = z.object({ ended: z.int() });
