import { DAY_MS } from '../../../server/core/days';
import { LATE_DAYS } from '../../../server/queues/queue';
import { dateFormat } from '../../ui/value/formats';
import { newYorkDay } from '../../ui/value/new-york-days';

/**
 * Returns the day in New York by which an order should be shipped, how many days away that is, and whether the order is late
 * (docs/queues.md).
 */
export function computeDueDay(
  saleDate: string,
  now: number,
): { day: string; daysAway: number; isLate: boolean } {
  const dueTime = Date.parse(saleDate) + LATE_DAYS * DAY_MS;
  const day = newYorkDay(new Date(dueTime));
  const daysAway = Math.round((Date.parse(day) - Date.parse(newYorkDay(new Date(now)))) / DAY_MS);
  return { day, daysAway, isLate: dueTime < now };
}

/** Formats a day as yesterday, today or tomorrow, or as a date, with the weekday if it is in this year, otherwise with the year. */
export function formatDueDay(
  { day, daysAway }: { day: string; daysAway: number },
  tag: string,
  now: number,
): string {
  if (Math.abs(daysAway) <= 1)
    return new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(daysAway, 'day');
  const isThisYear = day.slice(0, 4) === newYorkDay(new Date(now)).slice(0, 4);
  return dateFormat(tag, {
    ...(isThisYear ? { weekday: 'short' } : { year: 'numeric' }),
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(day));
}
