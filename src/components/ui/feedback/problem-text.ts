import { useCallback } from 'react';
import { type GivenReason, useReasonText } from './reason-text';

/**
 * Says what is wrong with a field, in the reader's language and as a sentence of its own: "must not be empty" stands under the
 * field as "Must not be empty.".
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
