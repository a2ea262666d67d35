import { normaliseOrderNumber } from '../../core/text/order-number';
import { normaliseTrackingNumber } from '../../core/text/text';

/** Shortest word that the trigram index finds; with one such word, the others may be shorter. */
export const SHORTEST_WORD = 3;

/** A parsed search text. Orders match if they have any of its numbers, or all of its words. */
export interface SearchText {
  /** In lower case, as the documents have them, without a leading #. */
  words: string[];
  /**
   * The order or tracking numbers, normalised but in the letter case as typed, if the text is a list of them or may be one number
   * that no document has as it was typed; otherwise empty.
   */
  numbers: string[];
  /** Whether the words should be searched for if no order has one of the numbers. */
  fallBackToWords: boolean;
}

/** Letters, digits and hyphens, as in order and tracking numbers. */
const NUMBER = /^[a-z0-9-]{1,40}$/i;

/** Returns whether a string can be an order or tracking number of at least `length` characters, with at least `digits` digits. */
const isNumber = (text: string, length: number, digits: number) =>
  text.length >= length && NUMBER.test(text) && text.replace(/\D/g, '').length >= digits;

/**
 * Parses a search text. Several order or tracking numbers, separated by spaces, lines, commas or semicolons, match orders that
 * have any of them. A single number may contain spaces. For any other text, all words must occur.
 */
export function readSearchText(text: string | undefined): SearchText {
  const typedWords = (text ?? '')
    .replaceAll('\u0000', '')
    .split(/[\s,;，；、]+/)
    .map((word) => word.replace(/^#/, ''))
    .filter((word) => word !== '');
  const words = typedWords.map((word) => word.toLowerCase());
  const numbers = typedWords.map(normaliseOrderNumber);
  if (words.length > 1 && numbers.every((number) => isNumber(number, 6, 3)))
    return { words, numbers, fallBackToWords: false };
  // One number that was written with spaces or with the decimals of a spreadsheet, such as "LX 1234 5678 9CN".
  const typedNumber = typedWords.join('');
  const number = normaliseOrderNumber(typedNumber);
  const isOtherwiseTyped = words.length > 1 || number !== typedNumber;
  return {
    words,
    numbers: isOtherwiseTyped && isNumber(number, 8, 6) ? [number] : [],
    fallBackToWords: true,
  };
}

/**
 * Returns a lower-case word in every mix of letter cases: `ab`, `aB`, `Ab` and `AB`. Only for words shorter than
 * {@link SHORTEST_WORD}, because each letter doubles them.
 */
export const caseVariantsOf = (word: string): string[] =>
  [...word].reduce<string[]>(
    (starts, letter) =>
      starts.flatMap((start) =>
        [...new Set([letter, letter.toUpperCase()])].map((spelling) => start + spelling),
      ),
    [''],
  );

/**
 * Returns the spellings under which these numbers may be stored: order numbers as they are, in lower and in upper case, tracking
 * numbers normalised.
 */
export function spellingsOf(numbers: readonly string[]): { receipts: string[]; trackingNumbers: string[] } {
  return {
    receipts: [...new Set(numbers.flatMap((number) => [number, number.toLowerCase(), number.toUpperCase()]))],
    trackingNumbers: [...new Set(numbers.map(normaliseTrackingNumber))],
  };
}
