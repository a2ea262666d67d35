import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LinePair, pairLines } from '../../../../../src/components/messages/prompts/diff-lines';

const textOf = (pairs: readonly LinePair[], side: 'left' | 'right') =>
  pairs.flatMap((pair) => pair[side]?.map(({ text }) => text).join('') ?? []).join('\n');

it('equal texts have only equal lines', () => {
  const pairs = pairLines('One\nTwo', 'One\nTwo');
  expect(pairs.map(({ same }) => same)).toEqual([true, true]);
});

it('a changed line is paired with its new version, and the words that differ are marked', () => {
  expect(pairLines('Be kind.\nSign.', 'Be brief.\nSign.')).toEqual([
    {
      same: false,
      left: [
        { text: 'Be ', changed: false },
        { text: 'kind', changed: true },
        { text: '.', changed: false },
      ],
      right: [
        { text: 'Be ', changed: false },
        { text: 'brief', changed: true },
        { text: '.', changed: false },
      ],
    },
    { same: true, left: [{ text: 'Sign.', changed: false }], right: [{ text: 'Sign.', changed: false }] },
  ]);
});

it('a line that only one text has is paired with nothing', () => {
  const pairs = pairLines('One\nThree', 'One\nTwo\nThree');
  expect(pairs[1]).toEqual({ same: false, left: null, right: [{ text: 'Two', changed: false }] });
});

it('a trailing line break makes no difference', () => {
  expect(pairLines('One', 'One\n').every(({ same }) => same)).toBe(true);
});

it('each side has its whole text, whatever the text is', () => {
  const word = fc.constantFrom('Be', 'kind', ' ', '.', 'brief', '海关', '');
  const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(''));
  const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
  const trimmed = (value: string) => value.replace(/\n$/, '');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = pairLines(before, after);
      expect(textOf(pairs, 'left')).toBe(trimmed(before));
      expect(textOf(pairs, 'right')).toBe(trimmed(after));
    }),
  );
});
