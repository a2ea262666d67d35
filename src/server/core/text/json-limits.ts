import { validationError } from '../errors/errors';
import { createReason, problemAt } from '../errors/reason';

/** Maximum nesting of arrays and objects in a body; the outermost is level 1. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Finds the first limit that JSON text in UTF-8 exceeds: how deeply it is nested (the outermost array or object is level 1) or
 * how many members an object has, at whatever level. Reads each byte once and stops at the first excess, so it can run before
 * JSON.parse, whose time and memory for `[[[[…` grow with the nesting, and which needs microseconds for each member of a huge
 * object. Its result for invalid JSON is arbitrary; the parser refuses that.
 */
export function findExceededLimit(
  json: Uint8Array,
  limits: { depth?: number; members?: number },
): 'depth' | 'members' | null {
  const { depth: maxDepth = Number.POSITIVE_INFINITY, members: maxMembers = Number.POSITIVE_INFINITY } =
    limits;
  /** The number of members so far of the open object or array at each level; an array has none. */
  const memberCounts: number[] = [0];
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (isInString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COLON) {
      if (++memberCounts[depth]! > maxMembers) return 'members';
    }
    // `[` and `{` differ in one bit only, and so do `]` and `}`.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) return 'depth';
      memberCounts[depth] = 0;
    }
    // Anything after an unmatched closing bracket is not JSON.
    else if ((byte | 0x20) === 0x7d && --depth < 0) return null;
  }
  return null;
}

/** The problem of a body that is nested too deeply. */
export const TOO_DEEP = problemAt('', createReason('service.bodyTooDeep', { maximum: MAX_JSON_DEPTH }));

/** @throws ServiceError `validation_failed` for JSON that is nested deeper than the limit */
export function requireShallow(json: Uint8Array): void {
  if (findExceededLimit(json, { depth: MAX_JSON_DEPTH })) throw validationError([TOO_DEEP]);
}
