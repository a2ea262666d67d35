import { monitorEventLoopDelay } from 'node:perf_hooks';
import { run } from '../../../src/server/runtime/run';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let asked = 0;

// At each signal it prints the longest delay of its event loop since the last one, in milliseconds.
process.on('SIGUSR2', () => {
  asked++;
  process.stdout.write(`loop delay ${asked}: ${delay.max / 1e6} ms\n`);
  delay.reset();
});

/** The service of serve.ts, which also measures how long it blocks its event loop. */
await run(async () => null);
