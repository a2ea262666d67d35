import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';
import type { OrderFacts } from '../../../../src/server/messages/order-facts';

const FACTS: OrderFacts = {
  order_number: '4165098857',
  status: 'shipped',
  sale_date: '2026-08-22',
  shipped_on: '08/24/2026',
  currency: 'USD',
  shipping: '3.00',
  items: [
    { title: 'Fox Sticker 2.50 in', sku: 'FOX-00001', quantity: 2, price: '4.49', total: '8.98' },
    { title: 'Whale Sticker', variations: 'Order no. 77', quantity: 1, price: '1234.50', total: '1234.50' },
  ],
  items_total: '1243.48',
  tracking_numbers: ['LX123456789CN', '9400100000000000000000'],
  tracking_text: 'It left on August 25, 2026, 8:00 AM New York time.',
  recipient: { name: 'Sable Proxy', zip: '01401', second_line: 'Unit 2214567' },
};

const PROMPT =
  'Write to help@shop.example. Returns: https://shop.example/Returns/. Free from $35. Sale ends Dec 24.';
const BUYER_MESSAGE = 'You said 12.09.2026 and €7,50! See www.forum.example/t?id=5, ticket AB-9912345.';

const warningsFor = (
  reply: string,
  facts: OrderFacts | null = FACTS,
  prompt = PROMPT,
  messages = [BUYER_MESSAGE],
) => checkReply(reply, { facts, prompt, messages }).map(({ kind, value }) => `${kind}: ${value}`);

describe('a reply without unconfirmed claims', () => {
  it.each([
    ['no claim at all', 'Thank you so much! We hope that you love it.'],
    ['the order number', 'Order 4165098857, order #4165098857, your order number is 4165098857'],
    ['tracking numbers', 'lx123456789cn, LX 123 456 789 CN, LX-123456789-CN, 9400 1000 0000 0000 0000 00'],
    ['a number that is called a tracking number and is one', 'Tracking number: LX123456789CN'],
    ['a number of the prompt or the conversation', 'Your ticket AB-9912345 (AB9912345), order no. 77'],
    ['numbers of the address and the items', 'Unit 2214567, 01401, FOX-00001'],
    ['the sale date', '2026-08-22, 08/22/2026, 8/22/26, 22.8.2026, August 22, Aug. 22nd, 22 August 2026'],
    [
      'the sale date in other languages',
      'am 22. August 2026, le 22 août 2026, el 22 de agosto de 2026, 2026年8月22日',
    ],
    ['dates of the tracking text and of shipping', 'sent on August 24, on its way since 25 Aug 2026'],
    ['ranges of known dates', 'August 22-25, between 24 and 25 August'],
    ["a year that the prompt's date leaves open", 'December 24, 2026'],
    ['amounts', '$4.49, 4.49 USD, US$8.98, $3, 3.00 dollars, 8.98, 4,49 $'],
    ['thousands', '$1,234.50, 1.234,50 USD, 1 243.48 USD, $1243.48'],
    ['amounts of the prompt', '$35'],
    ['links', 'http://shop.example/Returns, www.shop.example/Returns/, (https://SHOP.example/Returns).'],
    ['the e-mail address of the prompt', 'mailto:HELP@shop.example'],
    ['small numbers that are not claims', '2 stickers, 300 dpi, order 2 more, 24/7, 1/2 inch, A3, 100%'],
    ['sizes and clock times', '2.50 cm, 10.30 am, 12:45, 3.25 kg'],
    ['full-width digits and invisible characters', 'order ４１６５０９８８５７, $4.\u200b49'],
  ])('causes no warning: %s', (_, reply) => {
    expect(warningsFor(reply)).toEqual([]);
  });
});

