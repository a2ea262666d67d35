import { z } from 'zod';
import { otherwise } from '../../core/errors/validation';
import { instantSchema, nameSchema, shownFields } from '../../core/fields';
import { emailSchema, passwordSchema, roleSchema } from '../schema';
import { localeSchema } from './account-schema';

const userId = z
  .int(otherwise('type.idUser'))
  .min(1)
  .meta({ description: 'Id of a user', examples: [2] });

export const personOutput = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  locale: z.string(),
  active: z.boolean(),
  two_factor: z.boolean(),
  two_factor_required: z.boolean(),
  created_at: instantSchema,
  updated_at: instantSchema,
  last_sign_in_at: instantSchema.nullable(),
});

export const peopleOutput = z.array(personOutput);

export const personInput = z.strictObject({ id: userId });

export const createPersonInput = z.strictObject({
  email: emailSchema,
  name: nameSchema.optional(),
  role: roleSchema,
  locale: localeSchema.optional(),
  password: passwordSchema.optional(),
});

/** With the generated password, if none was given; shown once. */
export const createdPersonOutput = personOutput.extend({ password: z.string().nullable() });

export const updatePersonInput = z.strictObject({
  id: userId,
  name: nameSchema.optional(),
  role: roleSchema.optional(),
  locale: localeSchema.optional(),
  two_factor_required: z.boolean().optional(),
  shown: shownFields(personOutput.pick({ name: true, role: true, locale: true, two_factor_required: true })),
});

export const resetPasswordOutput = z.object({ email: z.string(), password: z.string() });
