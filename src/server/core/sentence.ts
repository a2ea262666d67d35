import type { Reason, ReasonKey, Value } from './reason';
import { REASONS } from './reasons';
import { abridge } from './text';

/** The sentences by their keys. */
const SENTENCES = new Map<string, string>(
  Object.entries(REASONS).flatMap(([group, sentences]) =>
    Object.entries(sentences).map(([name, sentence]) => [`${group}.${name}`, sentence] as const),
  ),
);

/** How much of a sentence is said, in characters: it may quote what was sent. */
const LONGEST_SENTENCE = 1_000;

/** `a, b or c`. */
const ALTERNATIVES = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Every key of the table. */
export const REASON_KEYS = [...SENTENCES.keys()] as ReasonKey[];

function textOf(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === undefined) return '';
  return 'reason' in value ? sentenceOf(value) : ALTERNATIVES.format(value.map(textOf));
}

/**
 * The English sentence of a reason, at most 1,000 characters of it. A key that the table does not have, which only a stored reason
 * of another version can carry, stands for itself.
 */
export function sentenceOf({ reason, values }: Reason): string {
  const sentence = SENTENCES.get(reason) ?? reason;
  const text = sentence.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name]));
  return abridge(text, LONGEST_SENTENCE);
}
