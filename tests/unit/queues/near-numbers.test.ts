import { expect, it } from 'vitest';
import { listNearNumbers } from '../../../src/server/queues/near-numbers';

const NUMBER = 'LX402225974CN';

it.each([
  ['a wrong character', 'LX402225974CM'],
  ['a missing character', 'LX40222594CN'],
  ['an extra character at the end', 'LX402225974CN1'],
  ['an extra character at the start', '0LX402225974CN'],
  ['two neighbours swapped', 'LX402252974CN'],
])('near numbers include one with %s', (_, nearNumber) => {
  expect(listNearNumbers(NUMBER)).toContain(nearNumber);
  expect(listNearNumbers(nearNumber)).toContain(NUMBER);
});

it.each([
  ['the number itself', NUMBER],
  ['one with two wrong characters', 'LX402225974XX'],
  ['one with swapped characters that are not neighbours', 'LX442225970CN'],
])('near numbers do not include %s', (_, text) => expect(listNearNumbers(NUMBER)).not.toContain(text));

it('near numbers are distinct and few enough to look up, and a text that is too long has none', () => {
  const foundNumbers = listNearNumbers(NUMBER);
  expect(new Set(foundNumbers).size).toBe(foundNumbers.length);
  expect(foundNumbers.length).toBeLessThan(75 * (NUMBER.length + 1));
  expect(listNearNumbers('1'.repeat(41))).toEqual([]);
  expect(listNearNumbers('1')).not.toContain('');
});
