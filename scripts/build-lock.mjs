// The lock that lets only one build run in a folder.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const RETRY_DELAY_MS = 200;

/**
 * Waits until no other process holds the lock, then holds it. Uses the lock of `next build`, which the system releases if the
 * process is killed, unlike a file that has to be deleted.
 *
 * @param {string} file
 * @param {() => void} onWait called once if another process holds the lock
 * @returns {Promise<() => void>} releases the lock
 */
export async function takeBuildLock(file, onWait) {
  const { loadBindings } = require('next/dist/build/swc');
  const { Lockfile } = require('next/dist/build/lockfile');
  await loadBindings();
  for (let hasWaited = false; ; hasWaited = true) {
    const lock = Lockfile.tryAcquire(file);
    if (lock) return () => lock.unlockSync();
    if (!hasWaited) onWait();
    await sleep(RETRY_DELAY_MS);
  }
}
