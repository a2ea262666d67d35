import type { Page } from 'playwright';
import { settled } from './browser';

/** What a page costs a browser that has nothing of it yet. */
export interface PageLoad {
  /** Bytes of script as they were transferred. */
  scriptBytes: number;
  /** Every request, the page's own included. */
  requests: number;
  /** Calls of procedures: what the page did not bring along. */
  calls: string[];
  /** How far what was visible moved by itself: the browser's own sum, in shares of the window. */
  layoutShift: number;
}

/** Opens a page with an empty cache and waits until it is at rest. */
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
        // What has happened already is handed over in a task of its own.
        setTimeout(() => {
          add(observer.takeRecords());
          resolve(sum);
        }, 100);
      }),
  );
  await client.detach();
  return { scriptBytes, requests, calls, layoutShift };
}
