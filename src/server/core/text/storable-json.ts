import type { ReportProblem } from '../errors/problem-list';
import { createReason, type Problem, problemAt, type Reason } from '../errors/reason';
import { hasLostDigits, LOST_DIGITS } from '../exact-integer';
import { displayText, unstorableReason } from './text';

const MAX_DEPTH = 32;
/** The maximum length of a name in a path. */
const MAX_NAME_LENGTH = 60;

/**
 * Reports every problem that prevents a parsed JSON value from being stored as jsonb, in the order of the text: U+0000 or a lone
 * surrogate in a string or a member name, a number that is not finite or has lost digits, or nesting beyond 32 levels. What is
 * nested too deep is not read, so that deep nesting cannot exhaust the stack.
 */
export function findStorageProblems(
  value: unknown,
  report: ReportProblem,
  path: readonly string[] = [],
): void {
  const names: (string | number)[] = [...path];
  const reportHere = (reason: Reason) =>
    report(() =>
      problemAt(names.map((name) => displayText(String(name), MAX_NAME_LENGTH)).join('.'), reason),
    );
  const visitMember = (name: string | number, content: unknown, depth: number) => {
    names.push(name);
    visit(content, depth);
    names.pop();
  };
  const visit = (content: unknown, depth: number): void => {
    if (typeof content === 'string') {
      const reason = unstorableReason(content);
      if (reason) reportHere(reason);
    } else if (typeof content === 'number') {
      if (!Number.isFinite(content)) reportHere(createReason('cell.finite'));
      else if (hasLostDigits(content)) reportHere(LOST_DIGITS);
    } else if (typeof content === 'object' && content !== null) {
      if (depth === MAX_DEPTH) reportHere(createReason('text.depth', { maximum: MAX_DEPTH }));
      else if (Array.isArray(content))
        for (const [index, item] of content.entries()) visitMember(index, item, depth + 1);
      else
        for (const [name, member] of Object.entries(content)) {
          const reason = unstorableReason(name);
          if (reason) reportHere(createReason('text.name', { reason }));
          visitMember(name, member, depth + 1);
        }
    }
  };
  visit(value, 0);
}

/** Returns the first of the problems that {@link findStorageProblems} reports; null if there is none. */
export function storageProblem(value: unknown): Problem | null {
  let firstProblem: Problem | null = null;
  findStorageProblems(value, (createProblem) => {
    firstProblem ??= createProblem();
  });
  return firstProblem;
}
