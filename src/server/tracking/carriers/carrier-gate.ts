import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import type { ErrorCode } from '../../core/errors/error-codes';
import { ServiceError } from '../../core/errors/errors';
import { because, type Reason } from '../../core/errors/reason';
import { withRetries } from '../../core/retry';
import { normaliseTrackingNumber } from '../../core/text/text';
import { type CarrierAnswer, type CarrierClient, CarrierError } from './carrier-client';
import { CarrierHttpError, type Fetch } from './carrier-http';
import { createPace } from './carrier-pace';

/** The access to the configured carrier that all callers share. */
export interface CarrierGate {
  /** The carrier's name in API responses; null if none is configured. */
  readonly name: string | null;
  /**
   * Returns what the carrier knows about these numbers: one answer per number, in the order given, without duplicates. An
   * answer about a number that the carrier does not know has no observations.
   *
   * @throws ServiceError with `source: "carrier"`: 503 not configured, 502 refused or broken, 504 too slow, 503 with
   * Retry-After while the circuit is open or the queue is too long to be served in time (docs/tracking.md)
   */
  query(trackingNumbers: readonly string[]): Promise<CarrierAnswer[]>;
  /** Whether the circuit is open: the carrier keeps failing and is not called. */
  isDown(): boolean;
  /** Later queries fail with 503. */
  close(): void;
}

export interface CarrierGateOptions {
  /** How long a query may take, with its retries and its wait for a turn, in milliseconds. */
  timeoutMs: number;
  requestsPerSecond?: number;
  /** Consecutive failures that open the circuit. */
  failuresToOpen?: number;
  /** How long the circuit stays open before one query may try again, in milliseconds. */
  resetMs?: number;
  /** The pause before the first retry, in milliseconds; the second is twice as long. */
  retryDelayMs?: number;
  fetch?: Fetch;
  /** A monotonic clock in milliseconds; its zero does not matter. */
  now?: () => number;
}

const ATTEMPTS = 3;
const MEMBERS = { source: 'carrier' };

/** More queries are waiting than the rate limit allows in time. The carrier was not called, so this is not its failure. */
class CrowdedError extends Error {}

const secondsText = (ms: number) => String(Math.max(1, Math.ceil(ms / 1000)));

const unavailable = (reason: Reason, waitMs: number, cause?: unknown) =>
  new ServiceError('upstream_unavailable', reason, {
    members: MEMBERS,
    headers: { 'Retry-After': secondsText(waitMs) },
    cause,
  });

const NOT_CONFIGURED = because('carrier.notConfigured');

const PUBLIC: Record<CarrierError['kind'], [ErrorCode, Reason]> = {
  refused: ['upstream_failed', because('carrier.refused')],
  broken: ['upstream_failed', because('carrier.broken')],
  limited: ['upstream_failed', because('carrier.limited')],
  timeout: ['upstream_timeout', because('carrier.timeout')],
  not_configured: ['upstream_not_configured', NOT_CONFIGURED],
};

function notConfigured(): CarrierGate {
  return {
    name: null,
    query: () =>
      Promise.reject(new ServiceError('upstream_not_configured', NOT_CONFIGURED, { members: MEMBERS })),
    isDown: () => false,
    close: () => {},
  };
}

/**
 * Creates the only access to a carrier (docs/tracking.md). The gate:
 * - keeps each query within its time limit,
 * - retries temporary failures twice with growing, jittered pauses (429 after the carrier's Retry-After, if that is in time),
 * - sends no more than three requests a second,
 * - queries a number only once at a time,
 * - stops calling a carrier after five failed queries in a row.
 *
 * @param connect creates the client with the given fetch, which limits the rate of every single request; null if no carrier is
 * configured
 */
