import { DateTime } from 'luxon';
import { DAY_MS } from './days';

/** The time zone of the marketplace's dates. */
export const NEW_YORK = 'America/New_York';

/** Returns the date in New York at an instant, as `YYYY-MM-DD`. */
export const newYorkDay = (now: number): string => DateTime.fromMillis(now, { zone: NEW_YORK }).toISODate()!;

/** Returns midnight in New York at the start of a day. */
export const startOfNewYorkDay = (day: string): Date => DateTime.fromISO(day, { zone: NEW_YORK }).toJSDate();

/** A wall-clock time. Months are numbered from 1 to 12. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** New York's UTC offset on each day in minutes, or null if the clocks change on that day. The keys are midnights in UTC. */
const offsetByMidnight = new Map<number, number | null>();
const MAX_CACHED_DAYS = 20_000;

function offsetOfDay(midnight: number, time: WallTime): number | null {
  let offset = offsetByMidnight.get(midnight);
  if (offset === undefined) {
    const day = { year: time.year, month: time.month, day: time.day };
    const dayStart = DateTime.fromObject(day, { zone: NEW_YORK });
    const dayEnd = dayStart.plus({ days: 1 });
    offset = dayStart.offset === dayEnd.offset ? dayStart.offset : null;
    if (offsetByMidnight.size >= MAX_CACHED_DAYS) offsetByMidnight.clear();
    offsetByMidnight.set(midnight, offset);
  }
  return offset;
}

/** Returns whether the date and the time of day exist. */
export function isWallTime(time: WallTime): boolean {
  const { year, month, day, hour, minute, second } = time;
  if (hour > 23 || minute > 59 || second > 59) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Returns the instant at which New York's clocks show this time, in milliseconds since the Unix epoch. A time skipped in spring
 * moves forward by an hour; a time that occurs twice in autumn means the earlier instant (docs/orders.md).
 */
export function newYorkToUtc(time: WallTime): number {
  const midnight = Date.UTC(time.year, time.month - 1, time.day);
  const offset = offsetOfDay(midnight, time);
  if (offset !== null) {
    return midnight + ((time.hour * 60 + time.minute - offset) * 60 + time.second) * 1000;
  }
  const dateTime = DateTime.fromObject({ ...time }, { zone: NEW_YORK });
  return Math.min(...dateTime.getPossibleOffsets().map((instant) => instant.toMillis()), dateTime.toMillis());
}

/** Converts a spreadsheet's serial day number (1900 system) to a wall-clock time, to the second. */
export function serialToWallTime(serial: number): WallTime {
  const date = new Date(Math.round((serial * DAY_MS) / 1000) * 1000 + Date.UTC(1899, 11, 30));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

type WithIsoInstants<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? Exclude<Row[Name], Date> | string : Row[Name];
};

/** Returns a copy of a row with its instants as ISO 8601 text in UTC, to the millisecond. */
export function withIsoInstants<Row extends object>(row: Row): WithIsoInstants<Row> {
  const members = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(members) as WithIsoInstants<Row>;
}
