import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { ServiceError } from '../core/errors';

/** Counts a key's request. Answers the headers that say what is left. */
export type RateLimit = (keyId: number) => Promise<Record<string, string>>;

const WINDOW_SECONDS = 60;

function headers(
  perMinute: number,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): Record<string, string> {
  return {
    'RateLimit-Limit': String(perMinute),
    'RateLimit-Remaining': String(Math.max(0, remainingPoints)),
    'RateLimit-Reset': String(Math.ceil(msBeforeNext / 1000)),
  };
}

function createLimiter(pool: pg.Pool, store: 'memory' | 'postgres', points: number): RateLimiterAbstract {
  const options = { points, duration: WINDOW_SECONDS, keyPrefix: 'key' };
  if (store === 'memory') return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // upkeep.ts deletes what has expired; the package's own timer would outlive the pool.
    clearExpiredByTimeout: false,
  });
}

/**
 * Limits the requests of each API key in a minute (decisions.md, "Limits"). In memory each process counts its own; in
 * PostgreSQL all count together.
 *
 * The limit throws ServiceError `rate_limited` with Retry-After and RateLimit headers where a key has used it up.
 */
export function createRateLimit(
  pool: pg.Pool,
  options: { perMinute: number; store: 'memory' | 'postgres' },
): RateLimit {
  const limiter = createLimiter(pool, options.store, options.perMinute);
  return async (keyId) => {
    try {
      return headers(options.perMinute, await limiter.consume(keyId));
    } catch (rejected) {
      if (!(rejected instanceof RateLimiterRes)) throw rejected;
      const told = headers(options.perMinute, rejected);
      const message = `This key may make ${options.perMinute} requests a minute. Go on in ${told['RateLimit-Reset']} s.`;
      throw new ServiceError('rate_limited', message, {
        headers: { ...told, 'Retry-After': told['RateLimit-Reset']! },
      });
    }
  };
}

/** Deletes the counts of minutes that are over. */
export async function deleteExpiredCounts(pool: pg.Pool): Promise<void> {
  await pool.query('DELETE FROM rate_limits WHERE expire < extract(epoch FROM now()) * 1000');
}
