import { useCallback } from 'react';
import { useReasonText } from './reason-text';

/**
 * Says what is wrong with a field, in the reader's language and as a sentence of its own: the API's "must not be empty" stands
 * under the field as "Must not be empty.".
 */
export function useProblemText(): (message: string) => string {
  const reasonText = useReasonText();
  return useCallback(
    (message) => {
      const text = reasonText(message);
      if (!/^\p{Lowercase}/u.test(text)) return text;
      return text[0]!.toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
    },
    [reasonText],
  );
}