export function createCarrierGate(
  connect: ((fetch: Fetch) => CarrierClient) | null,
  options: CarrierGateOptions,
): CarrierGate {
  if (!connect) return notConfigured();
  const {
    timeoutMs,
    requestsPerSecond = 3,
    failuresToOpen = 5,
    resetMs = 30_000,
    retryDelayMs = 400,
  } = options;
  const { fetch = globalThis.fetch, now = () => performance.now() } = options;
  const pace = createPace({ requestsPerSecond, fetch, now });
  const client = connect(pace.fetch);

  function waitAfter(failure: unknown, attempt: number): number | null {
    if (!(failure instanceof CarrierError && failure.retryable)) return null;
    const backoff = retryDelayMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
    return Math.max(backoff, (failure instanceof CarrierHttpError && failure.retryAfterMs) || 0);
  }

  /** One query with its retries. Never exceeds its time limit, even if the client ignores its signal. */
  function ask(numbers: readonly string[]): Promise<CarrierAnswer[]> {
    if (pace.waitMs() >= timeoutMs) return Promise.reject(new CrowdedError('no turn in time'));
    const abort = new AbortController();
    let last: unknown;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const idle = pace.isWaiting(abort.signal) ? (last ?? new CrowdedError('no turn in time')) : undefined;
        reject(
          idle ?? new CarrierError('timeout', `no answer within ${timeoutMs} ms`, false, { cause: last }),
        );
        abort.abort();
      }, timeoutMs);
    });
    const answers = withRetries(() => client.query(numbers, abort.signal), {
      attempts: ATTEMPTS,
      deadline: now() + timeoutMs,
      waitAfter,
      onRetry: (failure) => {
        last = failure;
      },
      signal: abort.signal,
      now,
    });
    return Promise.race([answers, late]).finally(() => clearTimeout(timer));
  }

  const breaker = circuitBreaker(
    handleWhen((error) => !(error instanceof CrowdedError)),
    { halfOpenAfter: resetMs, breaker: new ConsecutiveBreaker(failuresToOpen) },
  );
  let openedAt = 0;
  breaker.onBreak(() => {
    openedAt = now();
  });

  /** @throws BrokenCircuitError at once while another query tries whether the carrier is back; cockatiel would wait for it */
  async function askUnlessOpen(numbers: readonly string[]): Promise<CarrierAnswer[]> {
    if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
    return breaker.execute(() => ask(numbers));
  }

  /** Returns the error for the caller: with a reason of this service and the carrier's error as its cause. */
  function publicError(error: unknown): unknown {
    if (error instanceof CarrierError) {
      const [code, reason] = PUBLIC[error.kind];
      return new ServiceError(code, reason, { members: MEMBERS, cause: error });
    }
    if (error instanceof CrowdedError) {
      return unavailable(because('carrier.crowded'), pace.waitMs(), error);
    }
    if (error instanceof BrokenCircuitError) {
      const message = because('carrier.down');
      return unavailable(message, openedAt + resetMs - now(), error);
    }
    return error;
  }

  /** Numbers being queried, so that concurrent callers wait for the same answer. */
  const pending = new Map<string, Promise<CarrierAnswer>>();

  function start(numbers: readonly string[]): void {
    const answers = askUnlessOpen(numbers).then(
      (found) => new Map(found.map((answer) => [answer.trackingNumber, answer])),
      (error) => {
        throw publicError(error);
      },
    );
    const forget = () => {
      for (const number of numbers) pending.delete(number);
    };
    answers.then(forget, forget);
    for (const number of numbers) {
      const unknown: CarrierAnswer = { trackingNumber: number, carrier: null, observations: [] };
      pending.set(
        number,
        answers.then((found) => found.get(number) ?? unknown),
      );
    }
  }

  return {
    name: client.name,
    query(trackingNumbers) {
      const numbers = [...new Set(trackingNumbers.map(normaliseTrackingNumber))];
      const others = numbers.filter((number) => !pending.has(number));
      if (others.length > 0) start(others);
      return Promise.all(numbers.map((number) => pending.get(number)!));
    },
    isDown: () => breaker.state === CircuitState.Open,
    close: () => void breaker.isolate(),
  };
}
