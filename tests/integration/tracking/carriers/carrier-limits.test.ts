import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarrierClient } from '../../../../src/server/tracking/carriers/carrier-client';
import { createCarrierGate } from '../../../../src/server/tracking/carriers/carrier-gate';
import { openGate, refusalOf, statusesOf } from '../../../support/stand-ins/carrier-clients';
import { type CarrierStandIn, startCarrierStandIn } from '../../../support/stand-ins/carrier-stand-in';

let carrier: CarrierStandIn;

beforeEach(async () => {
  carrier = await startCarrierStandIn();
});
afterEach(() => carrier.close());

/** Lets time pass only when the test says so, because on a busy machine a query that is in time would be too late. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits for the carrier or its answers while time is stopped. `expect.poll` would let time pass. */
async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

describe('the time limit', () => {
  it('ends a query with 504 if the carrier is too slow', async () => {
    carrier.script('A', { kind: 'slow', ms: 60_000 });
    expect(await refusalOf(openGate(carrier, { timeoutMs: 300 }), 'A')).toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    });
  });

  it('includes retries', async () => {
    stopTime();
    carrier.script('A', { kind: 'status', status: 500 }, { kind: 'held', until: new Promise(() => {}) });
    const errorPromise = refusalOf(openGate(carrier, { timeoutMs: 300, now: () => Date.now() }), 'A');
    await waitUntil(() => carrier.requests.length === 2);
    await vi.advanceTimersByTimeAsync(300);
    expect((await errorPromise).status).toBe(504);
  });

  it('applies even to a client that ignores its signal', async () => {
    const unresponsiveClient: CarrierClient = { name: 'unresponsive', query: () => new Promise(() => {}) };
    const gate = createCarrierGate(() => unresponsiveClient, { timeoutMs: 100 });
    onTestFinished(() => gate.close());
    expect((await refusalOf(gate, 'A')).status).toBe(504);
  });

  it('allows waiting for a Retry-After that is within it', async () => {
    carrier.script('A', { kind: 'status', status: 429, retryAfter: '1' }, { kind: 'known' });
    expect(statusesOf(await openGate(carrier).query(['A']))).toEqual(['in_transit']);
    const [firstAt, secondAt] = carrier.requests.map(({ arrivedAt }) => arrivedAt);
    expect(secondAt! - firstAt!).toBeGreaterThanOrEqual(990);
  });

  it('rules out waiting for a Retry-After that is beyond it', async () => {
    carrier.script('A', { kind: 'status', status: 429, retryAfter: '3600' });
    expect((await refusalOf(openGate(carrier), 'A')).status).toBe(502);
    expect(carrier.requests).toHaveLength(1);
  });
});

describe('the rate limit', () => {
  it('covers retries and registrations', async () => {
    const startedAt = performance.now();
    const gate = openGate(carrier, { requestsPerSecond: 3, timeoutMs: 10_000 });
    carrier.script('A', { kind: 'status', status: 500 }, { kind: 'status', status: 500 }, { kind: 'known' });
    carrier.script('B', { kind: 'unregistered' });
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((number) => gate.query([number])),
    );
    expect(answers.flat()).toHaveLength(7);
    expect(carrier.requests).toHaveLength(11);
    // Three at a time (tests/unit/tracking/carriers/carrier-rate-limiter.test.ts): the eleventh is in the fourth group.
    expect(performance.now() - startedAt).toBeGreaterThan(3 * 1_000);
  });

  it('causes 503 if too many queries are waiting, which does not count as a failure of the carrier', async () => {
    stopTime();
    const timeoutMs = 1_500;
    const gate = openGate(carrier, {
      requestsPerSecond: 3,
      timeoutMs,
      failureThreshold: 1,
      now: () => Date.now(),
    });
    const numbers = Array.from({ length: 20 }, (_, index) => `N${index}`);
    let answerCount = 0;
    const outcomesPromise = Promise.allSettled(
      numbers.map(async (number) => {
        await gate.query([number]);
        answerCount++;
      }),
    );
    await waitUntil(() => answerCount === 3);
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    await waitUntil(() => answerCount === 6);
    await vi.advanceTimersByTimeAsync(1);
    const outcomes = await outcomesPromise;
    const rejections = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(outcomes.length - rejections.length).toBe(6);
    for (const { reason } of rejections) {
      expect(reason).toMatchObject({
        status: 503,
        code: 'upstream_unavailable',
        members: { source: 'carrier' },
      });
      expect(reason.headers['Retry-After']).toMatch(/^[1-9]$/);
    }
    const answersPromise = gate.query(['AGAIN']);
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(statusesOf(await answersPromise)).toEqual(['in_transit']);
  });
});
