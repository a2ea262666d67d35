import { abridge } from './text';

/** One thing that is wrong with what was sent: where, as a dotted path, and what to do about it. */
export interface Problem {
  path: string;
  message: string;
}

/** The public codes of the error envelope. */
export type ErrorCode =
  | 'bad_request'
  | 'validation_failed'
  | 'unauthorized'
  | 'forbidden'
  | 'confirmation_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'expectation_failed'
  | 'upgrade_refused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'import_failed'
  | 'internal_error'
  | 'service_unavailable'
  | 'upstream_not_configured'
  | 'upstream_failed'
  | 'upstream_timeout'
  | 'upstream_unavailable';

/** How many problems an answer lists; `error_count` says how many there are (docs/api-conventions.md). */
export const LISTED_PROBLEMS = 100;

/** How much of a path or a message is answered, in characters: both may quote what was sent, which may be long. */
const SHOWN_PATH = 200;
const SHOWN_MESSAGE = 1_000;

const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  validation_failed: 422,
  unauthorized: 401,
  forbidden: 403,
  confirmation_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  upgrade_refused: 426,
  rate_limited: 429,
  headers_too_large: 431,
  import_failed: 500,
  internal_error: 500,
  service_unavailable: 503,
  upstream_not_configured: 503,
  upstream_failed: 502,
  upstream_timeout: 504,
  upstream_unavailable: 503,
};

interface ErrorDetails {
  problems?: readonly Problem[];
  problemCount?: number;
  /** More members of the envelope, all public. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/**
 * An error with a text that may leave the service. Its `cause` is for the log alone.
 *
 * Keeps at most {@link LISTED_PROBLEMS} problems, with paths and messages of limited length, so that no answer is larger than
 * its request was wrong.
 *
 * Told apart by its name, never by `instanceof`: the server's bundle and Next's each have their own copy.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  readonly members: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(abridge(message, SHOWN_MESSAGE), { cause: details.cause });
    this.status = STATUS[code];
    const problems = details.problems ?? [];
    this.problems = problems.slice(0, LISTED_PROBLEMS).map(({ path, message: text }) => ({
      path: abridge(path, SHOWN_PATH),
      message: abridge(text, SHOWN_MESSAGE),
    }));
    this.problemCount = details.problemCount ?? problems.length;
    this.members = details.members ?? {};
    this.headers = details.headers ?? {};
  }
}

/** Whether this is a ServiceError, whichever bundle made it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError';
}

/** The 422 of docs/api-conventions.md: the first hundred problems, and how many there are. */
export function validationError(problems: readonly Problem[], count = problems.length): ServiceError {
  const first = problems[0];
  const message = first
    ? `${first.path ? `${first.path}: ` : ''}${first.message}${count > 1 ? ` (and ${count - 1} more)` : ''}`
    : 'The request is not valid.';
  return new ServiceError('validation_failed', message, { problems, problemCount: count });
}

/** The error envelope of docs/api-conventions.md, for every error of every operation. */
export function errorEnvelope(error: ServiceError, requestId: string): Record<string, unknown> {
  return {
    success: false,
    message: error.message,
    code: error.code,
    request_id: requestId,
    ...(error.problemCount > 0 ? { errors: error.problems, error_count: error.problemCount } : {}),
    ...error.members,
  };
}
