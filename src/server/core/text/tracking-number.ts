import { createReason, type Reason } from '../errors/reason';
import { normaliseTrackingNumber } from './text';

/** Separators between several tracking numbers in one cell, Western and Chinese. */
const SEPARATORS = /[,;|/\\&\r\n\t，；、]+/;
const TRACKING_NUMBER_PATTERN = /^[A-Z0-9](?:[A-Z0-9._-]*[A-Z0-9])?$/;

const isTrackingNumber = (text: string) =>
  TRACKING_NUMBER_PATTERN.test(text) && /\d/.test(text) && !/^[0._-]+$/.test(text);

/**
 * Returns whether a word has enough characters and digits to be a complete tracking number. The groups of a number written with
 * spaces, such as `9400 1000 0000`, are shorter.
 */
const looksComplete = (word: string) =>
  word.length >= 10 && isTrackingNumber(normaliseTrackingNumber(word)) && word.replace(/\D/g, '').length >= 6;

/**
 * Returns why a string cannot be a tracking number, or null if it can: it must be a single number of the letters A to Z and
 * digits (with dots, hyphens and underscores inside), contain a digit, and not be all zeros. Refuses placeholders (`n/a`, `-`,
 * `none`, `0`) and several numbers in one string. Does not check carriers' own formats or check digits.
 *
 * @param text as typed; spaces and case do not matter
 */
export function trackingNumberProblem(text: string): Reason | null {
  const hasSeveral =
    text.split(SEPARATORS).filter((part) => isTrackingNumber(normaliseTrackingNumber(part))).length > 1 ||
    text.split(/\s+/).filter(looksComplete).length > 1;
  if (hasSeveral) return createReason('cell.severalNumbers');
  if (!isTrackingNumber(normaliseTrackingNumber(text))) return createReason('cell.noTrackingNumber');
  return null;
}
