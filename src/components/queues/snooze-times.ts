const DAY_MS = 86_400_000;
const MORNING = 8;

/** The reader's morning, so many days from now: what is snoozed is there when work begins. */
function morningIn(days: number, now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
}

/** The choices of the menu, soonest first, with their number of days. */
export function snoozeTimes(now = new Date()): { name: 'day' | 'days' | 'week'; until: Date }[] {
  // Sunday is 0; on a Monday the next one is a week away.
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { name: 'day', until: new Date(now.getTime() + DAY_MS) },
    { name: 'days', until: new Date(now.getTime() + 3 * DAY_MS) },
    { name: 'week', until: morningIn(toMonday, now) },
  ];
}

/** The morning of a day such as 2026-11-24 where the reader is; null if it is not a day to come. */
export function morningOf(day: string, now = new Date()): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!date) return null;
  const until = new Date(Number(year), Number(month) - 1, Number(date), MORNING);
  return until > now ? until : null;
}
