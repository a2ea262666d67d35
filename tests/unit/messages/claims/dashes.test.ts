import { describe, expect, it } from 'vitest';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';

const warningsFor = (reply: string, prompt = '') =>
  checkReply(reply, { facts: null, prompt, messages: [] }).map(({ kind, value }) => `${kind}: ${value}`);

const HYPHENS = ['-', '\u2010', '\u2011', '\u2212', '\ufe63', '\uff0d'];

describe('a claim with typographic hyphens', () => {
  it.each([
    ['Call +1 212-555-0123', 'phone_number: +1 212-555-0123'],
    ['It arrives on 2026-03-03', 'date: 2026-03-03'],
    ['order no. AB-12345', 'order_number: AB-12345'],
    ['Your number is 1Z999-AA101-23456784.', 'tracking_number: 1Z999-AA101-23456784'],
  ])('or en dashes causes the same warning as %j', (reply, warning) => {
    for (const dash of [...HYPHENS, '\u2012', '\u2013'])
      expect(warningsFor(reply.replaceAll('-', dash))).toEqual([warning.replaceAll('-', dash)]);
  });

  it.each([
    ['It arrives in 5-7 business days', 'date: in 5-7 business days'],
    ['See evil-shop.example/x', 'link: evil-shop.example/x'],
  ])('causes the same warning as %j', (reply, warning) => {
    for (const hyphen of HYPHENS)
      expect(warningsFor(reply.replaceAll('-', hyphen), 'Read shop.example/x.')).toEqual([
        warning.replaceAll('-', hyphen),
      ]);
  });

  it('is confirmed by one with hyphens, and the other way round', () => {
    const prompt =
      'Call +1 212-555-0123. Sale until 2026-03-03. See good-shop.example/x. We need 5-7 business days.';
    for (const hyphen of HYPHENS) {
      expect(warningsFor(prompt.replaceAll('-', hyphen), prompt)).toEqual([]);
      expect(warningsFor(prompt, prompt.replaceAll('-', hyphen))).toEqual([]);
    }
  });
});

it.each([
  ['It arrives in 5–7 business days', ['date: in 5–7 business days']],
  ['It arrives August 22–25', ['date: August 22–25']],
  ['It arrives August 22 – 25', ['date: August 22 – 25']],
  ['You pay $5–$7, or 8–9 USD', ['amount: $5', 'amount: $7', 'amount: 9 USD']],
  ['Write to us Monday–Friday, 09–12 or 13:00–17:00, also 08:00-12:00', ['date: Monday']],
  ['Steps 1–2 are for ages 6–99 — thank you', []],
  ['The number is 4165098857—We will check it', ['order_number: 4165098857']],
])('the range in %j causes the warnings %j', (reply, warnings) => {
  expect(warningsFor(reply)).toEqual(warnings);
});
