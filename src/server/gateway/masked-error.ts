import { maskText } from '../core/credentials';
import type { ServiceError } from '../core/errors/errors';
import { isOwnValue } from '../core/errors/own-values';
import type { Problem, Reason, ReasonValue } from '../core/errors/reason';
import { displayText, truncate } from '../core/text/text';

/** The part of an error that the request log keeps, masked. */
export type LoggedError = Pick<ServiceError, 'code' | 'reason' | 'problems'>;

/** An error as the request log stores it. */
export interface MaskedError extends Reason {
  readonly code: string;
  readonly problems: readonly Problem[];
}

const MASK = '…';
const MAX_TEXT_LENGTH = 500;
/** Enough to see what went wrong; a rejected import may list a hundred problems. */
const MAX_PROBLEMS = 20;

const EMAIL = /[^\s"'<>(),:;]+@[^\s"'<>(),:;]+/gu;
/** Longer numbers may be order numbers, tracking numbers, phone numbers or postal codes. */
const MAX_SHOWN_DIGITS = 3;
const INDEX = /^\d{1,9}$/;
const SHORT_INDEX = /^\d{1,3}$/;

/** Returns the member names of JSON Schemas, at any depth. Paths may show them because they come from us, not from callers. */
export function memberNames(schemas: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const pendingSchemas: unknown[] = [...schemas];
  while (pendingSchemas.length > 0) {
    const schema = pendingSchemas.pop();
    if (typeof schema !== 'object' || schema === null) continue;
    if ('properties' in schema && schema.properties !== null && typeof schema.properties === 'object')
      for (const name of Object.keys(schema.properties)) names.add(name);
    pendingSchemas.push(...Object.values(schema));
  }
  return names;
}

/**
 * Cuts a path at its first unknown member: callers choose such names, and they may identify a person. A long number is an index
 * only after the name of a list; elsewhere it may be a member whose name is a phone number.
 */
export function maskPath(path: string, knownNames: ReadonlySet<string>): string {
  const parts = path === '' ? [] : path.split('.');
  const firstUnknownIndex = parts.findIndex((part, position) => {
    if (knownNames.has(part)) return false;
    const isAfterName = position > 0 && knownNames.has(parts[position - 1]!);
    return !(isAfterName ? INDEX : SHORT_INDEX).test(part);
  });
  return (firstUnknownIndex === -1 ? parts : [...parts.slice(0, firstUnknownIndex), MASK]).join('.');
}

/** Cuts one of our own texts to 500 characters. Masks credentials and e-mail addresses even there. */
function maskOwnText(text: string): string {
  const maskedText = maskText(text).replace(EMAIL, MASK);
  return displayText(truncate(maskedText, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH);
}

/** Masks a number that may identify something: one with four digits or more, or one that JSON cannot hold. */
function maskNumber(value: number): number | string {
  const digitCount = String(value).replace(/\D/g, '').length;
  return Math.abs(value) < 1_000 && digitCount <= MAX_SHOWN_DIGITS ? value : MASK;
}

function maskTextOrNumber(value: string | number, isOwn: boolean): string | number {
  if (typeof value === 'number') return isOwn && Number.isFinite(value) ? value : maskNumber(value);
  return isOwn ? maskOwnText(value) : MASK;
}

/**
 * Masks every value of a reason, and of the reasons in it, that is not our own (own-values.ts): strings, and numbers of four
 * digits or more.
 *
 * @param knownNames the member names that paths may show
 */
export function maskReason(reason: Reason, knownNames: ReadonlySet<string>): Reason {
  const maskValue = (name: string, value: ReasonValue): ReasonValue => {
    if (typeof value === 'string' && reason.reason === 'join.at' && name === 'path')
      return maskPath(value, knownNames);
    if (typeof value !== 'object') return maskTextOrNumber(value, isOwnValue(reason, name));
    if ('reason' in value) return maskReason(value, knownNames);
    return value.map((item) =>
      typeof item === 'object'
        ? maskReason(item, knownNames)
        : String(maskTextOrNumber(item, isOwnValue(reason, name))),
    );
  };
  const maskedValues = Object.entries(reason.values).map(([name, value]) => [name, maskValue(name, value)]);
  return { reason: reason.reason, values: Object.fromEntries(maskedValues) };
}

/**
 * Removes personal data from an error. Returns its code, its masked reason and at most {@link MAX_PROBLEMS} problems.
 *
 * @param knownNames the member names that paths may show
 */
export function maskError(
  { code, reason, problems }: LoggedError,
  knownNames: ReadonlySet<string>,
): MaskedError {
  return {
    code,
    ...maskReason(reason, knownNames),
    problems: problems.slice(0, MAX_PROBLEMS).map((problem) => ({
      path: maskPath(problem.path, knownNames),
      ...maskReason(problem, knownNames),
    })),
  };
}
