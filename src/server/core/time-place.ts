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

/** Whether the day is one of the calendar: Date.parse makes another of 30 February, the database an error. */
function isInstant(at: string): boolean {
  const parsed = new Date(at);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 19) === at.slice(0, 19);
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
