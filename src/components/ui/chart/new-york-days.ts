/** The zone of the shops' days. */
const NEW_YORK = 'America/New_York';

/** The day that it is in New York, as `YYYY-MM-DD`. */
export function newYorkDay(instant: Date): string {
  // Sweden writes its dates like that.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: NEW_YORK }).format(instant);
}

/** So many days later, or earlier; days of a calendar, which know no hours. */
export function plusDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** A day as it is written in the language. */
export function dayText(day: string, tag: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** When a day of New York's calendar begins; null for what is no day. */
export function newYorkMidnight(day: string): Date | null {
  // New York is four or five hours behind, and has never changed its clocks at midnight.
  const found = [4, 5]
    .map((hours) => new Date(`${day}T0${hours}:00:00Z`))
    .find((at) => {
      if (Number.isNaN(at.getTime())) return false;
      const hour = new Intl.DateTimeFormat('sv-SE', { timeZone: NEW_YORK, hour: '2-digit' }).format(at);
      return Number(hour) === 0 && newYorkDay(at) === day;
    });
  return found ?? null;
}
