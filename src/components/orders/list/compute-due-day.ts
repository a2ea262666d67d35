import { DAY_MS } from '../../../server/core/days';
import { LATE_DAYS } from '../../../server/queues/queue';
import { dateFormat } from '../../ui/value/formats';
import { newYorkDay } from '../../ui/value/time/new-york-days';

/**
 * Returns when an order that is not shipped becomes late, which day that is in New York, how many days away it is, and whether the
 * order is late already (docs/queues.md). An order that is due today may be.
 */
export function computeDueDay(
  saleDate: string,
  now: number,
): { dueAt: Date; day: string; daysAway: number; isLate: boolean } {
  const dueTime = Date.parse(saleDate) + LATE_DAYS * DAY_MS;
  const day = newYorkDay(new Date(dueTime));
  const daysAway = Math.round((Date.parse(day) - Date.parse(newYorkDay(new Date(now)))) / DAY_MS);
  return { dueAt: new Date(dueTime), day, daysAway, isLate: dueTime < now };
}

/** Formats a day as yesterday, today or tomorrow, or as a date, with the weekday if it is in this year, otherwise with the year. */
export function formatDueDay(
  { day, daysAway }: Pick<ReturnType<typeof computeDueDay>, 'day' | 'daysAway'>,
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
