import { expect, it } from 'vitest';
import { compare } from '../../../src/server/core/period';

it('the change of a figure keeps enough decimals that rounding it again, to a tenth of a percent, gives the right figure', () => {
  const { change } = compare('126447', '126447', '100000');
  expect(change).toBe(0.26447);
  expect(new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(change!)).toBe(
    '26.4%',
  );
});
