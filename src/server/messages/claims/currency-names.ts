import { anyOf } from './any-of';

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
export const CODES_THAT_ARE_WORDS = new Set('ALL BAD BAN COP CUP GEL MAD MOP PEN SIT SOS TOP'.split(' '));

const NAMES = Object.keys(CURRENCIES_BY_NAME);
const isWord = (name: string) => /^[\p{L}\p{M}]+$/u.test(name);
/** Matches signs, such as `$` and `€`. */
export const SIGNS = anyOf(NAMES.filter((name) => /^\P{L}/u.test(name)));
/** A dollar sign with the letters of a country before it, such as `TT$`. */
export const PREFIXED_DOLLAR = '[a-z]{1,3}\\$';
/** Matches every name and sign of a currency. */
export const CURRENCY = `${anyOf(NAMES)}|${PREFIXED_DOLLAR}`;
/** Names that are words of other meaning before a number, such as "peso", which is Spanish for weight. */
const ONLY_AFTER_NUMBER = new Set(['franken', 'lei', 'leu', 'peso', 'pesos', 'rand']);
/** Like {@link CURRENCY}, without the names that count only after a number. */
export const CURRENCY_BEFORE_NUMBER = `${anyOf(NAMES.filter((name) => !ONLY_AFTER_NUMBER.has(name)))}|${PREFIXED_DOLLAR}`;
/** Matches currencies' names, but not signs such as `$`, beside numbers in words. */
export const CURRENCY_NAMES = anyOf(NAMES.filter(isWord));
/**
 * Chinese, Japanese and Korean names of currencies. Text may follow without a space, unless 元 begins another word (元旦) or 块
 * counts pieces.
 */
export const CJK_NAMES = `元(?![素旦宵])|块(?!\\p{L})|${anyOf(NAMES.filter((name) => /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u.test(name) && name !== '元' && name !== '块'))}`;

/** Returns the currencies that a sign or word may stand for. */
export function currenciesOf(name: string): readonly string[] {
  const currencies = CURRENCIES_BY_NAME[name.toLowerCase()];
  if (currencies || !name.endsWith('$')) return currencies ?? [];
  const prefix = name.slice(0, -1).toUpperCase();
  // TT$ is the dollar of Trinidad and Tobago, TTD. A prefix that stands for no currency is a currency of its own, not any.
  return [[prefix, `${prefix}D`].find((code) => CODES.has(code)) ?? name.toUpperCase()];
}

/** Returns the currency of an upper-case code or abbreviation; null if it stands for none. */
export function currencyOfCode(code: string): string | null {
  const currency = CURRENCY_BY_ABBREVIATION.get(code) ?? code;
  return CODES.has(currency) ? currency : null;
}
