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
   * and no other row was about it, the carrier rejected the query of this number, or it could not be registered or queried afterwards.
   * Unlike an answer without observations, this says nothing about the shipment.
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
   * @throws CarrierError, also if every number has a failure
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
 * @throws CarrierError if all of them are failures, unless a number was registered, which must not be forgotten: of their kind, or
 * `broken` if they have several
 */
export function requireReadableAnswers(answers: CarrierAnswer[]): CarrierAnswer[] {
  const failures = answers.flatMap(({ failure, isNewlyRegistered }) =>
    failure && !isNewlyRegistered ? [failure] : [],
  );
  const [firstFailure] = failures;
  if (firstFailure === undefined || failures.length < answers.length) return answers;
  const kind = failures.every((failure) => failure === firstFailure) ? firstFailure : 'broken';
  throw new CarrierError(kind, 'the carrier has sent no readable row about any of the numbers', false);
}
