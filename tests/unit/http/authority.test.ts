import { describe, expect, it } from 'vitest';
import { confirmAuthority, readAuthority } from '../../../src/server/http/authority';
import type { Exchange } from '../../../src/server/http/exchange';

function exchangeOf(headers: Record<string, string>, complete = false) {
  const exchange = { req: { headers, complete }, authority: null } as unknown as Exchange;
  let readings = 0;
  const read = async () => void readings++;
  return { exchange, read, readings: () => readings, arrive: () => (exchange.req.complete = true) };
}

describe('who asks is read', () => {
  it('once where the whole request was there', async () => {
    for (const { exchange, read, readings } of [
      exchangeOf({}),
      exchangeOf({ 'content-length': '0' }),
      exchangeOf({ 'content-length': '9' }, true),
    ]) {
      await readAuthority(exchange, read);
      await confirmAuthority(exchange, false);
      await confirmAuthority(exchange, true);
      expect(readings()).toBe(1);
    }
  });

  it('again where the end of the body came later, of a known length or not', async () => {
    for (const { exchange, read, readings, arrive } of [
      exchangeOf({ 'content-length': '9' }),
      exchangeOf({ 'transfer-encoding': 'chunked' }),
    ]) {
      await readAuthority(exchange, read);
      arrive();
      await confirmAuthority(exchange, false);
      await confirmAuthority(exchange, true);
      expect(readings()).toBe(2);
    }
  });

  it('once where the body was parsed in the turn in which the head came', async () => {
    const { exchange, read, readings, arrive } = exchangeOf({ 'content-length': '9' });
    const reading = readAuthority(exchange, read);
    arrive();
    await reading;
    await confirmAuthority(exchange, true);
    expect(readings()).toBe(1);
  });

  it('before each change of a batch, at once or one after the other, and once for calls that only read', async () => {
    const together = exchangeOf({});
    await readAuthority(together.exchange, together.read);
    await Promise.all(Array.from({ length: 5 }, () => confirmAuthority(together.exchange, true)));
    expect(together.readings()).toBe(5);
    const reading = exchangeOf({});
    await readAuthority(reading.exchange, reading.read);
    await Promise.all(Array.from({ length: 5 }, () => confirmAuthority(reading.exchange, false)));
    expect(reading.readings()).toBe(1);
  });

  it('by each call of a batch for itself while another is still reading', async () => {
    const { exchange, read, readings, arrive } = exchangeOf({ 'content-length': '9' });
    await readAuthority(exchange, read);
    arrive();
    await Promise.all([confirmAuthority(exchange, true), confirmAuthority(exchange, true)]);
    expect(readings()).toBe(3);
  });
});
