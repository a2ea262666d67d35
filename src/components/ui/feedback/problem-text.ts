import { useCallback } from 'react';
import { type AnyReason, useReasonText } from './reason-text';

/**
 * Returns a function that turns a reason into a sentence in the reader's language, to be shown at a field: "must not be empty"
 * becomes "Must not be empty.".
 */
export function useProblemText(): (reason: AnyReason) => string {
  const reasonText = useReasonText();
  return useCallback(
    (reason) => {
      const text = reasonText(reason);
      if (!/^\p{Lowercase}/u.test(text)) return text;
      return text[0]!.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
    },
    [reasonText],
  );
}
