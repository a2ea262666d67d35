import { decodeCursor, encodeCursor, notACursor } from './keyset';

/**
 * The position of a row in a list ordered by time: its instant as {@link instantText} formats it, and the id that breaks ties.
 */
export interface TimePlace {
  at: string;
  id: string;
}

/** SQL for a column's instant as ISO 8601 text that keeps the database's microseconds. */
export const instantText = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Newest first; rows of one instant by descending id. */
const ORDER = 'newest';
const INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d[.]\d{6}Z$/;

/**
 * Returns whether a text is an instant as {@link instantText} writes it, on a valid date. Date.parse would turn 30 February
 * into another day, and the database would fail.
 */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || text.startsWith('0000')) return false;
  const read = new Date(text);
  return !Number.isNaN(read.getTime()) && read.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** Encodes a position as a cursor. */
export function writeTimePlace({ at, id }: TimePlace): string {
  return encodeCursor(ORDER, [at, id]);
}

/**
 * Decodes a cursor that a client sends back.
 *
 * @throws ServiceError `validation_failed` if it is not a cursor
 */
export function readTimePlace(text: string, id: RegExp): TimePlace {
  const [at, rest] = decodeCursor(text, ORDER, [INSTANT, id]) as [string, string];
  if (!isInstant(at)) throw notACursor();
  return { at, id: rest };
}
