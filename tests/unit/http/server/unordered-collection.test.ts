import { expect, it } from 'vitest';
import { UnorderedCollection } from '../../../../src/server/http/server/unordered-collection';

it('an unordered collection contains what was added and not removed, in whatever order that happens', () => {
  const list = new UnorderedCollection<number>();
  const removals = Array.from({ length: 6 }, (_, value) => list.add(value));
  const sortedValues = () => [...list].sort();
  expect(sortedValues()).toEqual([0, 1, 2, 3, 4, 5]);
  for (const [index, remainingValues] of [
    [5, [0, 1, 2, 3, 4]],
    [0, [1, 2, 3, 4]],
    [4, [1, 2, 3]],
    [2, [1, 3]],
  ] as const) {
    removals[index]!();
    expect(sortedValues()).toEqual(remainingValues);
  }
  list.add(9);
  removals[1]!();
  removals[3]!();
  expect(sortedValues()).toEqual([9]);
});
