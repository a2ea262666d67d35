import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a slice of work may block the event loop, in milliseconds. */
const SLICE_MS = 10;

/** Calls `work` for each item, in slices between which the event loop handles other requests. */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
