/** The time zone of the shops' days. */
const NEW_YORK = 'America/New_York';

/** The date in New York at an instant, as `YYYY-MM-DD`. */
export function newYorkDay(instant: Date): string {
  // The Swedish date format is YYYY-MM-DD.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: NEW_YORK }).format(instant);
}

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
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

/** When a date begins in New York; null for an invalid date. */
export function newYorkMidnight(day: string): Date | null {
  // New York is four or five hours behind UTC, and has never changed its clocks at midnight.
  const found = [4, 5]
    .map((hours) => new Date(`${day}T0${hours}:00:00Z`))
    .find((at) => {
      if (Number.isNaN(at.getTime())) return false;
      const hour = new Intl.DateTimeFormat('sv-SE', { timeZone: NEW_YORK, hour: '2-digit' }).format(at);
      return Number(hour) === 0 && newYorkDay(at) === day;
    });
  return found ?? null;
}
