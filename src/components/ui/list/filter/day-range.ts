import { DAY_MS, isRealDay, plusDays } from '../../../../server/core/days';
import type { UrlState } from '../list-url';

/** Ranges that depend on the current day: a link to one shows different days over time. */
export const NAMED_RANGES = ['7d', '30d', '90d', 'month', 'last-month'] as const;
type NamedRange = (typeof NAMED_RANGES)[number];

/** The range parameters of a URL: a named range, or a first and last day. */
export const RANGE_PARAMETERS = ['range', 'from', 'to'] as const;
type RangeUrl = UrlState<(typeof RANGE_PARAMETERS)[number]>;

/** A range of dates in New York, as `YYYY-MM-DD`; `to` is included. */
export interface DayRange {
  from: string;
  to: string;
  /** Null for custom days. */
  namedRange: NamedRange | null;
}

/** Returns whether a string is an existing date from 2000 to 2999. */
export const isDay = (text: string | undefined): text is string =>
  text?.startsWith('2') === true && isRealDay(text);

/** Returns all days of a range. */
export function daysIn({ from, to }: Pick<DayRange, 'from' | 'to'>): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => plusDays(from, index));
}

function resolveNamedRange(namedRange: NamedRange, today: string): Pick<DayRange, 'from' | 'to'> {
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  switch (namedRange) {
    case 'month':
      return { from: firstOfMonth, to: today };
    case 'last-month': {
      const to = plusDays(firstOfMonth, -1);
      return { from: `${to.slice(0, 7)}-01`, to };
    }
    default:
      return { from: plusDays(today, 1 - Number.parseInt(namedRange, 10)), to: today };
  }
}

/**
 * Reads the range from a URL; the last 30 days if it has no valid one. If only the last day is missing, it is today; if only the
 * first is, the range has 30 days. Days in the wrong order are swapped.
 * @param maxDays the maximum number of days that the page can show; a longer range loses its first days, unless it is a named range
 * @param today the current date in New York
 */
export function readRange(
  { filters: { range, from, to } }: Pick<RangeUrl, 'filters'>,
  maxDays: number,
  today: string,
): DayRange {
  if (!isDay(from) && !isDay(to)) {
    const namedRange = NAMED_RANGES.find((name) => name === range) ?? '30d';
    return { ...resolveNamedRange(namedRange, today), namedRange };
  }
  const toDay = isDay(to) ? to : today;
  const fromDay = isDay(from) ? from : plusDays(toDay, -29);
  const [firstDay, lastDay] = fromDay <= toDay ? [fromDay, toDay] : [toDay, fromDay];
  const earliestDay = plusDays(lastDay, 1 - maxDays);
  return { from: firstDay < earliestDay ? earliestDay : firstDay, to: lastDay, namedRange: null };
}
