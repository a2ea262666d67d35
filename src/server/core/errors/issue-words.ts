import type { z } from 'zod';
import { sentenceOf } from './sentence';
import { givenReason } from './validation';

/** The English sentence of an issue. Some schemas of the command line and the configuration word their issues themselves. */
export function wordsOf(issue: Pick<z.core.$ZodIssue, 'message'>): string {
  const reason = givenReason(issue);
  return reason ? sentenceOf(reason) : issue.message;
}
