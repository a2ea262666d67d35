import { applyFinders, type ExtractedClaims, findClaims, type MatchedClaim } from './claim';
import { numberKey } from './numbers';

const END = String.raw`(?![\p{L}\p{N}]|[-./]\d)`;
const START = String.raw`(?<![\p{L}\p{N}]|\d[-./ ])`;
/** What may stand between two digits, as in `+1 (212) 555-0123`. */
const DIGIT_SEPARATOR = String.raw`(?:\.|[\s()\-/]{0,3})`;

/** Numbers with a country code. */
const INTERNATIONAL_NUMBER = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}])\+\s?|(?<![\p{L}\p{N}]|\d[-./ ])00)\(?\d(?:${DIGIT_SEPARATOR}\d){6,14}${END}`,
  'gu',
);
/** Numbers with the area code in brackets. */
const BRACKETED_NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\(\d{2,5}\)[\s.\-]?\d{2,5}(?:[\s.\-]?\d{2,5}){0,3}${END}`,
  'gu',
);
/** Numbers in the North American format. */
const AMERICAN_NUMBER = new RegExp(String.raw`${START}(?:1[-. ])?\d{3}([-. ])\d{3}\1\d{4}${END}`, 'gu');
/** Numbers in European formats, which begin with a zero and the area code, but not the middle of a span of hours: 08:00-12:00. */
const EUROPEAN_NUMBER = new RegExp(
  String.raw`${START}(?!0\d-\d{1,2}:\d{2})0\d{1,4}[ /-]\d{2,8}(?:[ -]\d{2,8}){0,4}${END}`,
  'gu',
);
/** Chinese mobile numbers. */
const CHINESE_NUMBER = new RegExp(
  String.raw`${START}1[3-9]\d(?:\d{8}| \d{4} \d{4}|-\d{4}-\d{4})${END}`,
  'gu',
);
/** Any number that the text itself calls a phone number. */
const LABELLED_NUMBER = new RegExp(
  String.raw`(?<=(?:(?<!\p{L})(?:call|phone|phone number|telephone|tel|mobile|cell|text|sms|fax|ring|dial|hotline|telefon|anrufen|handy|téléphone|teléfono|móvil|llame)(?:\s(?:me|us|at|on|to|is|number|no|under|unter|au|al|nr)){0,3}|电话|手机号?|致电|拨打|来电|联系方式)[\s.:：#]{0,3})\(?\d(?:${DIGIT_SEPARATOR}\d){5,14}${END}`,
  'giu',
);
const DIGIT_WORD = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)';
const SPELLED_OUT_NUMBER = new RegExp(
  `(?<!\\p{L})${DIGIT_WORD}(?:[\\s,-]{1,2}${DIGIT_WORD}){6,19}(?!\\p{L})`,
  'giu',
);

/** The number of final digits that identify a subscriber. Formats differ only before them, for example in the country code. */
const SUBSCRIBER_DIGIT_COUNT = 9;

function phoneClaim(number: string, isBare: boolean): MatchedClaim[] | null {
  const digits = number.replace(/\D/g, '');
  if (digits.length > 17) return null;
  const key =
    digits === '' ? number.toLowerCase().replace(/[\s,-]+/g, ' ') : digits.slice(-SUBSCRIBER_DIGIT_COUNT);
  // Digits alone may also be an order or tracking number.
  const numberSources = isBare ? ['order_number', 'tracking_number', 'text'] : [];
  const numberKeys = numberSources.map((source) => `${source} ${numberKey(number)}`);
  return [{ kind: 'phone_number', confirmedBy: [`phone ${key}`, ...numberKeys], confirms: [`phone ${key}`] }];
}

const FINDERS = [
  INTERNATIONAL_NUMBER,
  BRACKETED_NUMBER,
  LABELLED_NUMBER,
  AMERICAN_NUMBER,
  CHINESE_NUMBER,
  EUROPEAN_NUMBER,
  SPELLED_OUT_NUMBER,
].map(
  (pattern) => (text: string) =>
    findClaims(text, pattern, ([number]) =>
      phoneClaim(number!, pattern === CHINESE_NUMBER && /^\d+$/.test(number!)),
    ),
);

/**
 * Finds the telephone numbers in the text by their format rather than by each country's numbering plan, because a made-up number
 * misleads a buyer as much as a real one.
 */
export function findPhones(text: string): ExtractedClaims {
  return applyFinders(text, FINDERS);
}
