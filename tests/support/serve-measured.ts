import { monitorEventLoopDelay } from 'node:perf_hooks';
import { run } from '../../src/server/runtime/run';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let asked = 0;

// At each signal it says how long its event loop was held up at most since the last, in milliseconds.
process.on('SIGUSR2', () => {
  asked++;
  process.stdout.write(`loop delay ${asked}: ${delay.max / 1e6} ms\n`);
  delay.reset();
});

/** The service of serve.ts, with a measure of how long it lets others wait. */
await run(async () => null);
