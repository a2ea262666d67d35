import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRateLimiter } from '../../../../src/server/tracking/carriers/carrier-rate-limiter';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the largest number of requests that were sent within any second. */
function maxPerSecond(times: readonly number[]): number {
  return Math.max(
    ...times.map((start) => times.filter((time) => time >= start && time < start + 1_000).length),
  );
}

it('at most three requests are sent in any second, without longer pauses than necessary', async () => {
  const sendTimes: number[] = [];
  const fetch = async () => {
    sendTimes.push(Date.now());
    return new Response();
  };
  const rateLimiter = createRateLimiter({ requestsPerSecond: 3, fetch, now: Date.now });
  const startedAt = Date.now();
  const responsePromises = Array.from({ length: 11 }, () => rateLimiter.fetch('http://carrier.example'));
  await vi.advanceTimersByTimeAsync(700);
  responsePromises.push(rateLimiter.fetch('http://carrier.example'));
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(responsePromises);
  expect(sendTimes).toHaveLength(12);
  expect(maxPerSecond(sendTimes)).toBe(3);
  expect(sendTimes.at(-1)! - startedAt).toBeLessThan(3 * 1_200);
});
