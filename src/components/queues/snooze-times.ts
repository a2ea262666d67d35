import { DAY_MS, isRealDay } from '../../server/core/days';
import { dayIn, instantIn } from '../ui/value/time/zones';

/** When work starts. */
const MORNING = '08:00';

/** Returns the times that the Snooze menu offers, in order: in one day, in three days, and next Monday morning in a time zone. */
export function snoozeTimes(
  zone: string,
  now = new Date(),
): { name: 'day' | 'days' | 'week'; until: Date }[] {
  const monday = new Date(`${dayIn(zone, now)}T00:00:00Z`);
  // Sunday is 0. On a Monday, the next Monday is a week away.
  monday.setUTCDate(monday.getUTCDate() + ((8 - monday.getUTCDay()) % 7 || 7));
  return [
    { name: 'day', until: new Date(now.getTime() + DAY_MS) },
    { name: 'days', until: new Date(now.getTime() + 3 * DAY_MS) },
    { name: 'week', until: instantIn(zone, monday.toISOString().slice(0, 10), MORNING) },
  ];
}

/**
 * Returns the start of work on a day such as 2026-11-24 in a time zone; null if there is no such day or its start of work has
 * passed.
 */
export function morningOf(day: string, zone: string, now = new Date()): Date | null {
  if (!isRealDay(day)) return null;
  const until = instantIn(zone, day, MORNING);
  return until > now ? until : null;
}
