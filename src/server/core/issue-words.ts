import type { z } from 'zod';
import { sentenceOf } from './sentence';
import { givenReason } from './validation';

/** What an issue says in English, also where its schema, as some of the command line and the configuration do, words it itself. */
export function wordsOf(issue: Pick<z.core.$ZodIssue, 'message'>): string {
  const reason = givenReason(issue);
  return reason ? sentenceOf(reason) : issue.message;
}
