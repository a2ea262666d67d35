import { z } from 'zod';
import { createReason, type Reason, type ReasonKey, type ValuesOf } from './reason';

/** The maximum number of known names that an error message lists. If there are more, it lists none. */
const MAX_LISTED_NAMES = 20;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
/** An issue as zod reports it, including what an error map has added to the raw issue. */
type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'> & { code?: string | undefined };

const TYPE_NAMES: Record<string, (string | Reason)[]> = {
  string: [createReason('kind.text')],
  number: [createReason('kind.number')],
  int: [createReason('kind.whole')],
  bigint: [createReason('kind.whole')],
  boolean: ['true', 'false'],
  array: [createReason('kind.list')],
  tuple: [createReason('kind.list')],
  object: [createReason('kind.object')],
  record: [createReason('kind.object')],
  null: ['null'],
};

const REASON_KEY_BY_FORMAT: Record<string, ReasonKey & `${'user' | 'type' | 'key' | 'csv'}.${string}`> = {
  email: 'user.email',
  url: 'type.url',
  uuid: 'type.uuid',
  datetime: 'key.time',
  date: 'csv.day',
};

/** Zod's codes for a value of the wrong type, or one that is not among the allowed values. */
const WRONG_TYPE_CODES = ['invalid_type', 'invalid_value', 'invalid_union'];

/** Attaches a reason to an issue for {@link reasonOf}, and returns the reason's key as the message that zod requires. */
function attachReason(issue: object, { reason, values }: Reason): ReasonKey {
  Object.assign(issue, { reason, values });
  return reason;
}

/** Returns the options that set the reason why a schema, or one of its checks, refuses a value. */
export function withReason<K extends ReasonKey>(
  key: K,
  ...values: ValuesOf<K>
): { error: (issue: object) => string } {
  const reason = createReason(key, ...values);
  return { error: (issue) => attachReason(issue, reason) };
}

/** Creates an issue with its reason, for superRefine and transform. */
export function createIssue(reason: Reason, path: PropertyKey[] = []) {
  return { code: 'custom' as const, path, message: reason.reason, ...reason };
}

const NOT_ACCEPTED = createReason('body.notAccepted');

/** Returns the reason attached to an issue; null if none is attached. */
export function attachedReason(issue: object): Reason | null {
  const { reason, values } = issue as Partial<Reason>;
  return reason !== undefined && values ? { reason, values } : null;
}

/** Returns the reason of an issue, or a general one if none is attached. */
export function reasonOf(issue: Issue): Reason {
  return attachedReason(issue) ?? NOT_ACCEPTED;
}

/** Returns whether the schema expects an integer: if the input is a string, zod itself only says "number". */
function expectsInteger({ inst, expected }: { inst?: unknown; expected: string }): boolean {
  const format = (inst as { _zod?: { def?: { format?: unknown } } } | undefined)?._zod?.def?.format;
  return expected === 'int' || (typeof format === 'string' && format.includes('int'));
}

function wrongTypeReason(issue: Extract<RawIssue, { code: 'invalid_type' }>): Reason {
  if (expectsInteger(issue)) return createReason('type.kinds', { kinds: TYPE_NAMES.int! });
  if (issue.expected === 'number' && typeof issue.input === 'number') return createReason('cell.finite');
  const kinds = TYPE_NAMES[issue.expected];
  return kinds ? createReason('type.kinds', { kinds }) : NOT_ACCEPTED;
}

/** Returns the reason for a value beyond a bound. The bound of a string or a list applies to its length. */
function boundReason(
  origin: string,
  bound: number | bigint,
  side: 'least' | 'most',
  isExact: boolean,
): Reason {
  const count = Number(bound);
  const isList = ['array', 'set', 'map'].includes(origin);
  if (origin !== 'string' && !isList)
    return side === 'least'
      ? createReason('csv.least', { minimum: count })
      : createReason('csv.most', { maximum: count });
  if (side === 'least' && count === 1) return createReason('text.empty');
  if (isExact && !isList) return createReason('type.exactLength', { count });
  if (isList) return createReason(side === 'least' ? 'type.fewItems' : 'type.manyItems', { count });
  return createReason(side === 'least' ? 'text.short' : 'text.long', { count });
}

