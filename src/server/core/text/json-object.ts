import { invalidField } from '../errors/errors';
import { createReason } from '../errors/reason';
import { requireShallow } from './json-limits';

/**
 * Decodes JSON text in UTF-8, with or without a byte order mark.
 *
 * @throws ServiceError `validation_failed` if the bytes are not UTF-8: replaced characters would be stored
 */
export function decodeJson(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidField('', createReason('body.encoding'));
  }
}

/** Returns whether a parsed JSON value is an object, not an array or null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Parses a body that must be a JSON object.
 *
 * @throws ServiceError `validation_failed` if the bytes are not a JSON object in UTF-8 (a byte order mark is allowed), if they
 * are nested deeper than 64 levels (checked before parsing), or if the object has a member `__proto__`, which copying would
 * silently drop
 */
export function parseJsonObject(body: Uint8Array): Record<string, unknown> {
  requireShallow(body);
  const text = decodeJson(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidField('', createReason('body.json'));
  }
  if (!isJsonObject(value)) throw invalidField('', createReason('body.object'));
  if (Object.hasOwn(value, '__proto__')) {
    throw invalidField('__proto__', createReason('body.badName'));
  }
  return value;
}
