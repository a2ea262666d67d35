import { decodeCursor, encodeCursor, notACursor } from './keyset';

/** The place of a row in a list by time: its instant as {@link instantText} gives it, and what tells it from others of that instant. */
export interface TimePlace {
  at: string;
  id: string;
}

/** SQL for the instant of a column as ISO 8601 text that loses none of the database's microseconds. */
export const instantText = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Newest first, and of one instant the greater id first. */
const ORDER = 'newest';
const INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d[.]\d{6}Z$/;

/**
 * Whether this is an instant as {@link instantText} writes it, on a day of the calendar: Date.parse makes another day of 30
 * February, and the database fails.
 */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || text.startsWith('0000')) return false;
  const read = new Date(text);
  return !Number.isNaN(read.getTime()) && read.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** A place as clients are given it. */
export function writeTimePlace({ at, id }: TimePlace): string {
  return encodeCursor(ORDER, [at, id]);
}

/**
 * Reads a place that a client gives back.
 *
 * @throws ServiceError `validation_failed` for what is none
 */
export function readTimePlace(text: string, id: RegExp): TimePlace {
  const [at, rest] = decodeCursor(text, ORDER, [INSTANT, id]) as [string, string];
  if (!isInstant(at)) throw notACursor();
  return { at, id: rest };
}
