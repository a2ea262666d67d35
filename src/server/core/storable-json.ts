import type { Problem } from './errors';
import { hasLostDigits, LOST_DIGITS } from './exact-integer';
import { abridge, unstorable } from './text';

const MAX_DEPTH = 32;

/**
 * What keeps a parsed JSON value from being stored as jsonb, with its path: U+0000 or half a surrogate pair in a text or a
 * name, a number that is none or has lost its last digits, nesting beyond 32 levels. Null where nothing does. Does not recurse, so that no nesting can
 * exhaust the stack.
 */
export function storableProblem(value: unknown, path = ''): Problem | null {
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value, path, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: found, path: at, depth } = next;
    if (typeof found === 'string') {
      const message = unstorable(found);
      if (message) return { path: at, message };
    } else if (typeof found === 'number' && !Number.isFinite(found)) {
      return { path: at, message: 'must be a finite number' };
    } else if (hasLostDigits(found)) {
      return { path: at, message: LOST_DIGITS };
    } else if (typeof found === 'object' && found !== null) {
      if (depth === MAX_DEPTH)
        return { path: abridge(at, 200), message: `must not be nested deeper than ${MAX_DEPTH}` };
      for (const [name, inner] of Object.entries(found)) {
        const innerPath = at ? `${at}.${abridge(name, 60)}` : abridge(name, 60);
        if (unstorable(name)) return { path: at, message: `has a name that ${unstorable(name)}` };
        waiting.push({ value: inner, path: innerPath, depth: depth + 1 });
      }
    }
  }
  return null;
}
