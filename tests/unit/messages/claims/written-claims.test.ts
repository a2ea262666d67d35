import { describe, expect, it } from 'vitest';
import { checkReply } from '../../../../src/server/messages/claims/fact-check';
import { findLostClaims } from '../../../../src/server/messages/claims/lost-claims';

const valuesIn = (reply: string) =>
  checkReply(reply, { facts: null, prompt: '', messages: [] }).map(({ value }) => value);

describe('a warning names the claim as written in the text', () => {
  it.each([
    ['Nous vous remboursons 12,50\u00a0€.', '12,50\u00a0€'],
    ['A discount of 20\u00a0% for you', '20\u00a0%'],
    ['Cela fait 1\u202f234,00\u202f€.', '1\u202f234,00\u202f€'],
    ['退您２０元。', '２０元'],
    ['We refund $5\u200b0\u200b today.', '$5\u200b0'],
    ['Écrivez-nous sur WhatsApp：abcde12345', 'WhatsApp：abcde12345'],
    ['It arrives on March\u00a03, promised.', 'March\u00a03'],
    ['It arrives next\u00a0Friday\u200b.', 'next\u00a0Friday'],
    ['order no.\u00a0ＡＢ１２３４５６', 'ＡＢ１２３４５６'],
    ['(see ｅｖｉｌ.example/a).', 'ｅｖｉｌ.example/a'],
  ])('in %j: %j', (text, value) => {
    expect(valuesIn(text)).toEqual([value]);
    expect(findLostClaims(text, 'Bonjour.')).toMatchObject([{ value, reason: 'lost' }]);
  });

  it('once, however differently it is written', () => {
    expect(valuesIn('It costs 5\u00a0€, really 5 €.')).toEqual(['5\u00a0€']);
  });

  it('up to 300 characters', () => {
    const link = `https://evil.example/${'ａb'.repeat(300)}`;
    expect(valuesIn(`See ${link} now`)).toEqual([`${link.slice(0, 299)}…`]);
  });
});
