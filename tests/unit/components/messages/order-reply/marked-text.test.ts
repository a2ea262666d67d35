import { expect, it } from 'vitest';
import { markParts } from '../../../../../src/components/messages/order-reply/marked-text';

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
