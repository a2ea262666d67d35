import { useLocale, useTimeZone, useTranslations } from 'next-intl';
import { useCallback } from 'react';
import { LANGUAGE_TAGS } from '../../../../i18n/locale';
import { dateFormat } from '../formats';

/**
 * The time zone of sale days: the marketplace dates orders in it, and daily sums of orders use it. Only packing slips show the sale
 * date in the shop's time zone, and days of statistics are the shop's own. Other instants are shown in the reader's time zone, which
 * is next-intl's `timeZone`.
 */
export const NEW_YORK = 'America/New_York';

/** Returns the reader's time zone, or New York's if the page does not know it. */
export const useReaderZone = (): string => useTimeZone() ?? NEW_YORK;

/** Returns the date of an instant in a time zone, as `YYYY-MM-DD`. */
export function dayIn(zone: string, instant: Date): string {
  // The Swedish date format is YYYY-MM-DD.
  return dateFormat('sv-SE', { timeZone: zone }).format(instant);
}

/**
 * Returns the options of a field for a time zone.
 * @param storedZone the field's stored zone, which is offered even if the browser does not list it
 */
export function zoneOptions(storedZone: string): { value: string; label: string }[] {
  // The browser's list leaves out some zones that it supports, such as UTC.
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', storedZone]);
  return [...zones].sort().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}

/** Returns how far a time zone is ahead of UTC at an instant, in milliseconds. */
function offsetMsAt(zone: string, instantMs: number): number {
  const wallClockFormat = dateFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${wallClockFormat.format(instantMs).replace(' ', 'T')}Z`) - instantMs;
}

/**
 * Returns the instant at which clocks in a time zone show a date and a time such as `08:00`. If a clock change skips the time, the
 * instant is after the change.
 */
export function instantIn(zone: string, day: string, time: string): Date {
  const utcMs = Date.parse(`${day}T${time}Z`);
  // The offset at that time in the zone may differ from that at the same time in UTC, so it is computed twice.
  const estimateMs = utcMs - offsetMsAt(zone, utcMs);
  const instantMs = utcMs - offsetMsAt(zone, estimateMs);
  return new Date(instantMs + offsetMsAt(zone, instantMs) === utcMs ? instantMs : estimateMs);
}

/** Returns the instant at which a date begins in a time zone; null if Date.parse cannot read the text. */
export const midnightIn = (zone: string, day: string): Date | null =>
  Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? null : instantIn(zone, day, '00:00');

/** Returns a function that names a time zone in the reader's language. New York gets the name shown with sale times. */
export function useZoneName(): (zone: string) => string {
  const t = useTranslations('common');
  const tag = LANGUAGE_TAGS[useLocale()];
  return useCallback((zone) => (zone === NEW_YORK ? t('instant.sale') : zoneName(zone, tag)), [t, tag]);
}

/** Returns the common name of a time zone, such as `Central Time`; its IANA name, with spaces, if the common name is only an offset. */
export function zoneName(zone: string, tag: string): string {
  const parts = dateFormat(tag, { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts();
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  return /GMT|UTC/.test(name) ? zone.replaceAll('_', ' ') : name;
}
