import type { RouterOutputs } from '../api/router-types';

type CallError = NonNullable<RouterOutputs['keys']['calls']['calls'][number]['error']>;

/** Returns what was wrong with a call: the message and the problems, without a problem that the message is made of. */
export function callErrorText({ message, errors }: CallError): string {
  const problemTexts = errors.map((problem) => [problem.path, problem.message].filter(Boolean).join(': '));
  return [...new Set([message, ...problemTexts])].join(' ');
}
