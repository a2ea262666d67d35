import type { Reason } from '../../core/errors/reason';

/** Thrown if a message could not be sent. */
export class SendError extends Error {
  override readonly name = 'SendError';

  /**
   * @param reason shown to users, so it contains neither a webhook's address nor a password
   * @param kind `refused`: the same message would be refused again; `later`: it may be accepted later; `outage`: like `later`,
   * but all other messages to this vendor fail too
   */
  constructor(
    readonly reason: Reason,
    readonly kind: 'refused' | 'later' | 'outage',
    options?: { cause?: unknown },
  ) {
    super(reason.reason, options);
  }
}
