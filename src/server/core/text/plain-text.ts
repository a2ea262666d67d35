const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}]`;
const INVISIBLE_CHARACTERS = new RegExp(INVISIBLE, 'gu');
/**
 * Splits a text into parts that can be normalised one by one: ASCII without combining marks, invisible characters, and any other
 * character with its combining marks, even if invisible characters stand before these.
 */
const PARTS = new RegExp(
  `[\\0-\\x7f]+(?=[\\0-\\x7f]|$)|${INVISIBLE}+|.(?:${INVISIBLE}*(?!${INVISIBLE})\\p{M})*`,
  'gsu',
);

/** The zeros of the most common digits that NFKC does not change. The nine code points after each are 1 to 9. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0x0ed0,
];

function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0)!;
  const zeroCodePoint = ZEROS.find((candidate) => codePoint >= candidate && codePoint <= candidate + 9);
  return zeroCodePoint === undefined ? digit : String(codePoint - zeroCodePoint);
}

/** Characters that are typeset in place of ASCII's hyphen: hyphen, no-break hyphen, minus sign. */
export const HYPHENS = '\u2010\u2011\u2212';
/** Figure dash, en dash, em dash and horizontal bar. */
export const LONG_DASHES = '\u2012-\u2015';

const ANY_DASH = `[-${HYPHENS}${LONG_DASHES}]`;
/**
 * Dashes that join the parts of a number, as in 2026–03–03 or AB–12345. Between words, a dash is punctuation, and between two numbers
 * of one or two digits it means a range, as in 09–12.
 */
const DASH_IN_NUMBER = new RegExp(
  [
    `[${HYPHENS}]`,
    `(?<=\\d{3}|\\d${ANY_DASH}\\d{1,2})[${LONG_DASHES}](?=\\d)`,
    `(?<=\\d)[${LONG_DASHES}](?=\\d{3}|\\d{1,2}${ANY_DASH}\\d)`,
    '(?<=[A-Z])[\u2012\u2013](?=[A-Z]{0,8}\\d)',
    '(?<=\\d)[\u2012\u2013](?=[A-Z]{1,8}\\d)',
  ].join('|'),
  'g',
);

const toPlainPart = (part: string) =>
  part
    .replace(INVISIBLE_CHARACTERS, '')
    .normalize('NFKC')
    .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit);

/**
 * Normalises text: removes invisible characters, and replaces full-width letters, unusual spaces, typographic hyphens, dashes in
 * numbers, and common digits of other scripts with ASCII.
 */
export const toPlainText = (text: string): string =>
  text.replace(PARTS, toPlainPart).replace(DASH_IN_NUMBER, '-');

/** Returns a function that returns where a part of `toPlainText(text)`, which must not be empty, is in the text as written. */
export function createPlainTextMap(
  text: string,
): (start: number, end: number) => [start: number, end: number] {
  const starts: number[] = [];
  const ends: number[] = [];
  // Replacing dashes moves nothing, so the parts are as long as in the plain text.
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    const plainPart = toPlainPart(part);
    for (let offset = 0; offset < plainPart.length; offset++) {
      starts.push(index + (plainPart === part ? offset : 0));
      ends.push(index + (plainPart === part ? offset + 1 : part.length));
    }
  }
  return (start, end) => [starts[start]!, ends[end - 1]!];
}
