import { describe, expect, it } from 'vitest';
import { checkCaller, recheckCaller } from '../../../../src/server/http/caller/caller-check';
import type { Exchange } from '../../../../src/server/http/exchange';

function exchangeOf(headers: Record<string, string>, isComplete = false) {
  const exchange = { req: { headers, complete: isComplete }, callerCheck: null } as unknown as Exchange;
  let lookups = 0;
  const find = async () => void lookups++;
  return { exchange, find, lookups: () => lookups, arrive: () => (exchange.req.complete = true) };
}

describe('the caller is looked up', () => {
  it('once if the whole request has arrived', async () => {
    for (const { exchange, find, lookups } of [
      exchangeOf({}),
      exchangeOf({ 'content-length': '0' }),
      exchangeOf({ 'content-length': '9' }, true),
    ]) {
      await checkCaller(exchange, find);
      await recheckCaller(exchange, false);
      await recheckCaller(exchange, true);
      expect(lookups()).toBe(1);
    }
  });

  it('again if the end of the body arrived later, whether its length was known or not', async () => {
    for (const { exchange, find, lookups, arrive } of [
      exchangeOf({ 'content-length': '9' }),
      exchangeOf({ 'transfer-encoding': 'chunked' }),
    ]) {
      await checkCaller(exchange, find);
      arrive();
      await recheckCaller(exchange, false);
      await recheckCaller(exchange, true);
      expect(lookups()).toBe(2);
    }
  });

  it('once if the body was parsed in the same turn as the head', async () => {
    const { exchange, find, lookups, arrive } = exchangeOf({ 'content-length': '9' });
    const checking = checkCaller(exchange, find);
    arrive();
    await checking;
    await recheckCaller(exchange, true);
    expect(lookups()).toBe(1);
  });

  it('before each change of a batch, and once for a batch that only reads', async () => {
    const together = exchangeOf({});
    await checkCaller(together.exchange, together.find);
    await Promise.all(Array.from({ length: 5 }, () => recheckCaller(together.exchange, true)));
    expect(together.lookups()).toBe(5);
    const reading = exchangeOf({});
    await checkCaller(reading.exchange, reading.find);
    await Promise.all(Array.from({ length: 5 }, () => recheckCaller(reading.exchange, false)));
    expect(reading.lookups()).toBe(1);
  });

  it('for each call of a batch separately while the lookup for another is still running', async () => {
    const { exchange, find, lookups, arrive } = exchangeOf({ 'content-length': '9' });
    await checkCaller(exchange, find);
    arrive();
    await Promise.all([recheckCaller(exchange, true), recheckCaller(exchange, true)]);
    expect(lookups()).toBe(3);
  });
});
