import type { Reason } from '../../core/errors/reason';

/** A message was not accepted. */
export class NotSent extends Error {
  override readonly name = 'NotSent';

  /**
   * @param reason for people; holds no address of a webhook and no password
   * @param kind `refused`: the same message will be refused again; `later`: it may be accepted later; `outage`: so may every
   * other message to this vendor
   */
  constructor(
    readonly reason: Reason,
    readonly kind: 'refused' | 'later' | 'outage',
    options?: { cause?: unknown },
  ) {
    super(reason.reason, options);
  }
}
