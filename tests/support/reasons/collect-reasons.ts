import type { z } from 'zod';
import { isServiceError } from '../../../src/server/core/errors/errors';
import type { Reason } from '../../../src/server/core/errors/reason';
import { reasonOf } from '../../../src/server/core/errors/validation';

/** A subject, and a function that returns the reasons that the service itself gives for invalid input about it. */
export type ReasonCase = [subject: string, loadReasons: () => Reason[] | Promise<Reason[]>];

/** A text that is not well-formed, which the service refuses. */
export const LONE_SURROGATE = '\uD800';

/** Returns the reasons in a list that may be missing. */
export const listOf = (problems: readonly Reason[] | undefined) => [...(problems ?? [])];

/** Returns the reason why work is refused, and those of its problems. */
export function refusalReasonsOf(work: () => unknown): Reason[] {
  try {
    work();
  } catch (error) {
    if (isServiceError(error)) return [error.reason, ...error.problems];
    throw error;
  }
  throw new Error('was not refused');
}

/** Returns the reasons why a schema refuses input. */
export const reasonsOf = (result: { error?: { issues: z.core.$ZodIssue[] } | undefined }) =>
  (result.error?.issues ?? []).map(reasonOf);
