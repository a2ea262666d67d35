/** The step of an axis is one of these numbers multiplied by a power of ten, and rounded up if all values are integers. */
const STEPS = [1, 2, 2.5, 5, 10];
const TARGET_STEP_COUNT = 4;

/** Returns the ticks of an axis that includes zero and all values. They are integers if all values are. */
export function axisTicks(values: readonly number[]): number[] {
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  if (high === low) return [0, 1];
  const minStep = (high - low) / TARGET_STEP_COUNT;
  const powerOfTen = 10 ** Math.floor(Math.log10(minStep));
  const niceStep = (STEPS.find((candidate) => candidate * powerOfTen >= minStep) ?? 10) * powerOfTen;
  const step = values.every(Number.isInteger) ? Math.max(1, Math.ceil(niceStep)) : niceStep;
  const firstMultiple = Math.floor(low / step);
  return Array.from(
    { length: Math.ceil(high / step) - firstMultiple + 1 },
    (_, index) => (firstMultiple + index) * step,
  );
}

/** Returns the number of days between two labels below a chart: one, seven, or a sixth of the range. */
export const daysPerLabel = (dayCount: number): number =>
  dayCount <= 8 ? 1 : dayCount <= 62 ? 7 : Math.ceil(dayCount / 6);

/** Returns the path of a line. A day without a value leaves a gap; an isolated day is a point. */
export function linePath(values: readonly (number | null)[], topOf: (value: number) => number): string {
  let path = '';
  let isDrawing = false;
  values.forEach((value, index) => {
    if (value !== null) {
      const point = `${index + 0.5} ${topOf(value)}`;
      path += isDrawing ? `L${point}` : `M${point}h0`;
    }
    isDrawing = value !== null;
  });
  return path;
}
