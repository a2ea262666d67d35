import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a test takes, even on a busy machine. */
const MARGIN_MS = 30_000;

/**
 * Waits until the current interval of this length is over, if it ends so soon that a test could run over its end. Intervals count from
 * 00:00 UTC on 1 January 1970, so one of a day ends at midnight UTC.
 */
export async function avoidEndOfInterval(intervalMs: number): Promise<void> {
  const remainingMs = intervalMs - (Date.now() % intervalMs);
  if (remainingMs < MARGIN_MS) await sleep(remainingMs + 1_000);
}
