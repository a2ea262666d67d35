import { DateTime } from 'luxon';

/** Imports of today and of this many days before are recent. */
export const RECENT_IMPORT_DAYS = 7;

/**
 * Returns the beginning of the first day whose imports are recent.
 *
 * @param now milliseconds since the Unix epoch
 * @param timeZone the reader's, because the import history filters by the reader's days
 */
export const firstRecentDay = (now: number, timeZone: string): DateTime =>
  DateTime.fromMillis(now, { zone: timeZone }).minus({ days: RECENT_IMPORT_DAYS }).startOf('day');
