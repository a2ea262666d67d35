import { monitorEventLoopDelay } from 'node:perf_hooks';

const histogram = monitorEventLoopDelay({ resolution: 5 });
histogram.enable();
let printCount = 0;

// Measures how long the program that imports this blocks its event loop. Each SIGUSR2 prints the longest delay since the previous
// SIGUSR2, in milliseconds.
process.on('SIGUSR2', () => {
  printCount++;
  process.stdout.write(`loop delay ${printCount}: ${histogram.max / 1e6} ms\n`);
  histogram.reset();
});
