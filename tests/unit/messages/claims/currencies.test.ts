import { describe, expect, it } from 'vitest';
import { amountKeys } from '../../../../src/server/messages/claims/amounts';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';
import { leastCpuMs } from '../../../support/process/cpu-time';

const warningsFor = (reply: string, prompt = '') =>
  checkReply(reply, { facts: null, prompt, messages: [] }).map(({ kind, value }) => `${kind}: ${value}`);

describe('an amount that nothing confirms causes a warning in any currency', () => {
  it.each([
    ...[
      'NT$500',
      'R$50',
      'R$ 50',
      'TT$50',
      'USD$50',
      'ZZ$50',
      'Rs. 500',
      'Rs 500',
      'Rp 50000',
      'RM50',
      'RM 50',
    ],
    ...['AED 50', '50 AED', '500 TWD', 'RUB 500', 'TRY 500', '500 TRY', '500 ALL', '5 USD', '5 usd', 'eur 5'],
    ...[
      '₽500',
      '฿500',
      '₱500',
      '500 ₽',
      '500 ₫',
      '₴500',
      '200 Kč',
      '200 kč',
      '50 Franken',
      '500 lei',
      '500 руб.',
    ],
    ...['5,000円', '5,000韩元', '500泰铢', '500 新台币', '50港元', '五十港元', '5,000원', '50ドル', '500 TL'],
    ...['fifty francs', 'fifty rupees', 'five hundred baht', '500 dirhams', '5,000 rupiah', '300 kroner'],
  ])('%s', (amount) => {
    expect(warningsFor(`We give you ${amount}`)).toEqual([`amount: ${amount.replace(/\.$/, '')}`]);
    expect(warningsFor(`We give you ${amount}`, `You may give ${amount}`)).toEqual([]);
  });

  it('even directly after a word', () => {
    expect(warningsFor('退您NT$500')).toEqual(['amount: NT$500']);
    expect(warningsFor('退您$5，或€6，或AED 7')).toEqual(['amount: $5', 'amount: €6', 'amount: AED 7']);
    expect(warningsFor('only$50')).toEqual(['amount: $50']);
  });
});

it('an amount is confirmed by the same amount with another name of its currency, and by no other currency', () => {
  for (const amount of ['NT$500', '500 TWD', '新台币500', '500新台币'])
    expect(warningsFor(`We give you ${amount}`, 'You may give TWD 500')).toEqual([]);
  for (const amount of ['NT$500', 'R$500', 'TT$500', 'ZZ$500', '500 AED'])
    expect(warningsFor(`We give you ${amount}`, 'You may give $500')).toHaveLength(1);
  expect(amountKeys('500', 'twd')).toContain('500 TWD');
});

it.each([
  'You get all 3 stickers and the top 5 of them',
  'ALL 3 stickers are in stock, the TOP 10 too. Use a PEN 2 times, or a CUP 3',
  'per lei 2 adesivi; con lei 3',
  'Room RM-12, rm 12, size XL 2, 5 PCS, 300 DPI, 10 AM, USB 3, A4, AMD-0012, BAM0012CN, peso 5 kg',
  'The box is 5 ft long, and 5 Std. away',
  '2 bad pieces, 3 cups, 4 pens, 5 mad cats, 6 sos',
])('words that are also codes of currencies cause no warning: %s', (reply) => {
  expect(warningsFor(reply)).toEqual([]);
});

it.each(['USD', 'AED ', 'A$', 'AA$ ', 'ALL 3', '5 ', 'Rs. ', '5円', 'TWD5'])(
  'amounts are found in linear time in repetitions of %j',
  (part) => {
    const [shortTextMs, longTextMs] = [8_000, 64_000].map((length) => {
      const text = part.repeat(length / part.length);
      return leastCpuMs(() => warningsFor(text), 2);
    });
    // Eight times the text; quadratic work would take sixty-four times as long.
    expect(longTextMs! / Math.max(shortTextMs!, 10)).toBeLessThan(32);
  },
);
