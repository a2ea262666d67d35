import { type ServiceError, validationError } from './errors';
import { because, problemAt } from './reason';

/**
 * Returns the cursor at the end of a page of a list: the name of the list's order, and the values of the last row by which the
 * list is sorted. Callers send it back unchanged.
 */
export function encodeCursor(order: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
}

/**
 * Decodes a cursor into its values.
 *
 * @param shapes the pattern of each value, so that nothing else reaches the database
 * @throws ServiceError `validation_failed` if it is not a cursor, or is the cursor of another order
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

/** The 422 for a cursor that this list did not issue. */
export function notACursor(): ServiceError {
  return validationError([problemAt('cursor', because('type.cursor'))]);
}
