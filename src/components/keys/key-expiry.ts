import { plusDays } from '../ui/chart/new-york-days';

/** How long a new key is valid: a number of days, forever, or until a chosen day. */
export const EXPIRIES = ['30', '90', '365', 'never', 'day'] as const;

/** The default: a key that nobody renews should expire. */
export const USUAL_EXPIRY = '365';

export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** The end of a day in New York, whose offset is four hours in summer and five in winter. */
function endOfDay(day: string): Date {
  const next = Date.parse(`${plusDays(day, 1)}T00:00:00Z`);
  const hour = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    hourCycle: 'h23',
    timeZone: 'America/New_York',
  });
  const summer = new Date(next + 4 * 3_600_000);
  return Number(hour.format(summer)) === 0 ? summer : new Date(next + 5 * 3_600_000);
}

/** The instant of an expiry in the service's format; null for never. */
export function expiresAt(expiry: Expiry, day: string | undefined): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'day') return endOfDay(day ?? '').toISOString();
  return new Date(Date.now() + Number(expiry) * DAY_MS).toISOString();
}
