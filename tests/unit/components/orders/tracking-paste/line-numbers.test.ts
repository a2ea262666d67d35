import { expect, it } from 'vitest';
import { carryOverLineNumbers } from '../../../../../src/components/orders/tracking-paste/line-numbers';

it.each([
  ['keep their numbers if one is changed', 'a\nb\nc', 'a\nB\nc', [2, 4, 6]],
  ['keep their numbers if one is removed', 'a\nb\nc', 'a\nc', [2, 6]],
  ['keep their numbers if one is added, which gets none', 'a\nb\nc', 'a\nx\nb\nc', [2, null, 4, 6]],
  ['keep their number if the only one is changed', 'a', 'b', [2]],
  ['are numbered again if another text is pasted', 'a\nb\nc', 'u\nv', null],
  ['are numbered again if as many other lines are pasted', 'a\nb', 'u\nv', null],
  ['are numbered again after the text was emptied', '', 'u\nv\n', null],
])('the lines of a text %s', (_, oldText, newText, numbers) => {
  expect(carryOverLineNumbers(oldText, [2, 4, 6].slice(0, oldText.split('\n').length), newText)).toEqual(
    numbers,
  );
});
