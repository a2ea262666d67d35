import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const RESOLUTION_MS = 5;

const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
histogram.enable();
let printCount = 0;

// Measures how long the program that imports this blocks its event loop. Each SIGUSR2 prints the longest delay since the previous
// SIGUSR2, in milliseconds.
process.on('SIGUSR2', async () => {
  // The signal can be handled before the delay that has just ended is recorded.
  await sleep(2 * RESOLUTION_MS);
  const delayMs = histogram.max / 1e6;
  histogram.reset();
  // After a reset, only delays that begin after the next measurement are recorded.
  await sleep(2 * RESOLUTION_MS);
  printCount++;
  process.stdout.write(`loop delay ${printCount}: ${delayMs} ms\n`);
});
