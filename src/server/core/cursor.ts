import { type ServiceError, validationError } from './errors';
import { because, problemAt } from './reason';

/**
 * Where a page of a list ended, as text that callers send back unchanged for the next page: the list's order, and the values
 * by which its last row is ordered.
 */
export function encodeCursor(order: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
}

/**
 * Returns the values of a cursor.
 *
 * @param shapes what each value must look like, so that nothing else reaches the database
 * @throws ServiceError `validation_failed` where it is no cursor, or one of another order
 */
export function decodeCursor(cursor: string, order: string, shapes: readonly RegExp[]): string[] {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    read = null;
  }
  const [of, ...values] = Array.isArray(read) ? read : [];
  const good =
    of === order &&
    values.length === shapes.length &&
    values.every((value, index) => typeof value === 'string' && shapes[index]!.test(value));
  if (good) return values;
  throw notACursor();
}

/** The 422 for a cursor that this list has not made. */
export function notACursor(): ServiceError {
  return validationError([problemAt('cursor', because('type.cursor'))]);
}

/** A cursor of a list whose newest rows have the greatest ids. */
export const encodeIdCursor = (id: string) => encodeCursor('id', [id]);

/**
 * Returns the id of a cursor.
 *
 * @throws ServiceError `validation_failed` where it is no cursor of such a list
 */
export function decodeIdCursor(cursor: string): string {
  return decodeCursor(cursor, 'id', [/^\d{1,18}$/])[0]!;
}

/** Where a page of a list by time ended: an instant as {@link instantText} writes it, and what tells rows of that instant apart. */
interface TimePosition {
  at: string;
  id: string;
}

/** SQL for the instant of a column as ISO 8601 text that keeps the database's microseconds. */
export const instantText = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Newest first, and within an instant the greater id first. */
const NEWEST = 'newest';
const INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d[.]\d{6}Z$/;

/**
 * Whether this is an instant as {@link instantText} writes it, on a day of the calendar: Date.parse turns February 30 into
 * another day, and the database fails on it.
 */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || text.startsWith('0000')) return false;
  const read = new Date(text);
  return !Number.isNaN(read.getTime()) && read.toISOString().slice(0, 10) === text.slice(0, 10);
}

/** A cursor of a list by time. */
export function encodeTimeCursor({ at, id }: TimePosition): string {
  return encodeCursor(NEWEST, [at, id]);
}

/**
 * Returns the position of a cursor of a list by time.
 *
 * @param id what the id must look like
 * @throws ServiceError `validation_failed` where it is no cursor of such a list
 */
export function decodeTimeCursor(cursor: string, id: RegExp): TimePosition {
  const [at, rest] = decodeCursor(cursor, NEWEST, [INSTANT, id]) as [string, string];
  if (!isInstant(at)) throw notACursor();
  return { at, id: rest };
}
