import { maskText } from '../core/credentials';
import { displayText, truncate } from '../core/text/text';

/** An error's body as the request log stores it. */
export interface MaskedError {
  code: string;
  message: string;
  errors: { path: string; message: string }[];
}

const MASK = '…';
const MAX_TEXT_LENGTH = 500;
/** Enough to see what went wrong; a rejected import may list a hundred problems. */
const MAX_PROBLEMS = 20;

const EMAIL = /[^\s"'<>(),:;]+@[^\s"'<>(),:;]+/gu;
/** Order numbers, tracking numbers, phone numbers, postal codes. */
const DIGITS = /\d{4,}/g;
const INDEX = /^\d{1,9}$/;

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
 * Masks quoted text: everything from the first quotation mark to the last, because the quoted text may contain marks itself. If the
 * closing mark is missing, masks everything after the first mark.
 */
function maskQuotes(text: string, open: string, close: string): string {
  const from = text.indexOf(open);
  if (from === -1) return text;
  const to = text.lastIndexOf(close);
  return `${text.slice(0, from)}${open}${MASK}${to > from ? close + text.slice(to + 1) : ''}`;
}

/** Masks credentials, quoted values, e-mail addresses, and runs of four digits or more. Cuts the result to 500 characters. */
export function maskMessage(message: string): string {
  const textWithMaskedQuotes = [
    ['"', '"'],
    ['“', '”'],
    ['«', '»'],
    ['「', '」'],
  ].reduce((text, [open, close]) => maskQuotes(text, open!, close!), maskText(message));
  const maskedText = textWithMaskedQuotes
    .replace(/(?<!\p{L})'.*'(?!\p{L})/gsu, `'${MASK}'`)
    .replace(EMAIL, MASK)
    .replace(DIGITS, MASK);
  return displayText(truncate(maskedText, MAX_TEXT_LENGTH), MAX_TEXT_LENGTH);
}

/** Cuts a path at its first unknown member: callers choose such names, and they may identify a person. */
export function maskPath(path: string, knownNames: ReadonlySet<string>): string {
  const parts = path === '' ? [] : path.split('.');
  const firstUnknownIndex = parts.findIndex((part) => !INDEX.test(part) && !knownNames.has(part));
  return (firstUnknownIndex === -1 ? parts : [...parts.slice(0, firstUnknownIndex), MASK]).join('.');
}

interface EnglishProblem {
  path: string;
  message: string;
}

const isEnglishProblem = (value: unknown): value is EnglishProblem =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string';

/** Masks an error's message. A 422's message begins with the path of its first problem, which is masked as a path. */
function maskErrorMessage(
  message: string,
  firstProblem: EnglishProblem | undefined,
  knownNames: ReadonlySet<string>,
): string {
  const prefix = firstProblem && `${firstProblem.path}: `;
  if (!firstProblem?.path || !prefix || !message.startsWith(prefix)) return maskMessage(message);
  return `${maskPath(firstProblem.path, knownNames)}: ${maskMessage(message.slice(prefix.length))}`;
}

/**
 * Removes personal data from an error envelope. Returns its code, its masked message and at most {@link MAX_PROBLEMS} problems.
 *
 * @param knownNames the member names that paths may show
 */
export function maskError(
  envelope: Readonly<Record<string, unknown>>,
  knownNames: ReadonlySet<string>,
): MaskedError {
  const { code, message, errors } = envelope;
  const problems = (Array.isArray(errors) ? errors : []).filter(isEnglishProblem);
  return {
    code: String(code ?? ''),
    message: maskErrorMessage(String(message ?? ''), problems[0], knownNames),
    errors: problems.slice(0, MAX_PROBLEMS).map((problem) => ({
      path: maskPath(problem.path, knownNames),
      message: maskMessage(problem.message),
    })),
  };
}
