import { createReason, type Reason } from '../errors/reason';

/** The absolute value of an amount must be smaller than this, which is well within numeric(19,4). */
const MONEY_LIMIT = 1e12;

const PLAIN_DIGITS = String.raw`\d+`;
// The first group never begins with a zero: `0,123` is a decimal comma, not 123.
const WESTERN_DIGITS = String.raw`[1-9]\d{0,2}(?:,\d{3})+`;
const INDIAN_DIGITS = String.raw`[1-9]\d?(?:,\d{2})*,\d{3}`;
const DIGITS = `(?:${WESTERN_DIGITS}|${INDIAN_DIGITS}|${PLAIN_DIGITS})`;
const CURRENCY_MARK = String.raw`(?:\p{Sc}|\p{L}{1,3}\p{Sc}?\.?)`;

/** The lookahead requires digits between the leading and the trailing spaces, so that matching takes linear time. */
const AMOUNT = new RegExp(
  `^(?<minus>-)?\\s*(?:${CURRENCY_MARK}\\s*(?:(?<innerMinus>-)\\s*)?)?(?=\\.?\\d)(?<whole>${DIGITS})?(?:\\.(?<fraction>\\d+))?\\s*(?:${CURRENCY_MARK})?$`,
  'u',
);

export type ParsedMoney = { amount: string } | { problem: Reason };

const TOO_LARGE: ParsedMoney = { problem: createReason('cell.tooLarge') };

/**
 * Reads an amount (docs/orders.md): an optional minus sign, digits with an optional currency sign or letters, well-formed
 * thousands separators (western or Indian commas), and up to four decimals, which stay exact. A number, which arrived as a float,
 * is rounded to cents, half away from zero.
 *
 * @returns the amount as plain decimal text such as `-1234.5`, or what is wrong with it
 */
export function readMoney(cell: string | number): ParsedMoney {
  if (typeof cell === 'number') return readNumber(cell);
  const match = AMOUNT.exec(cell.trim());
  if (!match?.groups || (match.groups.minus && match.groups.innerMinus)) {
    return { problem: createReason('cell.amountSuchAs') };
  }
  const { minus, innerMinus, whole = '0', fraction = '' } = match.groups;
  if (/[1-9]/.test(fraction.slice(4))) return { problem: createReason('cell.decimals') };
  return toParsedMoney(minus ?? innerMinus ?? '', whole.replaceAll(',', ''), fraction.slice(0, 4));
}

function readNumber(value: number): ParsedMoney {
  if (!Number.isFinite(value)) return { problem: createReason('cell.finite') };
  if (Math.abs(value) >= MONEY_LIMIT) return TOO_LARGE;
  const text = String(Math.abs(value));
  // JavaScript writes numbers below a millionth with an exponent; they are zero cents.
  if (text.includes('e')) return { amount: '0' };
  const [whole = '0', fraction = ''] = text.split('.');
  const cents =
    BigInt(whole) * 100n +
    BigInt(fraction.slice(0, 2).padEnd(2, '0')) +
    ((fraction[2] ?? '0') >= '5' ? 1n : 0n);
  return toParsedMoney(value < 0 ? '-' : '', String(cents / 100n), String(cents % 100n).padStart(2, '0'));
}

function toParsedMoney(minus: string, whole: string, fraction: string): ParsedMoney {
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length > 12) return TOO_LARGE;
  const decimals = fraction.replace(/0+$/, '');
  const amount = decimals ? `${digits}.${decimals}` : digits;
  return { amount: amount === '0' ? '0' : minus + amount };
}
