import { setTimeout as pause } from 'node:timers/promises';

export interface RetryOptions {
  /** The maximum number of attempts. */
  maxAttempts: number;
  /** No further attempt is made if the wait before it would reach this time on the clock {@link now}. */
  deadline: number;
  /** Returns the milliseconds to wait after failed attempt number `attempt`, from 1; null if another attempt cannot help. */
  waitMsAfter: (error: unknown, attempt: number) => number | null;
  /** Called with a failure before the wait for the next attempt. */
  onRetry?: (error: unknown) => void;
  /** Aborts a wait. */
  signal?: AbortSignal;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Runs work until it succeeds.
 *
 * @throws the last attempt's error when no attempt is left, another cannot help, or the wait would reach the deadline; an
 * `AbortError` if the signal ends a wait
 */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { maxAttempts, deadline, waitMsAfter, onRetry, signal, now = () => performance.now() } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const waitMs = attempt < maxAttempts ? waitMsAfter(error, attempt) : null;
      if (waitMs === null || now() + waitMs >= deadline) throw error;
      onRetry?.(error);
      await pause(waitMs, undefined, { signal });
    }
  }
}
