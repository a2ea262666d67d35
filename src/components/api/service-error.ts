import type { TRPCClientErrorLike } from '@trpc/client';
import type { AppRouter } from '../../server/api/router';

/** What the service said when it refused: the public side of its errors. */
export interface ServiceFailure {
  /** A word such as `validation_failed`; `offline` where no answer came. */
  code: string;
  message: string;
  problems: readonly { path: string; message: string }[];
}

interface Envelope {
  code?: unknown;
  message?: unknown;
  errors?: ServiceFailure['problems'];
}

/**
 * Reads any error of a call. A procedure's error has tRPC's form, what is refused before one runs has the envelope of the HTTP
 * API, and without an answer there is neither.
 */
export function failureOf(error: unknown): ServiceFailure {
  const { data, message, meta } = error as TRPCClientErrorLike<AppRouter> & {
    meta?: { responseJSON?: unknown };
  };
  if (data) return { code: data.code, message, problems: data.problems };
  const envelope = meta?.responseJSON as Envelope | undefined;
  if (typeof envelope?.code === 'string' && typeof envelope.message === 'string')
    return { code: envelope.code, message: envelope.message, problems: envelope.errors ?? [] };
  return { code: 'offline', message: '', problems: [] };
}
