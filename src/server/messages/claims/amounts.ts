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
  kr: ['SEK', 'NOK', 'DKK', 'ISK'],
  nt$: ['TWD'],
  r$: ['BRL'],
  j$: ['JMD'],
  u$: ['USD'],
  '₽': ['RUB'],
  '₱': ['PHP'],
  '฿': ['THB'],
  '₫': ['VND'],
  '₴': ['UAH'],
  '₦': ['NGN'],
  '₸': ['KZT'],
  '₼': ['AZN'],
  '₾': ['GEL'],
  '₵': ['GHS'],
  '₡': ['CRC'],
  '₲': ['PYG'],
  '₭': ['LAK'],
  '₮': ['MNT'],
  '៛': ['KHR'],
  rs: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  'rs.': ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  rupee: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  rp: ['IDR'],
  rupiah: ['IDR'],
  ringgit: ['MYR'],
  baht: ['THB'],
  dong: ['VND'],
  peso: ['MXN', 'PHP', 'ARS', 'CLP', 'COP'],
  pesos: ['MXN', 'PHP', 'ARS', 'CLP', 'COP'],
  reais: ['BRL'],
  rand: ['ZAR'],
  franc: ['CHF', 'XOF', 'XAF', 'XPF'],
  francs: ['CHF', 'XOF', 'XAF', 'XPF'],
  franken: ['CHF'],
  sfr: ['CHF'],
  'sfr.': ['CHF'],
  kč: ['CZK'],
  korun: ['CZK'],
  forint: ['HUF'],
  zl: ['PLN'],
  zloty: ['PLN'],
  złoty: ['PLN'],
  złotych: ['PLN'],
  leu: ['RON', 'MDL'],
  lei: ['RON', 'MDL'],
  лв: ['BGN'],
  руб: ['RUB'],
  рубль: ['RUB'],
  рубля: ['RUB'],
  рублей: ['RUB'],
  ruble: ['RUB'],
  rubles: ['RUB'],
  грн: ['UAH'],
  гривень: ['UAH'],
  hryvnia: ['UAH'],
  krona: ['SEK', 'ISK'],
  kronor: ['SEK'],
  krone: ['NOK', 'DKK'],
  kroner: ['NOK', 'DKK'],
  lira: ['TRY'],
  liras: ['TRY'],
  shekel: ['ILS'],
  shekels: ['ILS'],
  dirham: ['AED', 'MAD'],
  dirhams: ['AED', 'MAD'],
  riyal: ['SAR', 'QAR', 'OMR', 'YER'],
  riyals: ['SAR', 'QAR', 'OMR', 'YER'],
  dinar: ['KWD', 'BHD', 'JOD', 'RSD', 'TND', 'DZD', 'IQD'],
  dinars: ['KWD', 'BHD', 'JOD', 'RSD', 'TND', 'DZD', 'IQD'],
  درهم: ['AED', 'MAD'],
  ريال: ['SAR', 'QAR', 'OMR', 'YER'],
  港元: ['HKD'],
  澳元: ['AUD'],
  澳币: ['AUD'],
  加币: ['CAD'],
  新元: ['SGD'],
  新币: ['SGD'],
  新西兰元: ['NZD'],
  新台币: ['TWD'],
  台币: ['TWD'],
  日圆: ['JPY'],
  日币: ['JPY'],
  韩元: ['KRW'],
  韩币: ['KRW'],
  卢布: ['RUB'],
  卢比: ['INR', 'PKR', 'LKR', 'NPR', 'MUR'],
  泰铢: ['THB'],
  瑞郎: ['CHF'],
  瑞士法郎: ['CHF'],
  円: ['JPY'],
  ドル: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  ユーロ: ['EUR'],
  ポンド: ['GBP'],
  원: ['KRW'],
  달러: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD'],
  유로: ['EUR'],
};
// Of these codes, lower-case letters count too.
for (const code of 'USD CAD AUD NZD SGD HKD MXN EUR GBP JPY CNY INR KRW TRY ILS PLN SEK NOK DKK CHF CZK HUF THB PHP MYR IDR VND BRL ZAR'.split(
  ' ',
)) {
  CURRENCIES_BY_NAME[code.toLowerCase()] = [code];
}

