/** Returns the value below which about `share` of the values lie; NaN if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sortedValues = [...values].sort((a, b) => a - b);
  return (
    sortedValues[Math.min(sortedValues.length - 1, Math.floor(share * sortedValues.length))] ?? Number.NaN
  );
}

export function median(values: readonly number[]): number {
  const sortedValues = [...values].sort((a, b) => a - b);
  const middleIndex = sortedValues.length >> 1;
  return sortedValues.length % 2 === 1
    ? sortedValues[middleIndex]!
    : (sortedValues[middleIndex - 1]! + sortedValues[middleIndex]!) / 2;
}

/** Returns how many milliseconds `work` takes. */
export async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
