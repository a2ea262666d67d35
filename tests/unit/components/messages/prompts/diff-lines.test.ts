import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LinePair, pairLines } from '../../../../../src/components/messages/prompts/diff-lines';

const textOf = (pairs: readonly LinePair[], side: 'left' | 'right') =>
  pairs.flatMap((pair) => pair[side]?.map(({ text }) => text).join('') ?? []).join('\n');

it('equal texts have only equal lines', () => {
  const pairs = pairLines('One\nTwo', 'One\nTwo');
  expect(pairs.map(({ same }) => same)).toEqual([true, true]);
});

it('a changed line is beside its new version, with the words that differ', () => {
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

it('a line that only one text has is beside an empty cell', () => {
  const pairs = pairLines('One\nThree', 'One\nTwo\nThree');
  expect(pairs[1]).toEqual({ same: false, left: null, right: [{ text: 'Two', changed: false }] });
});

it('a last line is the same with and without a line break', () => {
  expect(pairLines('One', 'One\n').every(({ same }) => same)).toBe(true);
});

it('each side has its complete text, for any two texts', () => {
  const word = fc.constantFrom('Be', 'kind', ' ', '.', 'brief', '海关', '');
  const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(''));
  const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
  const withoutLastBreak = (value: string) => value.replace(/\n$/, '');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = pairLines(before, after);
      expect(textOf(pairs, 'left')).toBe(withoutLastBreak(before));
      expect(textOf(pairs, 'right')).toBe(withoutLastBreak(after));
    }),
  );
});
