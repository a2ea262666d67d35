import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { ErrorCode } from '../../core/errors/error-codes';
import { ServiceError } from '../../core/errors/errors';
import { createReason, type Reason } from '../../core/errors/reason';
import { withRetries } from '../../core/retry';
import { normaliseTrackingNumber } from '../../core/text/text';
import { type CarrierAnswer, type CarrierClient, CarrierError } from './carrier-client';
import { CarrierHttpError, type Fetch } from './carrier-http';
import { createRateLimiter } from './carrier-rate-limiter';

/** The gate through which all callers query the configured carrier. */
export interface CarrierGate {
  /** The carrier's name in API responses; null if none is configured. */
  readonly name: string | null;
  /**
   * Returns what the carrier knows about these numbers: one answer per number, in the order of the numbers, without duplicates.
   * An answer has no observations if the carrier reports nothing readable about the number (and a `failure` if it is not known
   * what the carrier reports).
   *
   * @throws ServiceError with `source: "carrier"`: 503 if not configured, 502 if refused, limited or broken, 504 if too slow,
   * 503 with Retry-After while the circuit is open or the queue is too long (docs/tracking.md)
   */
  query(trackingNumbers: readonly string[]): Promise<CarrierAnswer[]>;
  /** Whether the circuit is open, which means that the carrier keeps failing and is not called. */
  isDown(): boolean;
  /** Closes the gate. Later queries fail with 503. */
  close(): void;
}

export interface CarrierGateOptions {
  /** How long a query may take, including retries and waiting for the rate limit, in milliseconds. */
  timeoutMs: number;
  requestsPerSecond?: number;
  /** The number of consecutive failures that opens the circuit. */
  failureThreshold?: number;
  /** How long the circuit stays open before one query may test the carrier, in milliseconds. */
  resetMs?: number;
  /** The delay before the first retry, in milliseconds, not counting jitter and Retry-After. The second is twice as long. */
  retryDelayMs?: number;
  fetch?: Fetch;
  /** A monotonic clock in milliseconds, with any starting point. */
  now?: () => number;
}

const MAX_ATTEMPTS = 3;
const ERROR_MEMBERS = { source: 'carrier' };

/** Thrown if more queries are waiting than the rate limit lets through in time. This does not count as a failure of the carrier. */
class QueueTooLongError extends Error {}

const secondsText = (ms: number) => String(Math.max(1, Math.ceil(ms / 1000)));

const unavailableError = (reason: Reason, waitMs: number, cause?: unknown) =>
  new ServiceError('upstream_unavailable', reason, {
    members: ERROR_MEMBERS,
    headers: { 'Retry-After': secondsText(waitMs) },
    cause,
  });

const NOT_CONFIGURED_REASON = createReason('carrier.notConfigured');

const PUBLIC_ERROR_BY_KIND: Record<CarrierError['kind'], [ErrorCode, Reason]> = {
  refused: ['upstream_failed', createReason('carrier.refused')],
  broken: ['upstream_failed', createReason('carrier.broken')],
  limited: ['upstream_failed', createReason('carrier.limited')],
  timeout: ['upstream_timeout', createReason('carrier.timeout')],
};

/** Returns the error for a number about which nothing is known, as if the whole query had failed. */
export function answerError(failure: CarrierError['kind']): ServiceError {
  const [code, reason] = PUBLIC_ERROR_BY_KIND[failure];
  return new ServiceError(code, reason, { members: ERROR_MEMBERS });
}

/** Whether the account's quota is used up. Numbers that need no quota are answered all the same, so the carrier is not down. */
const isQuotaError = (error: unknown) =>
  error instanceof CarrierError && error.kind === 'limited' && !error.retryable;

function createUnconfiguredGate(): CarrierGate {
  return {
    name: null,
    query: () =>
      Promise.reject(
        new ServiceError('upstream_not_configured', NOT_CONFIGURED_REASON, { members: ERROR_MEMBERS }),
      ),
    isDown: () => false,
    close: () => {},
  };
}

/**
 * Creates the gate through which a carrier is queried (docs/tracking.md). It:
 * - keeps each query within its time limit,
 * - retries temporary failures up to twice, if there is time, with growing, jittered delays of at least the carrier's Retry-After,
 * - sends no more than three requests a second by default,
 * - lets callers that ask about the same number at the same time share one query,
 * - by default, stops calling a carrier for half a minute after five failed queries in a row.
 *
 * @param createClient creates the client with a fetch that limits the rate of individual requests; null if no carrier is configured
 */
