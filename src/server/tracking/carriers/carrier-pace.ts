import { CarrierError } from './carrier-client';
import type { Fetch } from './carrier-http';

export interface Pace {
  /** A fetch whose requests each wait for their turn. */
  readonly fetch: Fetch;
  /** Whether a request with this signal is still waiting for its turn, so that the carrier has not been called. */
  isWaiting(signal: AbortSignal): boolean;
  /** How long a new request would wait, in milliseconds. */
  waitMs(): number;
}

/** A second plus a margin: requests sent a second apart may arrive closer, and the carrier counts by its own clock. */
const WINDOW_MS = 1_100;

/**
 * Creates a rate limiter that sends at most `requestsPerSecond` requests in any second, in order of arrival. A request that is
 * aborted while it waits gives up its turn. The count is per process: several processes with one key share the carrier's limit
 * without knowing of each other, and then its 429 slows them down.
 */
export function createPace(options: { requestsPerSecond: number; fetch: Fetch; now: () => number }): Pace {
  const { requestsPerSecond, now } = options;
  const sent: number[] = [];
  const waiting = new Map<() => void, AbortSignal | null>();
  let timer: NodeJS.Timeout | undefined;

  function freeIn(): number {
    return sent.length < requestsPerSecond ? 0 : Math.max(0, sent[0]! + WINDOW_MS - now());
  }

  function go(): void {
    timer = undefined;
    for (const start of waiting.keys()) {
      const wait = freeIn();
      if (wait > 0) {
        timer = setTimeout(go, Math.ceil(wait));
        return;
      }
      if (sent.length >= requestsPerSecond) sent.shift();
      sent.push(now());
      waiting.delete(start);
      start();
    }
  }

  function turn(signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(start);
        reject(new CarrierError('timeout', 'no turn in time', false));
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      waiting.set(start, signal);
      if (!timer) go();
    });
  }

  return {
    fetch: async (input, init) => {
      await turn(init?.signal ?? null);
      return options.fetch(input, init);
    },
    isWaiting: (signal) => [...waiting.values()].includes(signal),
    waitMs: () => freeIn() + Math.floor(waiting.size / requestsPerSecond) * WINDOW_MS,
  };
}
