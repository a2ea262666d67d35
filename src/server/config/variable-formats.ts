import { z } from 'zod';

/** A whole number from `min` to `max`, in decimal digits. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** Returns the parts of a list separated by commas, without blank ones. */
export const splitList = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** A secret sent in a header. Only visible ASCII is allowed: if it had other characters, the error from fetch would quote it. */
export const headerSecret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

/** The URL of a PostgreSQL database. */
export const databaseUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
    'must be a URL that starts with postgresql://',
  );
