import type { TRPCClientErrorLike } from '@trpc/client';
import type { AppRouter } from '../../server/api/router';
import type { Problem, Reason } from '../../server/core/reason';

/** Why the service refused: the public side of its errors. */
export interface ServiceFailure {
  /** A word such as `validation_failed`; `offline` where no answer came. */
  code: string;
  /** In English, for an answer that brings no reason. */
  message: string;
  reason: Reason | null;
  problems: readonly Problem[];
}

/** What an answer of the service to a page says of a failure, beside the members that the HTTP API has. */
interface Envelope {
  code?: unknown;
  message?: unknown;
  reason?: Reason;
  problems?: readonly Problem[];
}

/**
 * Reads any error of a call. A procedure's error has tRPC's form, what is refused before one runs has the envelope of the HTTP
 * API, and without an answer there is neither.
 */
export function failureOf(error: unknown): ServiceFailure {
  const { data, message, meta } = error as TRPCClientErrorLike<AppRouter> & {
    meta?: { responseJSON?: unknown };
  };
  if (data) return { code: data.code, message, reason: data.reason, problems: data.problems };
  const envelope = meta?.responseJSON as Envelope | undefined;
  if (typeof envelope?.code !== 'string' || typeof envelope.message !== 'string')
    return { code: 'offline', message: '', reason: null, problems: [] };
  const { code, reason = null, problems = [] } = envelope;
  return { code, message: envelope.message, reason, problems };
}
