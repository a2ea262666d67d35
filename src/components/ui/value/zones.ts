import { useTimeZone } from 'next-intl';
import { dateFormat } from './formats';

/**
 * The time zone of sales: marketplaces date orders in it, and the sums of days are kept by it. Everything else shows in the
 * reader's own zone, which is next-intl's `timeZone`.
 */
export const NEW_YORK = 'America/New_York';

/** The reader's time zone. */
export const useReaderZone = (): string => useTimeZone() ?? NEW_YORK;

/** The date in a time zone at an instant, as `YYYY-MM-DD`. */
export function dayIn(zone: string, instant: Date): string {
  // The Swedish date format is YYYY-MM-DD.
  return dateFormat('sv-SE', { timeZone: zone }).format(instant);
}

/** How far a time zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(zone: string, instant: number): number {
  const wall = dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${wall.format(instant).replace(' ', 'T')}Z`) - instant;
}

/** When a date begins in a time zone; null for an invalid date. Where the clocks skip midnight, the hour after it. */
export function midnightIn(zone: string, day: string): Date | null {
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc)) return null;
  // The offset is that of the zone's own midnight, which is near.
  const near = utc - offsetAt(zone, utc);
  const found = new Date(utc - offsetAt(zone, near));
  return dayIn(zone, found) === day ? found : new Date(near);
}

/** What people call a time zone, `Eastern Time`; its IANA name if they call it by its offset alone. */
export function zoneName(zone: string, tag: string): string {
  const parts = dateFormat(tag, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return /GMT|UTC/.test(name) ? zone.replaceAll('_', ' ') : name;
}
