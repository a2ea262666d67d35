import type { TRPCClientErrorLike } from '@trpc/client';
import type { AppRouter } from '../../server/api/router';
import type { ConflictDetails } from '../../server/audit/edit-conflict-service';
import type { Problem, Reason } from '../../server/core/errors/reason';

/** The browser cannot read a chosen or dropped file, for example because it is a folder. */
export class UnreadableFileError extends Error {}

/** Why a call failed: if the service refused it, the public part of the service's error. */
export interface ServiceFailure {
  /**
   * A code such as `validation_failed`; `offline` if there was no response, or one that is not from the service;
   * `unanswered` if that happened to a change, which may have been saved all the same; `unreadable_file` if the browser could not
   * read the file to send.
   */
  code: string;
  /** The English fallback for a response without a reason. */
  message: string;
  reason: Reason | null;
  problems: readonly Problem[];
  /** For a form: what somebody else saved in the meantime. */
  conflict?: ConflictDetails;
}

/** An error response to a page; `reason` and `problems` are not part of the HTTP API. */
interface Envelope {
  code?: unknown;
  message?: unknown;
  reason?: Reason;
  problems?: readonly Problem[];
}

/**
 * Returns the failure that an error of a call stands for. A procedure's error has tRPC's shape; a call refused before the procedure
 * ran has the envelope of the HTTP API; if the service sent no response, there is neither.
 */
export function failureOf(error: unknown): ServiceFailure {
  if (error instanceof UnreadableFileError)
    return { code: 'unreadable_file', message: '', reason: null, problems: [] };
  const { data, message, meta } = error as TRPCClientErrorLike<AppRouter> & {
    meta?: { responseJSON?: unknown; mayBeDone?: boolean };
  };
  if (data) {
    const { changed } = data.members as { changed?: ConflictDetails };
    return {
      code: data.code,
      message,
      reason: data.reason,
      problems: data.problems,
      ...(changed && { conflict: changed }),
    };
  }
  const envelope = meta?.responseJSON as Envelope | undefined;
  if (typeof envelope?.code !== 'string' || typeof envelope.message !== 'string')
    return {
      code: meta?.mayBeDone ? 'unanswered' : 'offline',
      message: '',
      reason: null,
      problems: [],
    };
  const { code, reason = null, problems = [] } = envelope;
  return { code, message: envelope.message, reason, problems };
}
