import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { ServiceError } from '../core/errors/errors';
import { createReason } from '../core/errors/reason';
import * as sql from './rate-limit.queries';

/**
 * Counts one request made with a key and returns the RateLimit headers.
 *
 * @throws ServiceError `rate_limited` if the key has used up its requests
 */
export type CountRequest = (keyId: number) => Promise<Record<string, string>>;

const WINDOW_SECONDS = 60;

function rateLimitHeaders(
  perMinute: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Record<string, string> {
  return {
    'RateLimit-Limit': String(perMinute),
    'RateLimit-Remaining': String(Math.max(0, remainingPoints)),
    'RateLimit-Reset': String(Math.ceil(msBeforeNext / 1000)),
  };
}

/** Where requests are counted. */
export type CounterStore = 'memory' | 'postgres';

/** Creates a counter. In memory, each process counts separately; in PostgreSQL, all processes share the count. */
export function createCounter(
  pool: pg.Pool,
  store: CounterStore,
  options: { keyPrefix: string; points: number; duration: number },
): RateLimiterAbstract {
  if (store === 'memory') return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // upkeep.ts deletes expired counts; the package's own timer would outlive the pool.
    clearExpiredByTimeout: false,
  });
}

/**
 * Creates the function that limits each API key's requests per minute (docs/api-conventions.md). Its `rate_limited` errors have
 * Retry-After and RateLimit headers.
 */
export function createKeyRateLimiter(
  pool: pg.Pool,
  options: { perMinute: number; store: CounterStore },
): CountRequest {
  const { perMinute: points, store } = options;
  const limiter = createCounter(pool, store, { keyPrefix: 'key', points, duration: WINDOW_SECONDS });
  return async (keyId) => {
    try {
      return rateLimitHeaders(options.perMinute, await limiter.consume(keyId));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const limitHeaders = rateLimitHeaders(options.perMinute, error);
      const seconds = limitHeaders['RateLimit-Reset']!;
      const reason = createReason('request.keyLimit', { count: options.perMinute, seconds });
      throw new ServiceError('rate_limited', reason, {
        headers: { ...limitHeaders, 'Retry-After': seconds },
      });
    }
  };
}

/** Creates a counter of requests per address and minute, for this process only. */
export function createAddressCounter(perMinute: number): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: 'address', points: perMinute, duration: WINDOW_SECONDS });
}

/** Deletes the counts of past minutes. */
export async function deleteExpiredCounts(pool: pg.Pool): Promise<void> {
  await sql.deleteExpiredCounts.run(pool);
}
