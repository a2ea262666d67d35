import { DateTime } from 'luxon';
import { NEW_YORK } from './time';

/** A range of New York days and the period before it, which has as many days and ends just before it (docs/statistics.md). */
export interface Period {
  from: string;
  to: string;
  days: number;
  /** The day that is not over: it is not compared, nor are later ones. */
  today: string;
}

const DAY_MS = 86_400_000;

/** Adds days to a date, or subtracts them. */
export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Midnight in New York at the start of a day. */
export const startOf = (day: string): Date => DateTime.fromISO(day, { zone: NEW_YORK }).toJSDate();

/** Returns the period from a first to a last day, both included, with its length and the day that it is now in New York. */
export function periodOf({ from, to }: { from: string; to: string }, now: number): Period {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from, to, days, today: DateTime.fromMillis(now, { zone: NEW_YORK }).toISODate()! };
}

interface Compared<Value> {
  value: Value;
  compared: Value | null;
  before: Value | null;
  change: number | null;
}

/** Returns a figure with its change, to four decimals; null if the earlier figure is missing, zero or negative. */
export function compare<Value extends string | number>(
  value: Value,
  compared: Value | null,
  before: Value | null,
): Compared<Value> {
  const change =
    compared === null || before === null || Number(before) <= 0
      ? null
      : Math.round((Number(compared) / Number(before) - 1) * 10_000) / 10_000;
  return { value, compared, before, change };
}

/** Returns a figure with its change; null if there is none in the range. */
export const compareIfAny = <Value extends string | number>(
  value: Value | null,
  compared: Value | null,
  before: Value | null,
): Compared<Value> | null => (value === null ? null : compare(value, compared, before));
