import { because, type Reason } from './reason';
import { normaliseTrackingNumber } from './text';

/** What stands between two numbers that were typed into one cell, in western and Chinese writing. */
const SEPARATORS = /[,;|/\\&\r\n\t，；、]+/;
const ONE_NUMBER = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/;

const isNumber = (text: string) => ONE_NUMBER.test(text) && /\d/.test(text) && !/^[0._-]+$/.test(text);

/** Whether a word is long enough for a whole number. Groups such as `9400 1000 0000` are shorter: spaces in one number are fine. */
const isWhole = (word: string) =>
  word.length >= 10 && isNumber(normaliseTrackingNumber(word)) && word.replace(/\D/g, '').length >= 6;

/**
 * Says why a text cannot be a tracking number, or returns null where it can: it must be one number, of the letters A to Z and
 * digits (dots, hyphens and underscores inside), with a digit, and not all zeros. What people type where there is none (`n/a`, `-`,
 * `none`, `0`) is refused, and so are several numbers in one text. Carriers' own formats and check digits are not checked.
 *
 * @param text as typed; spaces and case count for nothing
 */
export function trackingNumberProblem(text: string): Reason | null {
  const several =
    text.split(SEPARATORS).filter((part) => isNumber(normaliseTrackingNumber(part))).length > 1 ||
    text.split(/\s+/).filter(isWhole).length > 1;
  if (several) return because('cell.severalNumbers');
  if (!isNumber(normaliseTrackingNumber(text))) return because('cell.noTrackingNumber');
  return null;
}
