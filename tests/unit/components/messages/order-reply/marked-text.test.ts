import { describe, expect, it } from 'vitest';
import { markParts, warningsThatHold } from '../../../../../src/components/messages/order-reply/marked-text';
import type { Warning } from '../../../../../src/server/messages/warning';

const markedTextsOf = (text: string, values: readonly string[]) =>
  markParts(text, values).flatMap((part) => (part.isMarked ? [part.text] : []));

it('every occurrence of a value is marked, and the text stays whole', () => {
  const parts = markParts('We refund $5.00. Yes, $5.00!', ['$5.00']);
  expect(parts.map(({ text }) => text).join('')).toBe('We refund $5.00. Yes, $5.00!');
  expect(parts.filter((part) => part.isMarked)).toHaveLength(2);
});

it('the longer of two values that start at the same position is marked', () => {
  expect(markedTextsOf('It arrives August 30, 2026.', ['August 30', 'August 30, 2026'])).toEqual([
    'August 30, 2026',
  ]);
});

it('values are literal text, not patterns', () => {
  expect(markedTextsOf('See https://example.com/a?b=(c)', ['https://example.com/a?b=(c)', '.*'])).toEqual([
    'https://example.com/a?b=(c)',
  ]);
});

it('nothing is marked if there are no values or the text contains none of them', () => {
  expect(markParts('Hello', [])).toEqual([{ text: 'Hello', isMarked: false }]);
  expect(markedTextsOf('Hello', ['', '999'])).toEqual([]);
});

describe('a claim with unusual characters', () => {
  const longLink = `https://evil.example/${'a'.repeat(400)}`;
  it.each([
    ['Nous remboursons 12,50\u00a0€.', '12,50\u00a0€', '12,50\u00a0€'],
    // As the values of older replies were stored.
    ['Nous remboursons 12,50\u00a0€.', '12,50 €', '12,50\u00a0€'],
    ['A discount of 20\u202f% now', '20 %', '20\u202f%'],
    ['退您２０元。', '20元', '２０元'],
    ['WhatsApp：abcde12345', 'WhatsApp:abcde12345', 'WhatsApp：abcde12345'],
    ['We refund $5\u200b0.', '$50', '$5\u200b0'],
    [`Ｓｅｅ ${longLink} now`, `${longLink.slice(0, 299)}…`, longLink],
  ])('is marked in %j, and its warning holds, until it is removed', (text, value, markedText) => {
    expect(markedTextsOf(text, [value])).toEqual([markedText]);
    expect(
      markParts(text, [value])
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
    const warnings: Warning[] = [{ kind: 'amount', value, reason: 'unconfirmed' }];
    expect(warningsThatHold(warnings, text)).toEqual(warnings);
    expect(warningsThatHold(warnings, text.replace(markedText, ''))).toEqual([]);
    const lostWarnings: Warning[] = [{ kind: 'amount', value, reason: 'lost' }];
    expect(warningsThatHold(lostWarnings, text)).toEqual([]);
    expect(warningsThatHold(lostWarnings, 'Bonjour.')).toEqual(lostWarnings);
  });
});
