import { createPlainTextMap, toPlainText } from '../../../server/core/text/plain-text';
import type { Warning } from '../../../server/messages/warning';

/** A piece of a text, and whether it is marked. */
export interface TextPart {
  text: string;
  isMarked: boolean;
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The end of a value that was too long to be stored whole. */
const ELLIPSIS = /…$/;

/** Returns whether a plain text contains a value, however the value's spaces, digits and letters are encoded. */
const containsValue = (plainText: string, value: string) =>
  plainText.includes(toPlainText(value.replace(ELLIPSIS, '')));

function stillHolds({ value, reason }: Warning, plainText: string): boolean {
  switch (reason) {
    case 'unconfirmed':
      return containsValue(plainText, value);
    case 'lost':
      return !containsValue(plainText, value);
    case 'no_order':
    case 'other_buyer':
      return true;
  }
}

/** Returns the warnings that still hold for a text that has been edited since. */
export function warningsThatHold(warnings: readonly Warning[], text: string): Warning[] {
  const plainText = toPlainText(text);
  return warnings.filter((warning) => stillHolds(warning, plainText));
}

const toPattern = (value: string) =>
  escapeRegExp(toPlainText(value.replace(ELLIPSIS, ''))) + (ELLIPSIS.test(value) ? '\\S*' : '');

/**
 * Splits a text at the values that it contains; if two start at the same position, the longer one wins. The values are found in the
 * plain text, because those of older replies were stored in that form.
 */
export function markParts(text: string, values: readonly string[]): TextPart[] {
  const patterns = [...new Set(values.map(toPattern))]
    .filter((pattern) => pattern !== '')
    .sort((a, b) => b.length - a.length);
  if (patterns.length === 0) return [{ text, isMarked: false }];
  const toRange = createPlainTextMap(text);
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: match, index } of toPlainText(text).matchAll(new RegExp(patterns.join('|'), 'gu'))) {
    const [matchStart, matchEnd] = toRange(index, index + match.length);
    parts.push({ text: text.slice(end, matchStart), isMarked: false });
    parts.push({ text: text.slice(Math.max(end, matchStart), matchEnd), isMarked: true });
    end = matchEnd;
  }
  return [...parts, { text: text.slice(end), isMarked: false }].filter((part) => part.text !== '');
}
