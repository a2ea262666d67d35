import type { Page } from 'playwright';
import { waitUntilSettled } from './browser';

/** Returns how many bytes of script a page transfers to a browser with an empty cache. */
export async function measureScriptBytes(page: Page, url: string): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scriptRequestIds = new Set<string>();
  let bytes = 0;
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scriptRequestIds.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scriptRequestIds.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(url);
  await waitUntilSettled(page);
  await client.detach();
  return bytes;
}
