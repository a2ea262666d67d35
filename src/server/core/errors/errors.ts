import { truncate } from '../text/text';
import { ERROR_CODES, type ErrorCode } from './error-codes';
import { createReason, type Problem, problemAt, type Reason, type ReasonValue } from './reason';
import { sentenceOf } from './sentence';

/** How many problems a response lists; `error_count` is the total (docs/api-conventions.md). */
export const MAX_LISTED_PROBLEMS = 100;

/** The maximum lengths of a path and of a value in a response: both may quote the request, which can be long. */
const MAX_PATH_LENGTH = 200;
const MAX_VALUE_LENGTH = 1_000;

/** The statuses below 500 that depend on the caller's key or its use and not on the request alone. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

interface ErrorDetails {
  /** A message that the API prescribes word for word, such as 导入失败; the default is the reason's sentence. */
  message?: string;
  problems?: readonly Problem[];
  problemCount?: number;
  /** Additional members of the envelope, all public. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Whether the same request may succeed later although the status does not say so. */
  isTemporary?: boolean;
  cause?: unknown;
}

function shortenValue(value: ReasonValue): ReasonValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return truncate(value, MAX_VALUE_LENGTH);
  return 'reason' in value
    ? withShortValues(value)
    : (value.map(shortenValue) as Extract<ReasonValue, readonly unknown[]>);
}

function withShortValues<R extends Reason>(reason: R): R {
  const values = Object.entries(reason.values).map(([name, value]) => [name, shortenValue(value)]);
  return { ...reason, values: Object.fromEntries(values) };
}

/**
 * An error whose reason may be shown to callers; its message is the reason in English, unless the API prescribes another. Its
 * `cause` is only logged.
 * Keeps at most {@link MAX_LISTED_PROBLEMS} problems and shortens their paths and values, which limits the size of the response.
 * Test for it with isServiceError, not with `instanceof`: the server's bundle and Next's each have their own copy of the class.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly reason: Reason;
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;
  /** Whether the same request may succeed later, so that its Idempotency-Key must not repeat this error. */
  readonly isTemporary: boolean;

  constructor(
    readonly code: ErrorCode,
    reason: Reason,
    details: ErrorDetails = {},
  ) {
    super(details.message ?? sentenceOf(reason), { cause: details.cause });
    this.status = ERROR_CODES[code].status;
    this.reason = withShortValues({ reason: reason.reason, values: reason.values });
    const problems = details.problems ?? [];
    this.problems = problems
      .slice(0, MAX_LISTED_PROBLEMS)
      .map(({ path, reason: key, values }) =>
        withShortValues({ path: truncate(path, MAX_PATH_LENGTH), reason: key, values }),
      );
    this.problemCount = details.problemCount ?? problems.length;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
    this.isTemporary = details.isTemporary ?? (this.status >= 500 || TEMPORARY_STATUSES.has(this.status));
  }
}

/**
 * Creates an error without a stack trace, for requests that anybody can send at any rate: nobody reads the trace, and capturing
 * it takes as long as the rest of the refusal.
 */
export function withoutStack<E extends Error>(createError: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return createError();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the 405 for a path that accepts only other methods; the `Allow` header lists them. */
export function methodNotAllowed(allowedMethods: readonly string[]): ServiceError {
  const methodList = allowedMethods.join(', ');
  return new ServiceError('method_not_allowed', createReason('request.method', { methods: methodList }), {
    headers: { Allow: methodList },
  });
}

/** Returns whether this is a ServiceError, whichever bundle created it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError';
}

/** Returns the summary of a 422: its first problem, and how many more there are. */
function summaryOf(problems: readonly Problem[], count: number): Reason {
  const [firstProblem] = problems;
  if (!firstProblem) return createReason('body.invalid');
  const { path, reason, values } = firstProblem;
  const bareReason = { reason, values };
  // Shortened as in `problems`: a caller may choose a long name.
  const reasonWithPath =
    path === ''
      ? bareReason
      : createReason('join.at', { path: truncate(path, MAX_PATH_LENGTH), reason: bareReason });
  return count > 1 ? createReason('join.more', { reason: reasonWithPath, count: count - 1 }) : reasonWithPath;
}

/** Returns the 422 of docs/api-conventions.md, with the first hundred problems and the total. */
export function validationError(
  problems: readonly Problem[],
  count = problems.length,
  options: { isTemporary?: boolean } = {},
): ServiceError {
  const details = { ...options, problems, problemCount: count };
  return new ServiceError('validation_failed', summaryOf(problems, count), details);
}

/** Returns the 404 for something that a request refers to but that does not exist. */
export function notFound(reason: Reason): ServiceError {
  return new ServiceError('not_found', reason);
}

/** Returns the 422 for a single field. */
export function invalidField(path: string, reason: Reason): ServiceError {
  return validationError([problemAt(path, reason)]);
}

/** Returns a problem in English, for REST and the command line. */
export function englishProblem(problem: Problem): { path: string; message: string } {
  return { path: problem.path, message: sentenceOf(problem) };
}

/** Returns the envelope for our own pages, with the reason and the problems also as data, so that pages can translate them. */
export function pageEnvelope(error: ServiceError, requestId: string): Record<string, unknown> {
  const { reason, values } = error.reason;
  return { ...errorEnvelope(error, requestId), reason: { reason, values }, problems: error.problems };
}

/** Returns the error envelope of docs/api-conventions.md, which has the same form for every error of every operation. */
export function errorEnvelope(error: ServiceError, requestId: string): Record<string, unknown> {
  return {
    success: false,
    message: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.problemCount > 0
      ? { errors: error.problems.map(englishProblem), error_count: error.problemCount }
      : {}),
    ...error.members,
  };
}
