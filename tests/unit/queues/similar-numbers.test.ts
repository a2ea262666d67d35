import { expect, it } from 'vitest';
import { listSimilarNumbers } from '../../../src/server/queues/similar-numbers';

const NUMBER = 'LX402225974CN';

it.each([
  ['a wrong character', 'LX402225974CM'],
  ['a missing character', 'LX40222594CN'],
  ['an extra character at the end', 'LX402225974CN1'],
  ['an extra character at the start', '0LX402225974CN'],
  ['two neighbours swapped', 'LX402252974CN'],
])('numbers with one typo include one with %s', (_, similarNumber) => {
  expect(listSimilarNumbers(NUMBER)).toContain(similarNumber);
  expect(listSimilarNumbers(similarNumber)).toContain(NUMBER);
});

it.each([
  ['the number itself', NUMBER],
  ['one with two wrong characters', 'LX402225974XX'],
  ['one with swapped characters that are not neighbours', 'LX442225970CN'],
])('numbers with one typo do not include %s', (_, text) =>
  expect(listSimilarNumbers(NUMBER)).not.toContain(text),
);

it('numbers with one typo are distinct and few enough to look up, and a string that is too long has none', () => {
  const foundNumbers = listSimilarNumbers(NUMBER);
  expect(new Set(foundNumbers).size).toBe(foundNumbers.length);
  expect(foundNumbers.length).toBeLessThan(75 * (NUMBER.length + 1));
  expect(listSimilarNumbers('1'.repeat(41))).toEqual([]);
  expect(listSimilarNumbers('1')).not.toContain('');
});
