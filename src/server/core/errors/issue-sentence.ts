import type { z } from 'zod';
import { sentenceOf } from './sentence';
import { attachedReason } from './validation';

/**
 * Returns the English sentence of an issue: that of its reason, or its own message if it has no reason, as in some schemas of the
 * command line and the configuration.
 */
export function sentenceOfIssue(issue: Pick<z.core.$ZodIssue, 'message'>): string {
  const reason = attachedReason(issue);
  return reason ? sentenceOf(reason) : issue.message;
}
