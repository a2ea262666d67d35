import { dateFormat } from './formats';
import { dayIn, NEW_YORK } from './zones';

/** Returns the sales day of an instant, as `YYYY-MM-DD`. */
export const newYorkDay = (instant: Date): string => dayIn(NEW_YORK, instant);

/** Adds days to a date; a negative number subtracts them. Computed in UTC, so that every day has 24 hours. */
export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Formats a date in a language; an invalid one is returned unchanged. */
export function dayText(day: string, tag: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return dateFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}
