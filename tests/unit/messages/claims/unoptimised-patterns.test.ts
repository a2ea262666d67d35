import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SCRIPT = 'tests/support/process/measure-reply-check.ts';

/** Returns the total CPU time of the checks in a process of its own, in milliseconds. */
async function measureCpuMs(...flags: string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--import', 'tsx', SCRIPT]);
  const times: number[] = JSON.parse(stdout);
  return times.reduce((total, time) => total + time, 0);
}

// V8 stops optimising patterns in a process that has compiled many. The checks took twenty times as long then, when every word was tried
// at every position.
it('replies are checked almost as fast when V8 no longer optimises patterns', async () => {
  // At the same time, so that the machine's load affects both.
  const [optimisedMs, unoptimisedMs] = await Promise.all([
    measureCpuMs(),
    measureCpuMs('--no-regexp-optimization'),
  ]);
  expect(unoptimisedMs / optimisedMs).toBeLessThan(8);
});
