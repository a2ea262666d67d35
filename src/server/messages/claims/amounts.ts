import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';
import {
  CJK_NAMES,
  CODES_THAT_ARE_WORDS,
  CURRENCY,
  CURRENCY_BEFORE_NUMBER,
  currenciesOf,
  currencyOfCode,
  PREFIXED_DOLLAR,
  SIGNS,
} from './currency-names';

export const NUMBER = String.raw`(?<!\d)(?<!\d[.,'])(\d{1,3}(?:[ ,.'’]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,15}(?:[.,]\d{1,4})?(?!\d))`;

const CURRENCY_FIRST = new RegExp(
  `((?<!\\p{Script=Latin})(?:${PREFIXED_DOLLAR})|(?<!\\p{L})(?:${CURRENCY_BEFORE_NUMBER})|${SIGNS})[ -]?${NUMBER}`,
  'giu',
);
const CURRENCY_LAST = new RegExp(`${NUMBER}[ -]?(${CJK_NAMES}|(?:${CURRENCY})(?!\\p{L}))`, 'giu');
const CODE_FIRST = new RegExp(
  `(?<![\\p{Script=Latin}\\d-])([A-Z]{2,3}) ?${NUMBER}(?![\\d-]*\\p{Script=Latin})`,
  'gu',
);
const CODE_LAST = new RegExp(`${NUMBER} ?([A-Z]{2,3})(?![\\p{Script=Latin}\\d-])`, 'gu');
const PERCENT = new RegExp(`${NUMBER} ?%`, 'gu');
/** A number with two decimals is money unless a unit follows, or a word such as "am" that makes it a time of day. */
const BARE_AMOUNT =
  /(?<!\d)(?<!\d[.,'])(\d{1,3}(?:[,.'’]\d{3}){0,4}[.,]\d{2}|\d{1,12}[.,]\d{2})(?![\d.,]*\d)(?!\s?(?:mm|cm|km|m|in|inch|inches|ft|kg|g|mg|lbs?|oz|ml|l|h|hrs?|hours?|am|pm|a\.m|p\.m|uhr|x|")(?!\p{L}))/giu;

/** Returns the possible values of digits with separators, as plain decimal text. */
function possibleNumbers(text: string): string[] {
  const compactText = text.replace(/[ '’]/g, '');
  const separators = compactText.match(/[.,]/g) ?? [];
  const lastSeparator = separators.at(-1);
  if (lastSeparator === undefined) return [toPlainDecimal(compactText, '')];
  const separatorIndex = compactText.lastIndexOf(lastSeparator);
  const [whole, lastDigits] = [
    compactText.slice(0, separatorIndex).replace(/[.,]/g, ''),
    compactText.slice(separatorIndex + 1),
  ];
  const groupedNumber = toPlainDecimal(whole + lastDigits, '');
  if (separators.length > 1 && separators.every((separator) => separator === lastSeparator))
    return [groupedNumber];
  const decimalNumber = toPlainDecimal(whole, lastDigits);
  return separators.length === 1 && lastDigits.length === 3
    ? [groupedNumber, decimalNumber]
    : [decimalNumber];
}

function toPlainDecimal(whole: string, fraction: string): string {
  const decimals = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals ? `.${decimals}` : ''}`;
}

/** Returns the most likely value of digits with separators, as decimal text. */
export const likelyNumber = (text: string): string => possibleNumbers(text)[0]!;

/**
 * Returns the claim for an amount in one of these currencies. An empty list means that the text names none. In a key, `?` stands
 * for an amount without a currency, and `*` for an amount in any currency or none.
 */
export function amountClaim(number: string, currencies: readonly string[]): MatchedClaim[] {
  const values = possibleNumbers(number);
  const keysWithCurrency = values.flatMap((value) => currencies.map((currency) => `${value} ${currency}`));
  const confirmedBy =
    currencies.length > 0
      ? [...keysWithCurrency, ...values.map((value) => `${value} ?`)]
      : values.map((value) => `${value} *`);
  const confirms = [
    ...(currencies.length > 0 ? keysWithCurrency : values.map((value) => `${value} ?`)),
    ...values.map((value) => `${value} *`),
  ];
  return [{ kind: 'amount', confirmedBy, confirms }];
}

/** Returns the keys that a stored amount confirms. */
export function amountKeys(amount: string, currency: string | undefined): readonly string[] {
  return amountClaim(amount, currency ? [currency.toUpperCase()] : []).flatMap((claim) => claim.confirms);
}

function codeClaim(code: string, number: string): MatchedClaim[] | null {
  const currency = currencyOfCode(code);
  return currency === null ? null : amountClaim(number, [currency]);
}

const FINDERS = [
  (text: string) =>
    findClaims(text, CURRENCY_FIRST, ([, name, number]) => amountClaim(number!, currenciesOf(name!))),
  (text: string) =>
    findClaims(text, CURRENCY_LAST, ([, number, name]) => amountClaim(number!, currenciesOf(name!))),
  (text: string) =>
    findClaims(text, CODE_FIRST, ([, code, number]) =>
      CODES_THAT_ARE_WORDS.has(code!) ? null : codeClaim(code!, number!),
    ),
  (text: string) => findClaims(text, CODE_LAST, ([, number, code]) => codeClaim(code!, number!)),
  // "100%" often just means "completely", so it is not a claim.
  (text: string) =>
    findClaims(text, PERCENT, ([, number]) => (number === '100' ? null : amountClaim(number!, ['%']))),
  (text: string) => findClaims(text, BARE_AMOUNT, ([, number]) => amountClaim(number!, [])),
];

/** Finds the amounts of money in the text, and percentages, which can promise money too. */
export function findAmounts(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
