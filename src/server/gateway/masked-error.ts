import { maskText } from '../core/credentials';
import { abridge, showable } from '../core/text';

/** An error's body as the request log keeps it. */
export interface MaskedError {
  code: string;
  message: string;
  errors: { path: string; message: string }[];
}

const MASK = '…';
const MAX_TEXT = 500;
/** Enough to see what went wrong; a rejected import may name a hundred. */
const MAX_PROBLEMS = 20;

const EMAIL = /[^\s"'<>(),:;]+@[^\s"'<>(),:;]+/gu;
/** Order numbers, waybills, telephone numbers, postal codes. */
const DIGITS = /\d{4,}/g;
/** The one text of ours that repeats what was sent without quotes. */
const WAYBILL = /\b(waybill) .*$/gsu;
const INDEX = /^\d{1,9}$/;

/** The members that JSON Schemas name, at any depth: what may be shown of a path, as no caller made it up. */
export function memberNames(schemas: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const waiting: unknown[] = [...schemas];
  while (waiting.length > 0) {
    const schema = waiting.pop();
    if (typeof schema !== 'object' || schema === null) continue;
    if ('properties' in schema && schema.properties !== null && typeof schema.properties === 'object')
      for (const name of Object.keys(schema.properties)) names.add(name);
    waiting.push(...Object.values(schema));
  }
  return names;
}

/**
 * A text without what it quotes. From the first mark to the last, as what is quoted may hold marks itself; to the end where
 * the second is missing.
 */
function withoutQuotes(text: string, open: string, close: string): string {
  const from = text.indexOf(open);
  if (from === -1) return text;
  const to = text.lastIndexOf(close);
  return `${text.slice(0, from)}${open}${MASK}${to > from ? close + text.slice(to + 1) : ''}`;
}

/** A message without credentials, quoted values, e-mail addresses, waybill numbers, and runs of four digits or more. */
export function maskMessage(message: string): string {
  const unquoted = [
    ['"', '"'],
    ['“', '”'],
    ['«', '»'],
    ['「', '」'],
  ].reduce((text, [open, close]) => withoutQuotes(text, open!, close!), maskText(message));
  const masked = unquoted
    .replace(/(?<!\p{L})'.*'(?!\p{L})/gsu, `'${MASK}'`)
    .replace(WAYBILL, `$1 ${MASK}`)
    .replace(EMAIL, MASK)
    .replace(DIGITS, MASK);
  return showable(abridge(masked, MAX_TEXT), MAX_TEXT);
}

/** A path as far as its members are known; the rest was named by the caller, perhaps after a person. */
export function maskPath(path: string, known: ReadonlySet<string>): string {
  const parts = path === '' ? [] : path.split('.');
  const made = parts.findIndex((part) => !INDEX.test(part) && !known.has(part));
  return (made === -1 ? parts : [...parts.slice(0, made), MASK]).join('.');
}

interface Problem {
  path: string;
  message: string;
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  'message' in value &&
  typeof value.message === 'string';

/** The message of a 422 begins with the path of its first problem, which is masked as a path. */
function maskWhole(message: string, first: Problem | undefined, known: ReadonlySet<string>): string {
  const begin = first && `${first.path}: `;
  if (!first?.path || !begin || !message.startsWith(begin)) return maskMessage(message);
  return `${maskPath(first.path, known)}: ${maskMessage(message.slice(begin.length))}`;
}

/**
 * The error envelope with personal data removed: its code, its message and its first problems, and nothing else of it.
 *
 * @param known the names of members that paths may show
 */
export function maskError(
  envelope: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): MaskedError {
  const { code, message, errors } = envelope;
  const problems = (Array.isArray(errors) ? errors : []).filter(isProblem);
  return {
    code: String(code ?? ''),
    message: maskWhole(String(message ?? ''), problems[0], known),
    errors: problems
      .slice(0, MAX_PROBLEMS)
      .map((problem) => ({ path: maskPath(problem.path, known), message: maskMessage(problem.message) })),
  };
}
