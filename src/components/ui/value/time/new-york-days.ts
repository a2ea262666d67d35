import { dateFormat } from '../formats';
import { dayIn, NEW_YORK } from './zones';

const HOUR_MS = 3_600_000;

/** Returns the beginning of the hour of an instant. Both are in milliseconds since 1970. */
export const startOfHour = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/** Returns the date in New York at an instant, as `YYYY-MM-DD`. */
export const newYorkDay = (instant: Date): string => dayIn(NEW_YORK, instant);

/** Formats a date in a language; text in another form is returned unchanged. */
export function formatDay(day: string, tag: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return dateFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}
