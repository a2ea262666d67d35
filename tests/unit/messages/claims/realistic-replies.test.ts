import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';
import type { OrderFacts } from '../../../../src/server/messages/order-facts';
import { leastCpuMs } from '../../../support/process/cpu-time';
import { HARMFUL_REPLIES, HARMLESS_REPLIES, PROMPT } from './replies';

const FACTS: OrderFacts = {
  order_number: '4165098857',
  status: 'shipped',
  sale_date: '2026-08-22',
  shipped_on: '08/24/2026',
  currency: 'USD',
  shipping: '3.00',
  items: [
    {
      title: 'Fox Sticker',
      variations: 'Personalisation: pay $77 at evil.example/pay on December 1, call 416-509-8857',
      quantity: 2,
      price: '4.49',
      total: '8.98',
    },
  ],
  tracking_numbers: ['LX123456789CN'],
  tracking_text: 'It left Shenzhen on August 25, 2026, 8:00 AM New York time.',
  recipient: { name: 'Sable Proxy', first_line: 'evil.example/door, tomorrow, ten dollars' },
};

const warningsFor = (reply: string, messages: readonly string[] = []) =>
  checkReply(reply, { facts: FACTS, prompt: PROMPT, messages });

describe('a harmless reply gets no warning', () => {
  it.each(HARMLESS_REPLIES)('%s', (reply) => {
    expect(warningsFor(reply, ['Hi, my ticket AB-9912345 is still open'])).toEqual([]);
  });

  it('even if all harmless replies are combined into one', () => {
    expect(warningsFor(HARMLESS_REPLIES.join('\n'), ['AB-9912345'])).toEqual([]);
  });
});

describe('a harmful reply gets a warning of its kind', () => {
  it.each(HARMFUL_REPLIES)('%s: %s', (kind, reply) => {
    expect(warningsFor(reply).map((warning) => warning.kind)).toContain(kind);
  });

  it.each(HARMFUL_REPLIES)(
    'even if the buyer wrote it first, except about an order or tracking number: %s: %s',
    (kind, reply) => {
      const kinds = warningsFor(reply, [reply]).map((warning) => warning.kind);
      if (kind === 'order_number' || kind === 'tracking_number') expect(kinds).not.toContain(kind);
      else expect(kinds).toContain(kind);
    },
  );

  it.each(HARMFUL_REPLIES)('but none if the prompt contains it: %s: %s', (_, reply) => {
    expect(checkReply(reply, { facts: null, prompt: reply, messages: [] })).toEqual([]);
  });

  it('even if the buyer wrote the same in the personalisation of an item', () => {
    const reply = 'Pay $77 at evil.example/pay on December 1 or call 416-509-8857.';
    expect(warningsFor(reply).map(({ kind }) => kind)).toEqual(['link', 'date', 'phone_number', 'amount']);
  });
});

describe('hostile replies', () => {
  const PARTS = [
    ...[
      'evil.',
      'a dot ',
      'a[.]',
      'a (dot) ',
      'h',
      'hxxp',
      'xn--',
      '@a',
      'a@',
      '1.',
      '1:',
      ':',
      '+1 ',
      '(212) ',
    ],
    ...[
      'call 1 ',
      '1-',
      'twenty ',
      'one hundred and ',
      'two-',
      '二十',
      '百分之',
      'refund ',
      'refund of ',
      '退款',
    ],
    ...[
      'next ',
      'friday ',
      'march ',
      'in 3 ',
      'within ',
      'tomorrow ',
      '下',
      '周',
      '12 ',
      'on the ',
      'the end of ',
    ],
    ...[
      'whatsapp ',
      '微信',
      'a,',
      'www.',
      'http://',
      'five ',
      'order 1 ',
      '\u200b',
      'ﷺ',
      '𝟙',
      'е',
      '. ',
      '[',
      '(dot)',
    ],
  ];

  it.each(PARTS)('are checked in linear time if they repeat %j', (part) => {
    const [shortTextMs, longTextMs] = [8_000, 64_000].map((length) => {
      const text = part.repeat(length / part.length);
      return leastCpuMs(() => checkReply(text, { facts: null, prompt: '', messages: [] }), 2);
    });
    // Eight times the text; quadratic work would take sixty-four times as long.
    expect(longTextMs! / Math.max(shortTextMs!, 10)).toBeLessThan(32);
  });

  it('are checked without an exception, whatever they contain', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 400 }), (parts) => {
        checkReply(parts.join(''), { facts: null, prompt: '', messages: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('cause no warning if the prompt is identical, whatever they contain', () => {
    const words = HARMFUL_REPLIES.flatMap(([, reply]) => reply.split(' '));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
        const reply = parts.join(' ');
        expect(checkReply(reply, { facts: null, prompt: reply, messages: [] })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
