import { limitBody } from '../../core/http/limited-body';
import { readRetryAfterMs } from '../../core/http/retry-after';
import { CarrierError } from './carrier-client';

export type Fetch = typeof globalThis.fetch;

/** A carrier's error response, with its Retry-After. */
export class CarrierHttpError extends CarrierError {
  constructor(
    kind: CarrierError['kind'],
    message: string,
    retryable: boolean,
    /** Milliseconds, from the Retry-After header; null if it is missing or unreadable. */
    readonly retryAfterMs: number | null,
  ) {
    super(kind, message, retryable);
  }
}

/** The maximum size of a response. Real ones are smaller: 40 numbers with 200 events each take about 4 million characters. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

function statusErrorOf(response: Response): CarrierHttpError {
  const { status } = response;
  const retryAfterMs = readRetryAfterMs(response.headers);
  if (status === 401 || status === 403) {
    return new CarrierHttpError('refused', `the carrier answered ${status}`, false, retryAfterMs);
  }
  if (status === 429) return new CarrierHttpError('limited', 'the carrier answered 429', true, retryAfterMs);
  return new CarrierHttpError('broken', `the carrier answered ${status}`, status >= 500, retryAfterMs);
}

const tooLongError = () => new CarrierError('broken', 'the response is too long', false);

function transportErrorOf(cause: unknown, signal: AbortSignal): CarrierError {
  if (cause instanceof CarrierError) return cause;
  if (signal.aborted) return new CarrierError('timeout', 'no answer in time', false, { cause });
  return new CarrierError('broken', 'the carrier cannot be reached', true, { cause });
}

/**
 * Makes one HTTP call to a carrier and parses its response as JSON. Does not follow redirects, because that could send the key to
 * another host.
 *
 * @throws CarrierError `refused` (401, 403); `limited` (429, retryable); `broken` (retryable for 5xx or a failed connection, not
 * for another status, an overlong body or one that is not JSON); `timeout` (the signal was aborted)
 */
export async function callCarrier(
  fetch: Fetch,
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<unknown> {
  let text: string;
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    if (!response.ok) {
      await response.body?.cancel();
      throw statusErrorOf(response);
    }
    text = await limitBody(response, MAX_RESPONSE_BYTES, tooLongError).text();
  } catch (error) {
    throw transportErrorOf(error, init.signal);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CarrierError('broken', 'the answer is not JSON', false, { cause });
  }
}

/** Splits elements into batches of at most `size`. */
export function splitIntoBatches<T>(elements: readonly T[], size: number): T[][] {
  const batches: T[][] = [];
  for (let start = 0; start < elements.length; start += size)
    batches.push(elements.slice(start, start + size));
  return batches;
}
