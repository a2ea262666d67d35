import { DAY_MS } from './days';
import { newYorkDay } from './time';

/** A range of days. It is compared with the same number of days just before it (docs/statistics.md). */
export interface Period {
  from: string;
  to: string;
  dayCount: number;
  /**
   * The current day in New York. It is not over, so neither it nor later days of orders are compared. Days of reports are over when
   * they are in their shop's time zone.
   */
  today: string;
}

/** Returns the period between two days, both included, with its length and the current day in New York. */
export function periodOf({ from, to }: { from: string; to: string }, now: number): Period {
  const dayCount = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return { from, to, dayCount, today: newYorkDay(now) };
}

interface Comparison<Value> {
  value: Value;
  compared: Value | null;
  before: Value | null;
  change: number | null;
}

/**
 * Returns a figure with its change to six decimals, so that rounding it again to a tenth of a percent hardly ever gives another
 * figure. The change is null if one of the compared figures is missing, or if the earlier one is zero or negative.
 */
export function compare<Value extends string | number>(
  value: Value,
  comparedValue: Value | null,
  earlierValue: Value | null,
): Comparison<Value> {
  const change =
    comparedValue === null || earlierValue === null || Number(earlierValue) <= 0
      ? null
      : Math.round((Number(comparedValue) / Number(earlierValue) - 1) * 1_000_000) / 1_000_000;
  return { value, compared: comparedValue, before: earlierValue, change };
}

/** Returns a figure with its change; null if the range has no value for it. */
export const compareIfAny = <Value extends string | number>(
  value: Value | null,
  comparedValue: Value | null,
  earlierValue: Value | null,
): Comparison<Value> | null => (value === null ? null : compare(value, comparedValue, earlierValue));
