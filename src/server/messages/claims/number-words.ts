import { anyOf } from './any-of';

const ENGLISH_BELOW_TWENTY =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
/** The numbers below twenty, in order. A dot stands for a number that is left out; the French list ends early. */
const BELOW_TWENTY = [
  ENGLISH_BELOW_TWENTY,
  '. . zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  '. . deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
  '. . dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve',
];
/** The tens, from twenty. */
const TENS = [
  'twenty thirty forty fifty sixty seventy eighty ninety',
  'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  'vingt trente quarante cinquante soixante',
  'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
];

/**
 * Number words in the languages that replies use most. Leaves out words that also mean "a" (ein, un) and numbers that are built
 * differently from English ones, such as quatre-vingts. German compounds such as fünfundzwanzig are added below.
 */
const VALUES_BY_WORD = new Map<string, number>([
  ['hundred', 100],
  ['hundert', 100],
  ['cent', 100],
  ['cien', 100],
  ['thousand', 1_000],
  ['tausend', 1_000],
  ['mille', 1_000],
  ['mil', 1_000],
]);
for (const line of BELOW_TWENTY)
  for (const [value, word] of line.split(' ').entries()) if (word !== '.') VALUES_BY_WORD.set(word, value);
for (const line of TENS)
  for (const [index, word] of line.split(' ').entries()) VALUES_BY_WORD.set(word, 20 + 10 * index);
const GERMAN_ONES = ['ein', ...BELOW_TWENTY[1]!.split(' ').slice(2, 10)];
const GERMAN_TENS = TENS[1]!.split(' ');
/** German numbers such as fünfundzwanzig. As 72 words they would be half of every pattern with numbers in words. */
const GERMAN_COMPOUND = `${anyOf(GERMAN_ONES)}und${anyOf(GERMAN_TENS)}`;
const SINGLE_NUMBER_WORD = `(?:${GERMAN_COMPOUND}|${anyOf(VALUES_BY_WORD.keys())})`;
for (const [tensIndex, ten] of GERMAN_TENS.entries())
  for (const [onesIndex, one] of GERMAN_ONES.entries())
    VALUES_BY_WORD.set(`${one}und${ten}`, 20 + 10 * tensIndex + onesIndex + 1);

/** Matches a number in words, such as "one hundred and twenty-five". `parseWordNumber` returns its value. */
export const WORD_NUMBER = `(?<!\\p{L})${SINGLE_NUMBER_WORD}(?:(?:\\s|-)(?:(?:and|et|y)\\s)?${SINGLE_NUMBER_WORD}){0,6}(?!\\p{L})`;

/** Returns the value of a match of WORD_NUMBER. */
export function parseWordNumber(text: string): number {
  let [total, section] = [0, 0];
  for (const word of text.toLowerCase().split(/[\s-]+/)) {
    const value = VALUES_BY_WORD.get(word);
    if (value === undefined) continue;
    if (value === 1_000) {
      total += Math.max(1, section) * value;
      section = 0;
    } else section = value === 100 ? Math.max(1, section) * value : section + value;
  }
  return total + section;
}

const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1_000 };

/** Matches a Chinese number, such as 一百二十. `parseHanNumber` returns its value. */
export const HAN_NUMBER = '[〇零一二两三四五六七八九十百千万]{1,12}';

/**
 * Returns the value of digits without units. They are positional, as in 二〇〇 and 二〇二六. Two digits without a zero, as in
 * 两三 (two or three), mean one or the other; the second one is returned.
 */
function parseHanDigits(text: string): number {
  const digits = [...text].map((digit) => HAN_DIGITS.indexOf(digit));
  return digits.length > 2 || digits.includes(0) ? Number(digits.join('')) : digits.at(-1)!;
}

/** Returns the value of a match of HAN_NUMBER. */
export function parseHanNumber(text: string): number {
  let [total, section, digit] = [0, 0, 0];
  const normalText = text.replaceAll('零', '〇').replaceAll('两', '二');
  for (const part of normalText.match(/[十百千万]|[^十百千万]+/g) ?? []) {
    const unit = HAN_UNITS[part];
    if (part === '万') {
      total += (section + digit || 1) * 10_000;
      [section, digit] = [0, 0];
    } else if (unit) {
      section += (digit || 1) * unit;
      digit = 0;
    } else digit = parseHanDigits(part);
  }
  return total + section + digit;
}
