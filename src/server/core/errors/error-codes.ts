/**
 * The public error codes with their HTTP statuses, and the tRPC codes they replace when tRPC itself refuses a call. Nothing
 * compiles if the documentation leaves out a code, or if the OpenAPI document names a status that is not listed here.
 */
export const ERROR_CODES = {
  bad_request: { status: 400 },
  unauthorized: { status: 401, trpc: ['UNAUTHORIZED'] },
  forbidden: { status: 403, trpc: ['FORBIDDEN'] },
  confirmation_required: { status: 403 },
  not_found: { status: 404, trpc: ['NOT_FOUND'] },
  method_not_allowed: { status: 405, trpc: ['METHOD_NOT_SUPPORTED'] },
  request_timeout: { status: 408 },
  conflict: { status: 409 },
  payload_too_large: { status: 413, trpc: ['PAYLOAD_TOO_LARGE'] },
  unsupported_media_type: { status: 415, trpc: ['UNSUPPORTED_MEDIA_TYPE'] },
  expectation_failed: { status: 417 },
  validation_failed: { status: 422, trpc: ['PARSE_ERROR', 'BAD_REQUEST', 'UNPROCESSABLE_CONTENT'] },
  upgrade_refused: { status: 426 },
  rate_limited: { status: 429 },
  headers_too_large: { status: 431 },
  import_failed: { status: 500 },
  internal_error: { status: 500 },
  upstream_failed: { status: 502 },
  service_unavailable: { status: 503 },
  upstream_not_configured: { status: 503 },
  upstream_unavailable: { status: 503 },
  upstream_timeout: { status: 504 },
} as const satisfies Record<string, { status: number; trpc?: readonly string[] }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The HTTP statuses of errors. */
export type ErrorStatus = (typeof ERROR_CODES)[ErrorCode]['status'];

/** The codes that replace one of tRPC's. */
export type TrpcRefusalCode = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code] extends { trpc: unknown } ? Code : never;
}[ErrorCode];
