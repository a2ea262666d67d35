import { expect } from 'vitest';

/** Waits until the service at this URL accepts no more connections. */
export async function waitUntilRefused(url: string): Promise<void> {
  const isRefused = () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
}
