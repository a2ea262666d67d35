import type { TRPCError } from '@trpc/server';
import { ERROR_CODES, type TrpcRefusalCode } from '../core/errors/error-codes';
import { isServiceError, MAX_LISTED_PROBLEMS, ServiceError, validationError } from '../core/errors/errors';
import type { ProblemList } from '../core/errors/problem-list';
import { createReason, type Problem, problemAt, type Reason } from '../core/errors/reason';
import { reasonOf } from '../core/errors/validation';
import { isDatabaseUnavailable } from '../db/unavailable';

interface ZodIssue {
  code: string;
  path: PropertyKey[];
  message: string;
  keys?: string[];
}

function readZodIssues(error: unknown): ZodIssue[] | null {
  const issues = (error as { issues?: unknown } | undefined)?.issues;
  return error instanceof Error && Array.isArray(issues) ? issues : null;
}

/**
 * Converts zod's issues to problems, at most as many as a response lists. The path of an unknown member ends in its name.
 */
export function problemsOf(issues: readonly ZodIssue[]): Problem[] {
  const problems: Problem[] = [];
  for (const issue of issues) {
    const path = issue.path.map(String);
    const remainingCount = MAX_LISTED_PROBLEMS - problems.length;
    if (remainingCount <= 0) break;
    if (issue.code !== 'unrecognized_keys') problems.push(problemAt(path.join('.'), reasonOf(issue)));
    else
      for (const key of (issue.keys ?? []).slice(0, remainingCount))
        problems.push(problemAt([...path, key].join('.'), reasonOf(issue)));
  }
  return problems;
}

/** Returns the number of all problems in zod's issues. */
const countProblems = (issues: readonly ZodIssue[]): number =>
  issues.reduce((sum, { code, keys }) => sum + (code === 'unrecognized_keys' ? (keys?.length ?? 0) : 1), 0);

/** Adds the problems in zod's issues to a list. */
export function addIssues(problems: ProblemList, issues: readonly ZodIssue[]): void {
  problems.addAll(problemsOf(issues), countProblems(issues));
}

/** Maps tRPC's error codes to ours. Codes that are missing, such as INTERNAL_SERVER_ERROR, count as internal errors. */
const CODE_BY_TRPC_CODE = new Map<TRPCError['code'], TrpcRefusalCode>(
  Object.entries(ERROR_CODES).flatMap(([code, entry]) =>
    'trpc' in entry ? entry.trpc.map((refusal) => [refusal, code as TrpcRefusalCode] as const) : [],
  ),
);

/** Our wording for tRPC's own refusals; our code never throws a bare TRPCError. */
const REASON_BY_CODE: Record<TrpcRefusalCode, Reason> = {
  validation_failed: createReason('answer.unreadable'),
  not_found: createReason('answer.noProcedure'),
  unauthorized: createReason('service.signedOut'),
  forbidden: createReason('request.notAllowed'),
  method_not_allowed: createReason('request.queryOrMutation'),
  payload_too_large: createReason('answer.tooLarge'),
  unsupported_media_type: createReason('request.jsonBody'),
};

/**
 * Returns the error that a client may see: our own errors unchanged, invalid input as 422 naming the fields, an unreachable
 * database as 503, tRPC's own refusals in our wording, and everything else as an internal error without details.
 */
export function publicError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  if (!(thrown instanceof Error)) return internalError(thrown);
  const cause = thrown.cause;
  if (isServiceError(cause)) return cause;
  const trpcCode = thrown.name === 'TRPCError' ? (thrown as TRPCError).code : undefined;
  const issues = trpcCode === 'BAD_REQUEST' ? readZodIssues(cause) : null;
  if (issues) return validationError(problemsOf(issues), countProblems(issues));
  if (isDatabaseUnavailable(thrown)) {
    return new ServiceError('service_unavailable', createReason('service.noDatabase'), {
      headers: { 'Retry-After': '5' },
      cause: thrown,
    });
  }
  const code = trpcCode && CODE_BY_TRPC_CODE.get(trpcCode);
  return code ? new ServiceError(code, REASON_BY_CODE[code], { cause: thrown }) : internalError(thrown);
}

function internalError(cause: unknown): ServiceError {
  return new ServiceError('internal_error', createReason('service.broken'), { cause });
}
