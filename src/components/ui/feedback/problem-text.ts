import { useCallback } from 'react';
import { type GivenReason, useReasonText } from './reason-text';

/**
 * Returns what is wrong with a field as a sentence in the reader's language: "must not be empty" appears under the field as
 * "Must not be empty.".
 */
export function useProblemText(): (reason: GivenReason) => string {
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
