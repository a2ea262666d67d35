import type { RouterOutputs } from '../api/router-types';
import type { AnyReason } from '../ui/feedback/reason-text';

type CallError = NonNullable<RouterOutputs['keys']['calls']['calls'][number]['error']>;

/** Returns the summary of an error and its problems, each with its path. */
function textsOf(error: CallError, reasonText: (reason: AnyReason) => string): string[] {
  // Release 0.27.0 logged English sentences.
  if (!('reason' in error))
    return [
      error.message,
      ...error.errors.map(({ path, message }) => [path, message].filter(Boolean).join(': ')),
    ];
  const problemTexts = error.problems.map(({ path, reason, values }) => {
    const problem = { reason, values };
    return reasonText(path === '' ? problem : { reason: 'join.at', values: { path, reason: problem } });
  });
  return [reasonText(error), ...problemTexts];
}

/**
 * Returns what was wrong with a call, to be shown one text below another: the summary and the problems, without a problem that the
 * summary is made of.
 *
 * @param reasonText formats a reason in the reader's language
 */
export function formatCallError(error: CallError, reasonText: (reason: AnyReason) => string): string[] {
  return [...new Set(textsOf(error, reasonText))];
}
