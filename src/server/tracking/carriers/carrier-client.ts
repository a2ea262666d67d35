import type { Observation, SkippedParts } from '../observation';

/** A carrier's answer about one number. */
export interface CarrierAnswer {
  trackingNumber: string;
  /** The carrier's name as the vendor gives it. Null if the vendor gives none. */
  carrier: string | null;
  /** Events and snapshot, in the form in which callbacks are merged. Empty if the answer has nothing readable. */
  observations: Observation[];
  /** Parts of the answer that produced no event, with the reason. Omitted if there are none. */
  skipped?: SkippedParts;
  /**
   * Why nothing is known about the number, although the carrier has answered about others: rows of the response could not be read
   * and no other row was about it, or it could not be registered or queried afterwards. Unlike an answer without observations, this
   * says nothing about the shipment.
   */
  failure?: CarrierError['kind'];
  /** True if the number was not registered with the carrier before this query, and is now. */
  isNewlyRegistered?: boolean;
}

/**
 * A client for a carrier's API. An implementation speaks one vendor's wire format, validates responses, and does not use the
 * database.
 */
export interface CarrierClient {
  /** The carrier's name in API responses, such as `17track`. */
  readonly name: string;
  /**
   * Queries numbers in as few calls as the vendor's limits allow. Returns one answer per number, without duplicates.
   *
   * @throws CarrierError, also if no row about any of the numbers could be read
   */
  query(trackingNumbers: readonly string[], signal: AbortSignal): Promise<CarrierAnswer[]>;
}

/** Why a carrier query failed. `retryable` means that the same query may succeed in a moment. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError';

  constructor(
    readonly kind: 'refused' | 'broken' | 'timeout' | 'limited',
    message: string,
    readonly retryable: boolean,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/**
 * Returns the answers of a query.
 *
 * @throws CarrierError `broken` if none of them could be read, unless a number was registered, which must not be forgotten
 */
export function requireReadableAnswers(answers: CarrierAnswer[]): CarrierAnswer[] {
  if (answers.length > 0 && answers.every(({ failure, isNewlyRegistered }) => failure && !isNewlyRegistered))
    throw new CarrierError('broken', 'the carrier sent rows in an unknown format', false);
  return answers;
}