export function createCarrierGate(
  createClient: ((fetch: Fetch) => CarrierClient) | null,
  options: CarrierGateOptions,
): CarrierGate {
  if (!createClient) return createUnconfiguredGate();
  const {
    timeoutMs,
    requestsPerSecond = 3,
    failureThreshold = 5,
    resetMs = 30_000,
    retryDelayMs = 400,
  } = options;
  const { fetch = globalThis.fetch, now = () => performance.now() } = options;
  const rateLimiter = createRateLimiter({ requestsPerSecond, fetch, now });
  const client = createClient(rateLimiter.fetch);

  function waitMsAfter(failure: unknown, attempt: number): number | null {
    if (!(failure instanceof CarrierError && failure.retryable)) return null;
    const backoffMs = retryDelayMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
    return Math.max(backoffMs, (failure instanceof CarrierHttpError && failure.retryAfterMs) || 0);
  }

  /** Runs one query with its retries. Never exceeds the time limit, even if the client ignores its signal. */
  function runQuery(numbers: readonly string[]): Promise<CarrierAnswer[]> {
    if (rateLimiter.waitMs() >= timeoutMs)
      return Promise.reject(new QueueTooLongError('the rate limit leaves no time for this query'));
    const abortController = new AbortController();
    let lastFailure: unknown;
    let timer: NodeJS.Timeout | undefined;
    const timeoutPromise = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const failureInQueue = rateLimiter.isWaiting(abortController.signal)
          ? (lastFailure ?? new QueueTooLongError('the rate limit leaves no time for this query'))
          : undefined;
        reject(
          failureInQueue ??
            new CarrierError('timeout', `no answer within ${timeoutMs} ms`, false, { cause: lastFailure }),
        );
        abortController.abort();
      }, timeoutMs);
    });
    const answersPromise = withRetries(() => client.query(numbers, abortController.signal), {
      maxAttempts: MAX_ATTEMPTS,
      deadline: now() + timeoutMs,
      waitMsAfter,
      onRetry: (failure) => {
        lastFailure = failure;
      },
      signal: abortController.signal,
      now,
    });
    return Promise.race([answersPromise, timeoutPromise]).finally(() => clearTimeout(timer));
  }

  const breaker = circuitBreaker(
    handleWhen((error) => !(error instanceof QueueTooLongError || isQuotaError(error))),
    { halfOpenAfter: resetMs, breaker: new ConsecutiveBreaker(failureThreshold) },
  );
  let openedAt = 0;
  breaker.onBreak(() => {
    openedAt = now();
  });

  /**
   * @throws BrokenCircuitError while the circuit is open, and while another query tests the carrier: cockatiel alone would
   * wait for that query
   */
  async function queryUnlessCircuitOpen(numbers: readonly string[]): Promise<CarrierAnswer[]> {
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(() => runQuery(numbers));
  }

  /** Turns an error of the gate or the carrier into a ServiceError with this error as its cause. Returns any other unchanged. */
  function publicError(error: unknown): unknown {
    if (error instanceof CarrierError) {
      const [code, reason] = PUBLIC_ERROR_BY_KIND[error.kind];
      return new ServiceError(code, reason, { members: ERROR_MEMBERS, cause: error });
    }
    if (error instanceof QueueTooLongError) {
      return unavailableError(createReason('carrier.crowded'), rateLimiter.waitMs(), error);
    }
    if (error instanceof BrokenCircuitError) {
      const reason = createReason('carrier.down');
      return unavailableError(reason, openedAt + resetMs - now(), error);
    }
    return error;
  }

  /** The promised answers by number, so that concurrent callers wait for the same answer. */
  const pendingAnswerByNumber = new Map<string, Promise<CarrierAnswer>>();

  function startQuery(numbers: readonly string[]): void {
    const answersPromise = queryUnlessCircuitOpen(numbers).then(
      (answers) => new Map(answers.map((answer) => [answer.trackingNumber, answer])),
      (error) => {
        throw publicError(error);
      },
    );
    const clearPendingAnswers = () => {
      for (const number of numbers) pendingAnswerByNumber.delete(number);
    };
    answersPromise.then(clearPendingAnswers, clearPendingAnswers);
    for (const number of numbers) {
      const emptyAnswer: CarrierAnswer = { trackingNumber: number, carrier: null, observations: [] };
      pendingAnswerByNumber.set(
        number,
        answersPromise.then((answerByNumber) => answerByNumber.get(number) ?? emptyAnswer),
      );
    }
  }

  return {
    name: client.name,
    query(trackingNumbers) {
      const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
      const newNumbers = numbers.filter((number) => !pendingAnswerByNumber.has(number));
      if (newNumbers.length > 0) startQuery(newNumbers);
      return Promise.all(numbers.map((number) => pendingAnswerByNumber.get(number)!));
    },
    isDown: () => breaker.state === CircuitState.Open,
    close: () => void breaker.isolate(),
  };
}