/** Every ISO 4217 code of money. The codes that begin with X are mostly metals and units of account. */
const CODES = new Set(Intl.supportedValuesOf('currency').filter((code) => !/^X(?!AF|CD|OF|PF)/.test(code)));
/** Abbreviations that count in upper case only, like codes. */
const CURRENCY_BY_ABBREVIATION = new Map([
  ['RM', 'MYR'],
  ['TL', 'TRY'],
]);
/** Codes that are English words. "ALL 3 stickers" names no amount, so they count only after a number. */
const WORDS = new Set('ALL BAD BAN COP CUP GEL MAD MOP PEN SIT SOS TOP'.split(' '));

const escapeSigns = (text: string) => text.replace(/[$.]/g, '\\$&');
const toAlternation = (names: readonly string[]) =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map(escapeSigns)
    .join('|');
const NAMES = Object.keys(CURRENCIES_BY_NAME);
const isWord = (name: string) => /^[\p{L}\p{M}]+$/u.test(name);
const SIGNS = toAlternation(NAMES.filter((name) => /^\P{L}/u.test(name)));
/** A dollar sign with the letters of a country before it, such as `TT$`. */
const PREFIXED_DOLLAR = '[a-z]{1,3}\\$';
const CURRENCY = `${toAlternation(NAMES)}|${PREFIXED_DOLLAR}`;
/** Names that are words of other meaning before a number, such as "peso", which is Spanish for weight. */
const ONLY_AFTER_NUMBER = new Set(['franken', 'lei', 'leu', 'peso', 'pesos', 'rand']);
const CURRENCY_BEFORE_NUMBER = `${toAlternation(NAMES.filter((name) => !ONLY_AFTER_NUMBER.has(name)))}|${PREFIXED_DOLLAR}`;
/** Matches currencies' names, but not signs such as `$`, beside numbers in words. */
export const CURRENCY_NAMES = toAlternation(NAMES.filter(isWord));
/**
 * Chinese, Japanese and Korean names of currencies. Text may follow without a space, unless 元 begins another word (元旦) or 块
 * counts pieces.
 */
export const CJK_NAMES = `元(?![素旦宵])|块(?!\\p{L})|${toAlternation(NAMES.filter((name) => /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u.test(name) && name !== '元' && name !== '块'))}`;
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

/** Returns the currencies that a sign or word may stand for. */
export function currenciesOf(name: string): readonly string[] {
  const currencies = CURRENCIES_BY_NAME[name.toLowerCase()];
  if (currencies || !name.endsWith('$')) return currencies ?? [];
  const prefix = name.slice(0, -1).toUpperCase();
  // TT$ is the dollar of Trinidad and Tobago, TTD. A prefix that stands for no currency is a currency of its own, not any.
  return [[prefix, `${prefix}D`].find((code) => CODES.has(code)) ?? name.toUpperCase()];
}

function codeClaim(code: string, number: string): MatchedClaim[] | null {
  const currency = CURRENCY_BY_ABBREVIATION.get(code) ?? code;
  return CODES.has(currency) ? amountClaim(number, [currency]) : null;
}

const FINDERS = [
  (text: string) =>
    findClaims(text, CURRENCY_FIRST, ([, name, number]) => amountClaim(number!, currenciesOf(name!))),
  (text: string) =>
    findClaims(text, CURRENCY_LAST, ([, number, name]) => amountClaim(number!, currenciesOf(name!))),
  (text: string) =>
    findClaims(text, CODE_FIRST, ([, code, number]) => (WORDS.has(code!) ? null : codeClaim(code!, number!))),
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
