import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let count = 0;

// Measures how long the program that imports this blocks its event loop. Each SIGUSR2 prints the longest delay since the previous
// one, in milliseconds.
process.on('SIGUSR2', () => {
  count++;
  process.stdout.write(`loop delay ${count}: ${delay.max / 1e6} ms\n`);
  delay.reset();
});
