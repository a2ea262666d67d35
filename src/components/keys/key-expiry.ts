import { plusDays } from '../ui/value/new-york-days';
import { midnightIn } from '../ui/value/zones';

/** How long a new key is valid: a number of days, forever, or until a chosen day. */
export const EXPIRIES = ['30', '90', '365', 'never', 'day'] as const;

/** The default: a key that nobody renews should expire. */
export const USUAL_EXPIRY = '365';

export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** The instant of an expiry in the service's format; null for never. A day ends in the given time zone. */
export function expiresAt(expiry: Expiry, day: string | undefined, zone: string): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'day') return midnightIn(zone, plusDays(day ?? '', 1))!.toISOString();
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}
