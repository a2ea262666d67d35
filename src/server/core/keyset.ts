import { type ServiceError, validationError } from './errors';
import { because, problemAt } from './reason';

/**
 * Where a page of a list ended, as a text that callers hand back as they got it: the order of the list, and the values of its
 * last row by which it is ordered.
 */
export function encodeCursor(order: string, values: readonly string[]): string {
  return Buffer.from(JSON.stringify([order, ...values])).toString('base64url');
}

/**
 * The values of a cursor.
 *
 * @param shapes what each value must look like, so that nothing else reaches the database
 * @throws ServiceError `validation_failed` where it is none, or is one of another order
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
