import { expect, it, vi } from 'vitest';
import { readProducts } from '../../../src/server/catalog/product-rows';
import type { ServiceError } from '../../../src/server/core/errors/errors';
import { withCsvText } from '../../../src/server/core/text/table';
import { readDays } from '../../../src/server/statistics/import/day-rows';

const ROW_COUNT = 20_000;

/** Returns how many turns the event loop made during `work`, in each of which it could have handled other requests. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turnCount = 0;
  let nextTurn: NodeJS.Immediate;
  const countTurn = () => {
    turnCount++;
    nextTurn = setImmediate(countTurn);
  };
  nextTurn = setImmediate(countTurn);
  await work.finally(() => clearImmediate(nextTurn));
  return turnCount;
}

/** The least number of turns if reading a row takes a millisecond. A CSV text is read in slices of 8 KiB. */
const LEAST_TURNS = ROW_COUNT / 20;

const sheetOf = (header: string[], rowAt: (index: number) => string[]) => ({
  rows: [header, ...Array.from({ length: ROW_COUNT }, (_, index) => rowAt(index))],
  lines: Array.from({ length: ROW_COUNT + 1 }, (_, index) => index + 1),
});
const badDays = sheetOf(['shop_id', 'date'], () => ['x', '1']);
const goodDays = sheetOf(['listing_id', 'shop_id', 'date'], (index) => [String(index), 'a', '2026-03-01']);
const badProducts = sheetOf(['category', 'code', 'name'], () => ['x', '1', 'n'.repeat(501)]);
const categories = new Set(['head']);
const readProblems = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ problems, problemCount }: ServiceError) => ({ listed: problems.length, total: problemCount }),
  );

const csvText = `a,b\n${'x,1\n'.repeat(ROW_COUNT)}`;

it.each<[string, number, () => Promise<unknown>]>([
  ['a CSV text', csvText.length / 8192 - 1, () => withCsvText(csvText, async () => null)],
  ['bad days of shops', LEAST_TURNS, () => readProblems(readDays('shop', badDays))],
  ['good days of listings', LEAST_TURNS, () => readDays('listing', goodDays)],
  ['bad products', LEAST_TURNS, () => readProblems(readProducts(badProducts, categories))],
])('the event loop handles other requests while many rows of %s are read', async (_, leastTurns, read) => {
  let elapsedMs = 0;
  const clockSpy = vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs++);
  try {
    expect(await countTurns(read())).toBeGreaterThanOrEqual(leastTurns);
  } finally {
    clockSpy.mockRestore();
  }
});

it('of many problems, the first hundred are listed and all are counted', async () => {
  // Each date is wrong, and each row but the first repeats a day.
  expect(await readProblems(readDays('shop', badDays))).toEqual({ listed: 100, total: 2 * ROW_COUNT - 1 });
  // Each name and each category is wrong, and each row but the first repeats a code.
  expect(await readProblems(readProducts(badProducts, categories))).toEqual({
    listed: 100,
    total: 3 * ROW_COUNT - 1,
  });
});
