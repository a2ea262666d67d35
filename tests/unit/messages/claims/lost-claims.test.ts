import { describe, expect, it } from 'vitest';
import { findLostClaims } from '../../../../src/server/messages/claims/lost-claims';
import { leastCpuMs } from '../../../support/process/cpu-time';

const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${4_165_000_000 + first + index}`);

describe('the warnings about claims that a translation lost', () => {
  it('name each claim once, whatever its position', () => {
    const text = 'Order 4165098857 arrives on March 3. It costs $5, really $5.';
    expect(findLostClaims(text, 'Die Bestellung kommt am 3. März.')).toEqual([
      { kind: 'amount', value: '$5', reason: 'lost' },
      { kind: 'order_number', value: '4165098857', reason: 'lost' },
    ]);
  });

  it('are at most 100, like those about a reply', () => {
    const numbers = numbersFrom(0, 800);
    expect(findLostClaims(numbers.join(', '), 'nothing')).toEqual(
      numbers.slice(0, 100).map((value) => ({ kind: 'order_number', value, reason: 'lost' })),
    );
  });

  it('leave out what the translation repeats, even among hundreds of claims', () => {
    const numbers = numbersFrom(0, 800);
    const amounts = Array.from({ length: 300 }, (_, index) => `$${index + 1}.25`);
    const text = [...numbers, ...amounts].join(', ');
    expect(findLostClaims(text, text)).toEqual([]);
    expect(findLostClaims(text, text.replace('4165000799', '')).map(({ value }) => value)).toEqual([
      '4165000799',
    ]);
  });

  it('take linear time even if the translation repeats no claim', () => {
    const measureCpuMs = (count: number) => {
      const text = numbersFrom(0, count).join(' ');
      const translation = '4165 '.repeat(text.length * 2);
      return leastCpuMs(() => findLostClaims(text, translation), 2);
    };
    const [shortTextMs, longTextMs] = [2_000, 16_000].map(measureCpuMs);
    // Eight times the text; quadratic work would take sixty-four times as long.
    expect(longTextMs! / Math.max(shortTextMs!, 10)).toBeLessThan(32);
  });
});
