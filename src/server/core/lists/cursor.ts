import { isRealDay } from '../days';
import { invalidField, type ServiceError } from '../errors/errors';
import { createReason } from '../errors/reason';

/**
 * Returns the cursor for the next page of a list: the name of the list's sort order, and the last row's values of the columns
 * by which the list is sorted. Callers send the cursor back unchanged.
 */
export function encodeCursor(sortOrder: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([sortOrder, ...values])).toString('base64url');
}

/**
 * Returns the values in a cursor.
 *
 * @param patterns the pattern of each value, so that nothing else reaches the database
 * @throws ServiceError `validation_failed` if it is not a cursor, or is the cursor of another sort order
 */
export function decodeCursor(cursor: string, sortOrder: string, patterns: readonly RegExp[]): string[] {
  let parsedJson: unknown;
  try {
    parsedJson = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    parsedJson = null;
  }
  const [name, ...values] = Array.isArray(parsedJson) ? parsedJson : [];
  const isValid =
    name === sortOrder &&
    values.length === patterns.length &&
    values.every((value, index) => typeof value === 'string' && patterns[index]!.test(value));
  if (isValid) return values;
  throw invalidCursorError();
}

/** Returns the 422 for a cursor that this list did not issue. */
export function invalidCursorError(): ServiceError {
  return invalidField('cursor', createReason('type.cursor'));
}

/** Returns a cursor of a list sorted by id. */
export const encodeIdCursor = (id: string) => encodeCursor('id', [id]);

/**
 * Returns the id in a cursor.
 *
 * @throws ServiceError `validation_failed` if it is not a cursor of a list sorted by id
 */
export function decodeIdCursor(cursor: string): string {
  return decodeCursor(cursor, 'id', [/^\d{1,18}$/])[0]!;
}

/** The end of a page of a list ordered by time: an instant as {@link instantTextSql} writes it, and the id that breaks ties. */
interface TimePosition {
  at: string;
  id: string;
}

/**
 * Returns SQL for a column's instant as ISO 8601 text, with the database's microseconds or with milliseconds, as JavaScript
 * writes it. Cursors need the microseconds, which a Date would lose; JSON that PostgreSQL builds needs the format. Elsewhere a
 * statement can return the instant as it is, for withIsoInstants to format. In `.sql` files, `iso_instant(…)` stands for it.
 */
export const instantTextSql = (column: string, digits: 'US' | 'MS' = 'US') =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.${digits}"Z"')`;

/** Newest first; rows of the same instant by descending id. */
const NEWEST_FIRST = 'newest';
const INSTANT_PATTERN =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d[.]\d{6}Z$/;

/**
 * Returns whether a string is an instant as {@link instantTextSql} writes it by default, on a date that exists. PostgreSQL refuses
 * dates such as 2026-02-30.
 */
export function isInstant(text: string): boolean {
  return INSTANT_PATTERN.test(text) && isRealDay(text.slice(0, 10));
}

/** Returns a cursor of a list ordered by time. */
export function encodeTimeCursor({ at, id }: TimePosition): string {
  return encodeCursor(NEWEST_FIRST, [at, id]);
}

/**
 * Returns the position in a cursor of a list ordered by time.
 *
 * @param idPattern the pattern of the id
 * @throws ServiceError `validation_failed` if it is not a cursor of a list ordered by time
 */
export function decodeTimeCursor(cursor: string, idPattern: RegExp): TimePosition {
  const [at, id] = decodeCursor(cursor, NEWEST_FIRST, [INSTANT_PATTERN, idPattern]) as [string, string];
  if (!isInstant(at)) throw invalidCursorError();
  return { at, id };
}
