// Pages load this file too, so it imports nothing.

/** The length of a day in UTC, in milliseconds. */
export const DAY_MS = 86_400_000;

/** Returns the day `dayCount` days later, or earlier if it is negative. */
export const plusDays = (day: string, dayCount: number): string =>
  new Date(Date.parse(day) + dayCount * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns whether the text is a date that exists, in the form `YYYY-MM-DD`. Date.parse alone turns 30 February into 2 March, and
 * accepts the year 0, which PostgreSQL does not have.
 */
export function isRealDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}
