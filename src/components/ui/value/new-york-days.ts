import { dateFormat } from './formats';
import { dayIn, NEW_YORK } from './zones';

/** The date of sales at an instant, as `YYYY-MM-DD`. */
export const newYorkDay = (instant: Date): string => dayIn(NEW_YORK, instant);

/** Adds days to a date, or subtracts them; dates know no hours. */
export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** A date as the language writes it. */
export function dayText(day: string, tag: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return dateFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}
