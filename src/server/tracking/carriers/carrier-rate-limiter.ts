import { CarrierError } from './carrier-client';
import type { Fetch } from './carrier-http';

export interface RateLimiter {
  /** A fetch that delays requests as the limit requires. */
  readonly fetch: Fetch;
  /** Returns whether a request with this signal is still waiting, which means that it has not been sent. */
  isWaiting(signal: AbortSignal): boolean;
  /** Returns about how long a new request would wait, in milliseconds. */
  waitMs(): number;
}

/**
 * A second plus a margin, because requests sent a second apart may arrive closer together, and the carrier counts by its own
 * clock.
 */
const WINDOW_MS = 1_100;

/**
 * Creates a rate limiter that sends at most `requestsPerSecond` requests in any second, in order of arrival. A request that is
 * aborted while waiting leaves the queue. The limit is per process: several processes with one key share the carrier's limit
 * without coordination, and rely on its 429 to slow them down.
 */
export function createRateLimiter(options: {
  requestsPerSecond: number;
  fetch: Fetch;
  now: () => number;
}): RateLimiter {
  const { requestsPerSecond, now } = options;
  const sentTimes: number[] = [];
  const waitingRequests = new Map<() => void, AbortSignal | null>();
  let timer: NodeJS.Timeout | undefined;

  function msUntilFree(): number {
    return sentTimes.length < requestsPerSecond ? 0 : Math.max(0, sentTimes[0]! + WINDOW_MS - now());
  }

  function startWaitingRequests(): void {
    timer = undefined;
    for (const startRequest of waitingRequests.keys()) {
      const delayMs = msUntilFree();
      if (delayMs > 0) {
        timer = setTimeout(startWaitingRequests, Math.ceil(delayMs));
        return;
      }
      if (sentTimes.length >= requestsPerSecond) sentTimes.shift();
      sentTimes.push(now());
      waitingRequests.delete(startRequest);
      startRequest();
    }
  }

  function waitForTurn(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        waitingRequests.delete(startRequest);
        reject(new CarrierError('timeout', 'no turn in time', false));
      };
      const startRequest = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      waitingRequests.set(startRequest, signal);
      if (!timer) startWaitingRequests();
    });
  }

  return {
    fetch: async (input, init) => {
      await waitForTurn(init?.signal ?? null);
      return options.fetch(input, init);
    },
    isWaiting: (signal) => [...waitingRequests.values()].includes(signal),
    waitMs: () => msUntilFree() + Math.floor(waitingRequests.size / requestsPerSecond) * WINDOW_MS,
  };
}
