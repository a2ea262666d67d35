import { truncate } from '../text/text';
import type { Reason, ReasonKey, ReasonValue } from './reason';
import { REASONS } from './reasons';

/** The sentences by key. */
const SENTENCES = new Map<string, string>(
  Object.entries(REASONS).flatMap(([group, sentences]) =>
    Object.entries(sentences).map(([name, sentence]) => [`${group}.${name}`, sentence] as const),
  ),
);

/** The maximum length of a sentence, which may quote what was sent. */
const MAX_SENTENCE_LENGTH = 1_000;

let alternativesFormat: Intl.ListFormat | undefined;

/**
 * Returns alternatives as `a, b or c`. The format is created on the first call, because that takes a tenth of a command's start-up
 * time.
 */
function alternativesText(alternatives: readonly string[]): string {
  alternativesFormat ??= new Intl.ListFormat('en-GB', { type: 'disjunction' });
  return alternativesFormat.format(alternatives);
}

/** Every key of the reasons table. */
export const REASON_KEYS = [...SENTENCES.keys()] as ReasonKey[];

function textOf(value: ReasonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value === undefined) return '';
  return 'reason' in value ? sentenceOf(value) : alternativesText(value.map(textOf));
}

/**
 * Returns the English sentence of a reason, cut to 1,000 characters. Returns the key itself if the table does not have it,
 * which happens only with a reason stored by another version.
 */
export function sentenceOf({ reason, values }: Reason): string {
  const sentence = SENTENCES.get(reason) ?? reason;
  const text = sentence.replace(/\{(\w+)\}/g, (_, name: string) => textOf(values[name]));
  return truncate(text, MAX_SENTENCE_LENGTH);
}
