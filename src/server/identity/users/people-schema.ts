import { z } from 'zod';
import { instantSchema, nameSchema, shownFields } from '../../core/fields';
import { idSchema } from '../../core/ids';
import { emailSchema, passwordSchema, roleSchema } from '../schema';
import { localeSchema } from './account-schema';

const userId = idSchema('type.idUser').meta({ description: 'Id of a user', examples: [2] });

export const userOutput = z.object({
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

export const peopleOutput = z.array(userOutput);

export const userInput = z.strictObject({ id: userId });

export const createUserInput = z.strictObject({
  email: emailSchema,
  name: nameSchema.optional(),
  role: roleSchema,
  locale: localeSchema.optional(),
  password: passwordSchema.optional(),
});

/** A user with the generated password, which is shown only once; null if a password was passed. */
export const createdUserOutput = userOutput.extend({ password: z.string().nullable() });

export const updateUserInput = z.strictObject({
  id: userId,
  name: nameSchema.optional(),
  role: roleSchema.optional(),
  locale: localeSchema.optional(),
  two_factor_required: z.boolean().optional(),
  shown: shownFields(userOutput.pick({ name: true, role: true, locale: true, two_factor_required: true })),
});

export const resetPasswordOutput = z.object({ email: z.string(), password: z.string() });
