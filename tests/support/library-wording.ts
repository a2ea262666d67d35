import { z } from 'zod';

/** Matches the sentences of Zod's English locale. */
const ZOD_WORDING =
  /\bInvalid (?:input|option|string|number|key|value|discriminator|URL|email|UUID|ISO|IPv|date|JSON string|base64|E\.164)|\bToo (?:big|small)\b|\bUnrecognized key|\bexpected .+, received\b|must match pattern/;

/** Returns whether a string uses the validation library's wording instead of ours. */
export function isLibraryWording(text: string): boolean {
  return ZOD_WORDING.test(text);
}

/** Returns Zod's own sentences for its issues, to check that the pattern above fits the installed version. */
export function zodSentences(): string[] {
  const { localeError } = z.locales.en();
  const issues: Parameters<typeof localeError>[0][] = [
    { code: 'invalid_type', expected: 'string', input: undefined, path: [] },
    { code: 'invalid_value', values: ['a', 'b'], input: 1, path: [] },
    { code: 'invalid_value', values: ['a'], input: 1, path: [] },
    { code: 'too_big', origin: 'string', maximum: 3, inclusive: true, input: 'long', path: [] },
    { code: 'too_small', origin: 'number', minimum: 3, inclusive: true, input: 1, path: [] },
    { code: 'invalid_format', format: 'regex', pattern: '/a/', input: 'b', path: [] },
    { code: 'invalid_format', format: 'email', input: 'b', path: [] },
    { code: 'invalid_format', format: 'uuid', input: 'b', path: [] },
    { code: 'invalid_format', format: 'datetime', input: 'b', path: [] },
    { code: 'not_multiple_of', divisor: 2, input: 1, path: [] },
    { code: 'unrecognized_keys', keys: ['x'], input: {}, path: [] },
    { code: 'invalid_union', errors: [], input: {}, path: [] },
    { code: 'invalid_key', origin: 'record', issues: [], input: {}, path: [] },
  ];
  return issues.map((issue) => String(localeError(issue)));
}
