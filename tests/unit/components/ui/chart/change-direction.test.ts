import { expect, it } from 'vitest';
import { directionOf } from '../../../../../src/components/ui/chart/change-direction';

it.each([
  [0.1, 'up'],
  [-0.1, 'down'],
  [0.0005, 'up'],
  [-0.0006, 'down'],
  [0, 'same'],
  [0.0004, 'same'],
  [-0.0004, 'same'],
])('a change of %d is shown as %s, so that one rounded to zero is no change', (change, direction) => {
  expect(directionOf(change)).toBe(direction);
});
