import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';

/** The currencies that a sign or word may stand for. */
const CURRENCIES_BY_NAME: Record<string, readonly string[]> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN'],
  dollar: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  dollars: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  bucks: ['USD', 'CAD', 'AUD'],
  us$: ['USD'],
  ca$: ['CAD'],
  c$: ['CAD'],
  au$: ['AUD'],
  a$: ['AUD'],
  nz$: ['NZD'],
  hk$: ['HKD'],
  s$: ['SGD'],
  mx$: ['MXN'],
  '€': ['EUR'],
  euro: ['EUR'],
  euros: ['EUR'],
  '£': ['GBP'],
  pound: ['GBP'],
  pounds: ['GBP'],
  '¥': ['JPY', 'CNY'],
  元: ['CNY'],
  yen: ['JPY'],
  yuan: ['CNY'],
  rmb: ['CNY'],
  '₹': ['INR'],
  rupees: ['INR'],
  '₩': ['KRW'],
  '₺': ['TRY'],
  '₪': ['ILS'],
  zł: ['PLN'],
  quid: ['GBP'],
  dólar: ['USD'],
  dólares: ['USD'],
  libras: ['GBP'],
  livres: ['GBP'],
  pfund: ['GBP'],
  美元: ['USD'],
  美金: ['USD'],
  欧元: ['EUR'],
  英镑: ['GBP'],
  加元: ['CAD'],
  港币: ['HKD'],
  人民币: ['CNY'],
  日元: ['JPY'],
  块钱: ['CNY', 'USD'],
  块: ['CNY', 'USD'],
  kr: ['SEK', 'NOK', 'DKK'],
};
for (const code of 'USD CAD AUD NZD SGD HKD MXN EUR GBP JPY CNY INR KRW TRY ILS PLN SEK NOK DKK CHF CZK HUF THB PHP MYR IDR VND BRL ZAR'.split(
  ' ',
)) {
  CURRENCIES_BY_NAME[code.toLowerCase()] = [code];
}

const escapeDollars = (text: string) => text.replace(/[$]/g, '\\$&');
const toAlternation = (names: readonly string[]) =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map(escapeDollars)
    .join('|');
const CURRENCY = toAlternation(Object.keys(CURRENCIES_BY_NAME));
/** Matches currencies' names, but not signs such as `$`, beside numbers in words. */
export const CURRENCY_NAMES = toAlternation(
  Object.keys(CURRENCIES_BY_NAME).filter((name) => /^\p{L}+$/u.test(name)),
);
/** Chinese names of currencies. Text may follow without a space, unless 元 begins another word (元旦) or 块 counts pieces. */
const CHINESE_NAMES = '元(?![素旦宵])|块钱|块(?!\\p{L})|美元|美金|欧元|英镑|加元|港币|人民币|日元';
export const NUMBER = String.raw`(?<!\d)(?<!\d[.,'])(\d{1,3}(?:[ ,.'’]\d{3}){1,4}(?:[.,]\d{1,2})?(?!\d)|\d{1,15}(?:[.,]\d{1,4})?(?!\d))`;

const CURRENCY_FIRST = new RegExp(`(?<!\\p{L})(${CURRENCY})[ -]?${NUMBER}`, 'giu');
const CURRENCY_LAST = new RegExp(`${NUMBER}[ -]?(${CHINESE_NAMES}|(?:${CURRENCY})(?!\\p{L}))`, 'giu');
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

/** Returns the currencies that a sign or word may stand for. */
export const currenciesOf = (name: string): readonly string[] => CURRENCIES_BY_NAME[name.toLowerCase()] ?? [];

const FINDERS = [
  (text: string) =>
    findClaims(text, CURRENCY_FIRST, ([, name, number]) => amountClaim(number!, currenciesOf(name!))),
  (text: string) =>
    findClaims(text, CURRENCY_LAST, ([, number, name]) => amountClaim(number!, currenciesOf(name!))),
  // "100%" often just means "completely", so it is not a claim.
  (text: string) =>
    findClaims(text, PERCENT, ([, number]) => (number === '100' ? null : amountClaim(number!, ['%']))),
  (text: string) => findClaims(text, BARE_AMOUNT, ([, number]) => amountClaim(number!, [])),
];

/** Finds the amounts of money in the text, and percentages, which can promise money too. */
export function findAmounts(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
