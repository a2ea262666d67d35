import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';

type NumberKind = 'order_number' | 'tracking_number';

const TOKEN = '[A-Z0-9]{1,60}(?:-[A-Z0-9]{1,60}){0,5}';
const END = '(?![A-Z0-9])';

/** A number with a label in the text: "order no. 1001", "tracking number is LX123456789CN". */
const LABELLED_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(orders?|receipt|tracking|waybill|consignment|shipment|parcel|package)((?:\\s(?:number|numbers|no\\.?|nr\\.?|id|code|reference|ref\\.?))?(?:\\s(?:is|was))?\\s?[:=#]{0,2}\\s?#?)\\s?(${TOKEN})${END}`,
  'giu',
);
const HASH_PREFIXED_NUMBER = new RegExp(`#\\s?(${TOKEN})${END}`, 'gi');
/** The Universal Postal Union's format, and several groups of four digits. Both formats are often written with spaces. */
const SPACED_NUMBER =
  /(?<![A-Z0-9])(?:[A-Z]{2}(?: ?\d){9} ?[A-Z]{2}|\d{4}(?: \d{4}){2,7}(?: \d{1,4})?)(?![A-Z0-9])/gi;
const BARE_NUMBER = new RegExp(`(?<![A-Z0-9-])${TOKEN}${END}`, 'gi');

/**
 * The minimum number of digits of a number that directly follows its label ("order 1001"), and of a number that
 * {@link findNumberKeys} returns.
 */
const MIN_DIGITS = 4;

/** Normalises a number, so that it can be compared with others. */
export function numberKey(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

const countDigits = (text: string) => text.replace(/\D/g, '').length;

/**
 * Returns the claim for a number. The order's facts confirm a labelled number only if they have it as the kind that its label
 * says, and any other number as either kind. A text that states the number confirms it in any case.
 */
function numberClaim(kind: NumberKind, number: string, isLabelled: boolean): MatchedClaim[] {
  const key = numberKey(number);
  const kinds = isLabelled ? [kind] : ['order_number', 'tracking_number'];
  const confirmedBy = ['text', ...kinds].map((source) => `${source} ${key}`);
  return [{ kind, value: number, confirmedBy, confirms: [`text ${key}`] }];
}

/** Returns the kind of number that an unlabelled number looks like, or null if it may be anything. */
function guessKind(number: string): NumberKind | null {
  const { length } = numberKey(number);
  const digitCount = countDigits(number);
  if (digitCount === length) return length >= 12 ? 'tracking_number' : length >= 7 ? 'order_number' : null;
  return length >= 8 && digitCount >= 5 ? 'tracking_number' : null;
}

const FINDERS = [
  (text: string) =>
    findClaims(text, SPACED_NUMBER, ([number]) => numberClaim('tracking_number', number!, false)),
  (text: string) =>
    findClaims(text, LABELLED_NUMBER, ([, label, separator, number]) => {
      // "order 2 more" contains no order number.
      const minDigits = /\S/.test(separator!) ? 1 : MIN_DIGITS;
      if (countDigits(number!) < minDigits) return null;
      return numberClaim(
        /^(order|receipt)/i.test(label!) ? 'order_number' : 'tracking_number',
        number!,
        true,
      );
    }),
  (text: string) =>
    findClaims(text, HASH_PREFIXED_NUMBER, ([, number]) =>
      countDigits(number!) >= 3 ? numberClaim('order_number', number!, false) : null,
    ),
  (text: string) =>
    findClaims(text, BARE_NUMBER, ([number]) => {
      const kind = guessKind(number!);
      return kind === null ? null : numberClaim(kind, number!, false);
    }),
];

/** Finds the order and tracking numbers in the text. */
export function findNumbers(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}

/**
 * Returns the keys of all numbers in the text with at least {@link MIN_DIGITS} digits, because each may be an order or tracking
 * number even if `findNumbers` does not find it.
 */
export function findNumberKeys(text: string): string[] {
  return [...text.matchAll(SPACED_NUMBER), ...text.matchAll(BARE_NUMBER)]
    .map(([number]) => number)
    .filter((number) => countDigits(number) >= MIN_DIGITS)
    .map((number) => `text ${numberKey(number)}`);
}