describe('a claim that is not confirmed', () => {
  it.each([
    ['Order 4165098858', ['order_number: 4165098858']],
    ['order #12', ['order_number: 12']],
    ['your order number is 3', ['order_number: 3']],
    ['receipt 41650988570', ['order_number: 41650988570']],
    ['LX123456789CM and 9400 1000 0000 0000 0000 01', ['LX123456789CM', '9400 1000 0000 0000 0000 01']],
    ['1Z999AA10123456784', ['tracking_number: 1Z999AA10123456784']],
    // An order number that the reply calls a tracking number.
    ['Your tracking number is 4165098857', ['tracking_number: 4165098857']],
    // Dates that are not in any of the facts.
    ['on 2026-08-23', ['date: 2026-08-23']],
    ['August 22, 2025', ['date: August 22, 2025']],
    ['by September 1st', ['date: September 1st']],
    ['until 9/3', ['date: 9/3']],
    ['February 30', ['date: February 30']],
    ['3. März', ['date: 3. März']],
    // Copied from the buyer's message.
    ['12.09.2026', ['date: 12.09.2026']],
    ['September 12', ['date: September 12']],
    ['€7,50', ['amount: €7,50']],
    ['www.forum.example/t?id=5', ['link: www.forum.example/t?id=5']],
    // Amounts, links and numbers that are not in any of the facts.
    ['$4.50', ['amount: $4.50']],
    ['£4.49', ['amount: £4.49']],
    ['a refund of 4.99', ['amount: 4.99']],
    ['20% off', ['amount: 20%']],
    ['15 dollars', ['amount: 15 dollars']],
    ['https://shop.example/returns', ['link: https://shop.example/returns']],
    ['https://shop.example@evil.example/Returns', ['link: https://shop.example@evil.example/Returns']],
    ['https://evil.example/?u=https://shop.example/Returns', ['link: https://evil.example/?u=']],
    ['[here](https://evil.example)', ['link: https://evil.example']],
    ['bit.ly/3xYz', ['link: bit.ly/3xYz']],
    ['write to me@evil.com.', ['link: me@evil.com']],
    ['order ４１６５０９８８５8', ['order_number: ４１６５０９８８５8']],
    ['LX\u200b999\u200b999999CN', ['tracking_number: LX\u200b999\u200b999999CN']],
  ])('causes a warning: %j', (reply, expectedWarnings) => {
    const warnings = warningsFor(reply);
    expect(warnings).toHaveLength(expectedWarnings.length);
    for (const [index, text] of expectedWarnings.entries()) expect(warnings[index]).toContain(text);
  });

  it('causes one warning, however often it is repeated', () => {
    expect(checkReply('$5, $5 and again $5', { facts: null, prompt: '', messages: [] })).toEqual([
      { kind: 'amount', value: '$5', reason: 'unconfirmed' },
    ]);
  });

  it('is any claim if there are no facts, no prompt and no messages', () => {
    expect(warningsFor('Order 4165098857, $4.49, 2026-08-22', null, '', [])).toHaveLength(3);
  });

  it('causes no warning if there are a hundred already', () => {
    const reply = Array.from({ length: 300 }, (_, n) => `$${n + 1}.37`).join(' ');
    expect(warningsFor(reply)).toHaveLength(100);
  });
});

/** Texts that look like claims or almost do. */
const claimLikeText = fc
  .array(
    fc.constantFrom(
      ...[
        '$',
        '€',
        '4',
        '.',
        ',',
        '12',
        ' ',
        '-',
        '/',
        'order ',
        '#',
        'August ',
        'LX',
        'CN',
        '2026',
        '%',
        'x.com',
      ],
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

describe('the check of any text', () => {
  it('finds nothing in a reply that only repeats the prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(warningsFor(text, null, text, [])).toEqual([]);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(claimLikeText, (text) => {
        expect(warningsFor(text, null, text, [])).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('confirms no amount, date or link because the buyer wrote it', () => {
    const isAmountDateOrLink = (warning: string) => /^(?:amount|date|link): /.test(warning);
    fc.assert(
      fc.property(claimLikeText, (text) => {
        expect(warningsFor(text, null, '', [text]).filter(isAmountDateOrLink)).toEqual(
          warningsFor(text, null, '', []).filter(isAmountDateOrLink),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  // If a finder took quadratic time, it would need far longer than a test may take.
  it.each(['1', '1,', 'a.', '1 ', 'order ', '$', '1-', 'a@', '12/', '1234 ', 'http://', ' ', 'august '])(
    'ends even if 200,000 characters repeat the beginning of a claim: %j',
    (part) => {
      const text = part.repeat(200_000 / part.length);
      checkReply(text, { facts: null, prompt: text, messages: [] });
    },
  );
});
