import type { z } from 'zod';
import { sentenceOf } from './sentence';
import { attachedReason } from './validation';

/** Returns the English sentence of an issue. Some schemas of the command line and the configuration have their own wording. */
export function wordsOf(issue: Pick<z.core.$ZodIssue, 'message'>): string {
  const reason = attachedReason(issue);
  return reason ? sentenceOf(reason) : issue.message;
}
