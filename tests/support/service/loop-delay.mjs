import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let asked = 0;

// Measures how long the program that imports this blocks its event loop. At each signal it prints the longest delay since the last
// one, in milliseconds.
process.on('SIGUSR2', () => {
  asked++;
  process.stdout.write(`loop delay ${asked}: ${delay.max / 1e6} ms\n`);
  delay.reset();
});
