import { because } from './reason';
/** What is said of a number that {@link hasLostDigits}. */
export const LOST_DIGITS = because('cell.lostDigits');

/**
 * Whether a number of parsed JSON is a whole one beyond 2^53-1, whichever its sign. JSON.parse has rounded it to the nearest
 * double by then, so that `12345678901234567890` is another number: it is refused wherever it stands, also in members that are
 * only kept.
 */
export function hasLostDigits(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
