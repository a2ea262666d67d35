import { newYorkDay } from './time';

/** A range of New York days and the period before it, which has as many days and ends just before it (docs/statistics.md). */
export interface Period {
  from: string;
  to: string;
  days: number;
  /** The day that is not over: it is not compared, nor are later ones. */
  today: string;
}

const DAY_MS = 86_400_000;

/** Returns the period from a first to a last day, both included, with its length and the day that it is now in New York. */
export function periodOf({ from, to }: { from: string; to: string }, now: number): Period {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from, to, days, today: newYorkDay(now) };
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
