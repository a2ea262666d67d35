import { validationError } from '../errors/errors';
import { createReason, problemAt } from '../errors/reason';

/** Maximum nesting of arrays and objects in a body; the outermost is level 1. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Returns whether JSON text in UTF-8 is nested deeper than the limit. Looks at each byte once and stops at the first level that
 * is too deep, so it can run before JSON.parse, whose time and memory for `[[[[…` grow with the nesting. Its result for invalid
 * JSON is arbitrary; the parser refuses that.
 */
export function isTooDeep(json: Uint8Array, maxDepth = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    // `[` and `{` differ in one bit only, and so do `]` and `}`.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if ((byte | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** The problem of a body that is nested too deeply. */
export const TOO_DEEP = problemAt('', createReason('service.bodyTooDeep', { maximum: MAX_JSON_DEPTH }));

/** @throws ServiceError `validation_failed` for JSON that is nested deeper than the limit */
export function requireShallow(json: Uint8Array): void {
  if (isTooDeep(json)) throw validationError([TOO_DEEP]);
}
