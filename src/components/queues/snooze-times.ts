import { DAY_MS, isRealDay } from '../../server/core/days';

const MORNING_HOUR = 8;

/** Returns the start of work `days` days from now, in the browser's time zone. */
function morningIn(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);
}

/** Returns the times that the Snooze menu offers, in order: in one day, in three days, and next Monday morning. */
export function snoozeTimes(now = new Date()): { name: 'day' | 'days' | 'week'; until: Date }[] {
  // Sunday is 0. On a Monday, the next Monday is a week away.
  const daysToMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { name: 'day', until: new Date(now.getTime() + DAY_MS) },
    { name: 'days', until: new Date(now.getTime() + 3 * DAY_MS) },
    { name: 'week', until: morningIn(daysToMonday, now) },
  ];
}

/**
 * Returns the start of work on a day such as 2026-11-24, in the browser's time zone; null if there is no such day or its start of
 * work has passed.
 */
export function morningOf(day: string, now = new Date()): Date | null {
  if (!isRealDay(day)) return null;
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const until = new Date(year, month - 1, date, MORNING_HOUR);
  return until > now ? until : null;
}
