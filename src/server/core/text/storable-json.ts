import { createReason, type Problem, problemAt } from '../errors/reason';
import { hasLostDigits, LOST_DIGITS } from '../exact-integer';
import { truncate, unstorableReason } from './text';

const MAX_DEPTH = 32;

/**
 * Returns a problem that prevents a parsed JSON value from being stored as jsonb: U+0000 or a lone surrogate in a string
 * or a member name, a number that is not finite or has lost digits, or nesting beyond 32 levels. Returns null if there is none.
 * Does not recurse, so deep nesting cannot exhaust the stack.
 */
export function storageProblem(value: unknown, path = ''): Problem | null {
  const pendingValues: { value: unknown; path: string; depth: number }[] = [{ value, path, depth: 0 }];
  for (let pendingValue = pendingValues.pop(); pendingValue; pendingValue = pendingValues.pop()) {
    const { value: content, path: contentPath, depth } = pendingValue;
    if (typeof content === 'string') {
      const reason = unstorableReason(content);
      if (reason) return problemAt(contentPath, reason);
    } else if (typeof content === 'number' && !Number.isFinite(content)) {
      return problemAt(contentPath, createReason('cell.finite'));
    } else if (hasLostDigits(content)) {
      return problemAt(contentPath, LOST_DIGITS);
    } else if (typeof content === 'object' && content !== null) {
      if (depth === MAX_DEPTH)
        return problemAt(truncate(contentPath, 200), createReason('text.depth', { maximum: MAX_DEPTH }));
      for (const [name, innerValue] of Object.entries(content)) {
        const innerPath = contentPath ? `${contentPath}.${truncate(name, 60)}` : truncate(name, 60);
        const reason = unstorableReason(name);
        if (reason) return problemAt(contentPath, createReason('text.name', { reason }));
        pendingValues.push({ value: innerValue, path: innerPath, depth: depth + 1 });
      }
    }
  }
  return null;
}
