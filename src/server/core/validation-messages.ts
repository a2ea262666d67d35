import { z } from 'zod';

/** Lists of known names longer than this help nobody in an error message. */
const MOST_NAMES = 20;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
type Nested = readonly { code?: string; path: readonly PropertyKey[]; message: string }[];

const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Record<string, string> = {
  email: 'must be an e-mail address',
  url: 'must be a URL such as https://shop.example',
  uuid: 'must be an id such as 7d8f8a52-6c0e-4b5e-9f3e-0a1b2c3d4e5f',
  datetime: 'must be an ISO 8601 time such as 2027-01-31T00:00:00Z',
  date: 'must be a calendar day, YYYY-MM-DD',
};

const MUST_BE = 'must be ';

/** What zod finds where a value is of another kind altogether. */
const WRONG_KIND = ['invalid_type', 'invalid_value', 'invalid_union'];

/** Whether the schema wants a whole number, whatever it was given: zod itself says "number" of a text. */
function wantsWhole({ inst, expected }: { inst?: unknown; expected: string }): boolean {
  const format = (inst as { _zod?: { def?: { format?: unknown } } } | undefined)?._zod?.def?.format;
  return expected === 'int' || (typeof format === 'string' && format.includes('int'));
}

function wrongType(issue: Extract<RawIssue, { code: 'invalid_type' }>): string {
  if (wantsWhole(issue)) return `${MUST_BE}${KINDS.int}`;
  if (issue.expected === 'number' && typeof issue.input === 'number') return 'must be a finite number';
  const kind = KINDS[issue.expected];
  return kind ? MUST_BE + kind : 'is not accepted here; leave it out';
}

/** Bounds of texts and lists count what is in them; those of numbers are the numbers themselves. */
function outOfBounds(origin: string, bound: number | bigint, side: 'least' | 'most', exact: boolean): string {
  const unit = origin === 'string' ? 'character' : 'entry';
  const units = unit === 'entry' ? 'entries' : 'characters';
  if (['string', 'array', 'set', 'map'].includes(origin)) {
    if (side === 'least' && Number(bound) === 1) return 'must not be empty';
    const amount = `${bound} ${Number(bound) === 1 ? unit : units}`;
    return exact ? `must have exactly ${amount}` : `must have at ${side} ${amount}`;
  }
  return `must be at ${side} ${bound}`;
}

/** Says what the options of a union have in common: the kinds of value it takes, or what is wrong with the nearest one. */
function noOption(options: readonly Nested[]): string {
  const entered = options
    .filter((issues) => issues.some(({ code = '', path }) => path.length > 0 || !WRONG_KIND.includes(code)))
    .toSorted((a, b) => a.length - b.length)[0]?.[0];
  if (entered)
    return entered.path.length > 0 ? `${entered.path.join('.')}: ${entered.message}` : entered.message;
  const kinds = [...new Set(options.flatMap((issues) => issues.map(({ message }) => message)))]
    // "true or false" is two of them.
    .flatMap((message) => message.slice(MUST_BE.length).split(' or '))
    .filter((kind) => kind !== '');
  const last = kinds.pop();
  return last === undefined
    ? 'is not accepted here; leave it out'
    : MUST_BE + (kinds.length > 0 ? `${kinds.join(', ')} or ${last}` : last);
}

function unknownField({ inst }: { inst?: unknown }): string {
  const shape = (inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  const known = Object.keys(shape ?? {});
  if (known.length === 0 || known.length > MOST_NAMES) return 'is not a known field; leave it out';
  return `is not a known field; known are ${known.join(', ')}`;
}

function wrongFormat(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const { format } = issue;
  if (format === 'starts_with') return `must begin with ${issue.prefix}`;
  if (format === 'ends_with') return `must end with ${issue.suffix}`;
  if (format === 'includes') return `must contain ${issue.includes}`;
  return FORMATS[format] ?? 'must have the form that the documentation describes';
}

function oneOf(values: readonly unknown[]): string {
  const names = values.filter((value) => value !== '').map(String);
  return MUST_BE + (names.length > 1 ? `one of ${names.join(', ')}` : (names[0] ?? ''));
}

/**
 * Says what is wrong with a value and what to do about it, as the end of a sentence about the field: "must be a whole number".
 * Serves every schema that has no message of its own for the case.
 */
const validationMessage: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined && (issue.path ?? []).length > 0 && issue.code !== 'custom')
    return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_small':
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : outOfBounds(issue.origin, issue.minimum, 'least', issue.exact === true);
    case 'too_big':
      return issue.inclusive === false
        ? `must be less than ${issue.maximum}`
        : outOfBounds(issue.origin, issue.maximum, 'most', issue.exact === true);
    case 'invalid_format':
      return wrongFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownField(issue);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) && issue.options.length > 0
        ? oneOf(issue.options)
        : noOption(issue.errors);
    case 'invalid_key':
      return `has a name that ${issue.issues[0]?.message ?? 'is not accepted'}`;
    default:
      return 'is not accepted here; leave it out';
  }
};

/*
 * For every schema in this process, thread or page that loads this module. zod keeps its configuration in globalThis, so all
 * copies of it in one process share it; worker threads and browsers load it with the schemas, which dependency-cruiser checks.
 */
z.config({ customError: validationMessage });
