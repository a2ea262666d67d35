import { describe, expect, it, vi } from 'vitest';
import {
  checkCaller,
  recheckCaller,
  recheckCallerAfterWait,
} from '../../../../src/server/http/caller/caller-check';
import type { Exchange } from '../../../../src/server/http/exchange';

function createExchange(headers: Record<string, string>, isComplete = false) {
  const exchange = { req: { headers, complete: isComplete }, callerCheck: null } as unknown as Exchange;
  let lookupCount = 0;
  const findCaller = async () => void lookupCount++;
  return {
    exchange,
    findCaller,
    lookupCount: () => lookupCount,
    arrive: () => (exchange.req.complete = true),
  };
}

describe('the caller is looked up', () => {
  it('once if the whole request has arrived', async () => {
    for (const { exchange, findCaller, lookupCount } of [
      createExchange({}),
      createExchange({ 'content-length': '0' }),
      createExchange({ 'content-length': '9' }, true),
    ]) {
      await checkCaller(exchange, findCaller);
      await recheckCaller(exchange, false);
      await recheckCaller(exchange, true);
      expect(lookupCount()).toBe(1);
    }
  });

  it('again after a wait of more than a second, and then once more before the next change', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { exchange, findCaller, lookupCount } = createExchange({});
      await checkCaller(exchange, findCaller);
      await recheckCaller(exchange, true);
      vi.advanceTimersByTime(1_000);
      await recheckCallerAfterWait(exchange);
      expect(lookupCount()).toBe(1);
      vi.advanceTimersByTime(1);
      await recheckCallerAfterWait(exchange);
      expect(lookupCount()).toBe(2);
      await recheckCaller(exchange, true);
      expect(lookupCount()).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('again if the end of the body arrived later, whether its length was known or not', async () => {
    for (const { exchange, findCaller, lookupCount, arrive } of [
      createExchange({ 'content-length': '9' }),
      createExchange({ 'transfer-encoding': 'chunked' }),
    ]) {
      await checkCaller(exchange, findCaller);
      arrive();
      await recheckCaller(exchange, false);
      await recheckCaller(exchange, true);
      expect(lookupCount()).toBe(2);
    }
  });

  it('once if the body was parsed in the same turn of the event loop as the headers', async () => {
    const { exchange, findCaller, lookupCount, arrive } = createExchange({ 'content-length': '9' });
    const firstCheckPromise = checkCaller(exchange, findCaller);
    arrive();
    await firstCheckPromise;
    await recheckCaller(exchange, true);
    expect(lookupCount()).toBe(1);
  });

  it('before each change of a batch, and once for a batch that only reads', async () => {
    const changingExchange = createExchange({});
    await checkCaller(changingExchange.exchange, changingExchange.findCaller);
    await Promise.all(Array.from({ length: 5 }, () => recheckCaller(changingExchange.exchange, true)));
    expect(changingExchange.lookupCount()).toBe(5);
    const readingExchange = createExchange({});
    await checkCaller(readingExchange.exchange, readingExchange.findCaller);
    await Promise.all(Array.from({ length: 5 }, () => recheckCaller(readingExchange.exchange, false)));
    expect(readingExchange.lookupCount()).toBe(1);
  });

  it('separately for each call of a batch, even while the lookup for another is still running', async () => {
    const { exchange, findCaller, lookupCount, arrive } = createExchange({ 'content-length': '9' });
    await checkCaller(exchange, findCaller);
    arrive();
    await Promise.all([recheckCaller(exchange, true), recheckCaller(exchange, true)]);
    expect(lookupCount()).toBe(3);
  });
});
