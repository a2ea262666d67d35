import { DAY_MS, plusDays } from '../../server/core/days';
import { midnightIn } from '../ui/value/time/zones';

/** How long a key is valid from now on: a number of days, forever, or until a chosen day. */
export const EXPIRIES = ['30', '90', '365', 'never', 'day'] as const;

/** Keys expire by default, so that a forgotten one does not stay valid. */
export const DEFAULT_EXPIRY = '365';

export type Expiry = (typeof EXPIRIES)[number];

/** Returns the instant of an expiry in ISO 8601; null for never. For a chosen day, it is the end of the day in time zone `zone`. */
export function resolveExpiry(expiry: Expiry, day: string | undefined, zone: string): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'day') return midnightIn(zone, plusDays(day ?? '', 1))!.toISOString();
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}
