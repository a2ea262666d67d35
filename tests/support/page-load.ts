import type { Page } from 'playwright';
import { settled } from './browser';

/** What loading a page costs a browser with an empty cache. */
export interface PageLoad {
  /** Bytes of script as transferred. */
  scriptBytes: number;
  /** Every request, including the page's own. */
  requests: number;
  /** Calls of procedures: data that the page did not include. */
  calls: string[];
  /** How far visible content moved: the browser's own cumulative layout shift, as a fraction of the window. */
  layoutShift: number;
}

/** Opens a page with an empty cache and waits until it is idle. */
export async function measureLoad(page: Page, url: string): Promise<PageLoad> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scripts = new Set<string>();
  const calls: string[] = [];
  let scriptBytes = 0;
  let requests = 0;
  client.on('Network.requestWillBeSent', ({ request }) => {
    requests++;
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/trpc/')) calls.push(pathname.slice('/api/trpc/'.length));
  });
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.goto(url);
  await settled(page);
  const layoutShift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const add = (entries: PerformanceEntryList) => {
          for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        };
        const observer = new PerformanceObserver((list) => add(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are delivered in a separate task.
        setTimeout(() => {
          add(observer.takeRecords());
          resolve(sum);
        }, 100);
      }),
  );
  await client.detach();
  return { scriptBytes, requests, calls, layoutShift };
}
