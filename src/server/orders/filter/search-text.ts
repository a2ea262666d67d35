import { normaliseOrderNumber } from '../../core/text/order-number';
import { normaliseTrackingNumber } from '../../core/text/text';

/** The length of the shortest word that the trigram index finds; with one such word, the others may be shorter. */
export const MIN_WORD_LENGTH = 3;

/** A parsed search text. Orders match if they have any of its numbers, or all of its words. */
export interface SearchText {
  /** In lower case, as the documents have them, without a leading #. */
  words: string[];
  /**
   * The order or tracking numbers, normalised except for their letter case, if the text is a list of them or may be a single number
   * that was not typed as it is stored; otherwise empty.
   */
  numbers: string[];
  /** Whether the words should be searched for if no order has one of the numbers. */
  fallsBackToWords: boolean;
}

/** Letters, digits, hyphens, dots and underscores, as in order and tracking numbers. */
const NUMBER = /^[a-z0-9._-]{1,40}$/i;

/** Returns whether a string could be an order or tracking number with at least this many characters and digits. */
const mayBeNumber = (text: string, minLength: number, minDigits: number) =>
  text.length >= minLength && NUMBER.test(text) && text.replace(/\D/g, '').length >= minDigits;

/**
 * Parses the text of a search. Several order or tracking numbers, separated by spaces, line breaks, commas or semicolons, match orders
 * that have any of them. A single number may contain spaces. For any other text, all words must occur.
 */
export function readSearchText(text: string | undefined): SearchText {
  const typedWords = (text ?? '')
    .replaceAll('\u0000', '')
    .split(/[\s,;，；、]+/)
    .map((word) => word.replace(/^#+/, ''))
    .filter((word) => word !== '');
  const words = typedWords.map((word) => word.toLowerCase());
  const numbers = typedWords.map(normaliseOrderNumber);
  if (words.length > 1 && numbers.every((number) => mayBeNumber(number, 6, 3)))
    return { words, numbers, fallsBackToWords: false };
  // One number that was written with spaces or with a spreadsheet's trailing decimals, such as "LX 1234 5678 9CN".
  const typedNumber = typedWords.join('');
  const number = normaliseOrderNumber(typedNumber);
  const isTypedDifferently = words.length > 1 || number !== typedNumber;
  return {
    words,
    numbers: isTypedDifferently && mayBeNumber(number, 8, 6) ? [number] : [],
    fallsBackToWords: true,
  };
}

/**
 * Returns a lower-case word in every combination of upper and lower case: `ab`, `aB`, `Ab` and `AB`. Only for words shorter than
 * {@link MIN_WORD_LENGTH}, because each letter doubles the number of combinations.
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
 * Returns the spellings under which these numbers may be stored: order numbers with their letters as typed, in lower case and in
 * upper case; tracking numbers normalised.
 */
export function spellingsOf(numbers: readonly string[]): { receiptIds: string[]; trackingNumbers: string[] } {
  return {
    receiptIds: [
      ...new Set(numbers.flatMap((number) => [number, number.toLowerCase(), number.toUpperCase()])),
    ],
    trackingNumbers: [...new Set(numbers.map(normaliseTrackingNumber))],
  };
}
