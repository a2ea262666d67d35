import { validationError } from './errors';
import { because, problemAt } from './reason';

/** How deep arrays and objects of a body may stand inside each other; the outermost is level 1. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON text in UTF-8 is nested deeper than the limit. Looks at each byte once and stops at the first that is too deep,
 * so that it can run before JSON.parse, whose time and memory for `[[[[…` grow with the nesting. Text that is no JSON gets some
 * answer and is left to the parser.
 */
export function isTooDeep(json: Uint8Array, maxDepth = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (inString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    // `[` and `{`, `]` and `}` differ in one bit only.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) return true;
    } else if ((byte | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** What is wrong with a body that is nested too deeply. */
export const TOO_DEEP = problemAt('', because('service.bodyTooDeep', { maximum: MAX_JSON_DEPTH }));

/** @throws ServiceError `validation_failed` for JSON that is nested deeper than the limit */
export function requireShallow(json: Uint8Array): void {
  if (isTooDeep(json)) throw validationError([TOO_DEEP]);
}
