import { z } from 'zod';
import { withReason } from '../core/errors/validation';
import { ROLES } from './roles';

/** The minimum length of a password (NIST SP 800-63B asks for length, not for kinds of characters). */
const MIN_PASSWORD_LENGTH = 12;

export const roleSchema = z.enum(ROLES).meta({
  description: "The user's role, which decides what they may do",
  examples: ['operator'],
});

export type Role = z.output<typeof roleSchema>;

export const emailSchema = z
  // The same check as in browsers: owner@localhost is valid too.
  .email({ pattern: z.regexes.html5Email, ...withReason('user.email') })
  .max(254)
  .transform((text) => text.toLowerCase())
  .meta({ description: "A person's e-mail address", examples: ['ann@example.com'] });

export const passwordSchema = z
  .string()
  .min(MIN_PASSWORD_LENGTH, withReason('text.short', { count: MIN_PASSWORD_LENGTH }))
  .max(200)
  .meta({ description: 'A password' });
