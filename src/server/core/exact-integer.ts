import { createReason } from './errors/reason';

/** The largest value of PostgreSQL's type `integer`. A statement that gets a larger one fails. */
export const MAX_INTEGER = 2_147_483_647;

/** The reason for refusing a number for which {@link hasLostDigits} returns true. */
export const LOST_DIGITS = createReason('cell.lostDigits');

/**
 * Returns whether a number from parsed JSON is an integer beyond ±(2^53-1). JSON.parse has already rounded it to the nearest
 * double, so `12345678901234567890` has become a different number. Order imports, statistics and requests for replies refuse such
 * numbers, even in members that are only stored.
 */
export function hasLostDigits(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