/** Returns why no option of a union accepts a value: the closest option's problem, or else the types that the options accept. */
function noOptionReason(options: readonly (readonly Issue[])[]): Reason {
  const [closestIssue] =
    options
      .filter((issues) =>
        issues.some(({ code = '', path }) => path.length > 0 || !WRONG_TYPE_CODES.includes(code)),
      )
      .toSorted((a, b) => a.length - b.length)[0] ?? [];
  if (closestIssue) {
    const reason = reasonOf(closestIssue);
    return closestIssue.path.length > 0
      ? createReason('join.at', { path: closestIssue.path.join('.'), reason })
      : reason;
  }
  const kinds = options
    .flat()
    .map(reasonOf)
    .flatMap((reason) => {
      if (reason?.reason === 'type.kinds') return reason.values.kinds as (string | Reason)[];
      return reason?.reason === 'type.oneOf'
        ? [createReason('kind.oneOf', { names: reason.values.names! })]
        : [];
    });
  const distinctKinds = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return distinctKinds.size > 0
    ? createReason('type.kinds', { kinds: [...distinctKinds.values()] })
    : NOT_ACCEPTED;
}

function unknownFieldReason({ inst }: { inst?: unknown }): Reason {
  const shape = (inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
  const names = Object.keys(shape ?? {});
  if (names.length === 0 || names.length > MAX_LISTED_NAMES) return createReason('body.unknownField');
  return createReason('body.unknownFieldKnown', { names: names.join(', ') });
}

function wrongFormatReason(issue: Extract<RawIssue, { code: 'invalid_format' }>): Reason {
  const { format } = issue;
  if (format === 'starts_with') return createReason('type.begins', { text: String(issue.prefix) });
  if (format === 'ends_with') return createReason('type.ends', { text: String(issue.suffix) });
  if (format === 'includes') return createReason('type.contains', { text: String(issue.includes) });
  return createReason((REASON_KEY_BY_FORMAT[format] ?? 'type.form') as 'type.form');
}

function oneOfReason(values: readonly unknown[]): Reason {
  const names = values.filter((value) => value !== '').map(String);
  return names.length > 1
    ? createReason('type.oneOf', { names: names.join(', ') })
    : createReason('type.kinds', { kinds: names });
}

/** Returns the reason for an issue whose schema sets none. */
function defaultReason(issue: RawIssue): Reason {
  if (issue.input === undefined && (issue.path ?? []).length > 0 && issue.code !== 'custom')
    return createReason('csv.required');
  switch (issue.code) {
    case 'invalid_type':
      return wrongTypeReason(issue);
    case 'invalid_value':
      return oneOfReason(issue.values);
    case 'too_small':
      return issue.inclusive === false
        ? createReason('type.above', { minimum: Number(issue.minimum) })
        : boundReason(issue.origin, issue.minimum, 'least', issue.exact === true);
    case 'too_big':
      return issue.inclusive === false
        ? createReason('type.below', { maximum: Number(issue.maximum) })
        : boundReason(issue.origin, issue.maximum, 'most', issue.exact === true);
    case 'invalid_format':
      return wrongFormatReason(issue);
    case 'not_multiple_of':
      return createReason('type.multiple', { count: Number(issue.divisor) });
    case 'unrecognized_keys':
      return unknownFieldReason(issue);
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) && issue.options.length > 0
        ? oneOfReason(issue.options)
        : noOptionReason(issue.errors);
    case 'invalid_key':
      return createReason('text.name', {
        reason: issue.issues[0] ? reasonOf(issue.issues[0]) : NOT_ACCEPTED,
      });
    default:
      return NOT_ACCEPTED;
  }
}

/*
 * Applies to every schema in a process, thread or page that loads this module. Zod stores its configuration in globalThis, so
 * all copies of zod in one thread share it. Worker threads and browsers load this module with the schemas; dependency-cruiser
 * checks that. Issues added with their own reason and message do not get here.
 */
z.config({ customError: (issue) => attachReason(issue, attachedReason(issue) ?? defaultReason(issue)) });
