import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LinePair, pairLines } from '../../../../../src/components/messages/prompts/diff-lines';

const textOf = (pairs: readonly LinePair[], side: 'left' | 'right') =>
  pairs.flatMap((pair) => pair[side]?.map(({ text }) => text).join('') ?? []).join('\n');

it('equal texts have only equal lines', () => {
  const pairs = pairLines('One\nTwo', 'One\nTwo');
  expect(pairs.map(({ isSame }) => isSame)).toEqual([true, true]);
});

it('a changed line is beside its new version, with the words that differ', () => {
  expect(pairLines('Be kind.\nSign.', 'Be brief.\nSign.')).toEqual([
    {
      isSame: false,
      left: [
        { text: 'Be ', isChanged: false },
        { text: 'kind', isChanged: true },
        { text: '.', isChanged: false },
      ],
      right: [
        { text: 'Be ', isChanged: false },
        { text: 'brief', isChanged: true },
        { text: '.', isChanged: false },
      ],
    },
    {
      isSame: true,
      left: [{ text: 'Sign.', isChanged: false }],
      right: [{ text: 'Sign.', isChanged: false }],
    },
  ]);
});

it('a line that only one text has is beside an empty cell', () => {
  const pairs = pairLines('One\nThree', 'One\nTwo\nThree');
  expect(pairs[1]).toEqual({ isSame: false, left: null, right: [{ text: 'Two', isChanged: false }] });
});

it('a line break at the end of a text makes no difference', () => {
  expect(pairLines('One', 'One\n').every(({ isSame }) => isSame)).toBe(true);
});

it('each side has its complete text, for any two texts', () => {
  const word = fc.constantFrom('Be', 'kind', ' ', '.', 'brief', '海关', '');
  const line = fc.array(word, { maxLength: 5 }).map((words) => words.join(''));
  const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
  const withoutLastBreak = (text: string) => text.replace(/\n$/, '');
  fc.assert(
    fc.property(text, text, (oldText, newText) => {
      const pairs = pairLines(oldText, newText);
      expect(textOf(pairs, 'left')).toBe(withoutLastBreak(oldText));
      expect(textOf(pairs, 'right')).toBe(withoutLastBreak(newText));
    }),
  );
});
