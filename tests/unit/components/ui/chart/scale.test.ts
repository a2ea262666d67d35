import { describe, expect, it } from 'vitest';
import { axisTicks, daysPerLabel, linePath } from '../../../../../src/components/ui/chart/scale';

describe('the ticks of an axis', () => {
  it.each([
    [
      [3, 7, 20],
      [0, 5, 10, 15, 20],
    ],
    [
      [1, 2],
      [0, 1, 2],
    ],
    [
      [0.4, 0.9],
      [0, 0.25, 0.5, 0.75, 1],
    ],
    [
      [0, 980.55],
      [0, 250, 500, 750, 1_000],
    ],
    [
      [-12, 30],
      [-20, 0, 20, 40],
    ],
    [
      [0, 0],
      [0, 1],
    ],
    [[], [0, 1]],
  ])('for the values %j are %j', (values, ticks) => {
    expect(axisTicks(values)).toEqual(ticks);
  });

  it('are at most six, and reach the highest value', () => {
    for (let value = 1; value < 100_000; value += 37) {
      const ticks = axisTicks([value]);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(value);
      expect(ticks.length).toBeLessThanOrEqual(6);
    }
  });
});

it('a line has a gap at a day without a value, and a point at an isolated day', () => {
  const topOf = (value: number) => value;
  expect(linePath([1, 2, null, 3, null, 4, 5], topOf)).toBe('M0.5 1h0L1.5 2M3.5 3h0M5.5 4h0L6.5 5');
  expect(linePath([null, null], topOf)).toBe('');
});

it('a chart has at most nine labels, however many days it shows', () => {
  for (const dayCount of [1, 7, 8, 30, 62, 90, 365, 1_096]) {
    const labelCount = Math.ceil(dayCount / daysPerLabel(dayCount));
    expect(labelCount).toBeLessThanOrEqual(9);
    expect(labelCount).toBeGreaterThan(0);
  }
});
