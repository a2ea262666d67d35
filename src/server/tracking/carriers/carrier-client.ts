import type { LeftOut, Observation } from '../observation';

/** What a carrier knows of one number. */
export interface CarrierAnswer {
  trackingNumber: string;
  /** The carrier's name, as people read it. */
  carrier: string | null;
  /** Events and snapshot, in the form in which callbacks' are merged; empty where the carrier does not know the number. */
  observations: Observation[];
  /** What of the answer made no event, and why; missing where that is nothing. */
  leftOut?: LeftOut[];
  /** Whether the number has been registered with the carrier for this answer. */
  registered?: boolean;
}

/**
 * A carrier's open interface. An implementation speaks one vendor's wire format, validates what comes back, and knows no
 * database.
 */
export interface CarrierClient {
  /** As the answers name it: `17track`, `yanwen`. */
  readonly name: string;
  /**
   * Asks for numbers, all in as few calls as the vendor allows.
   *
   * @throws CarrierError
   */
  query(trackingNumbers: readonly string[], signal: AbortSignal): Promise<CarrierAnswer[]>;
}

/** Why a carrier gave no answer. `retryable` says whether the same question may be answered in a moment. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';

  constructor(
    readonly kind: 'not_configured' | 'refused' | 'broken' | 'timeout' | 'limited',
    message: string,
    readonly retryable: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}
