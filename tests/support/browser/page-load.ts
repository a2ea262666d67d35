import type { Page } from 'playwright';
import { waitUntilSettled } from './browser';

/** The cost of loading a page with an empty cache. */
export interface PageLoad {
  /** Bytes of script as transferred. */
  scriptBytes: number;
  /** The number of all requests, including the page's own. */
  requestCount: number;
  /** The procedures that the page called, for data that it did not include. */
  calls: string[];
  /** How far visible content moved without input: the sum of the browser's layout shift scores. */
  layoutShift: number;
  /** The elements that moved, from where to where: they explain why a test failed. */
  movedElements: string[];
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Returns the layout shift of a page so far, and the elements that moved. */
export function readLayoutShift(page: Page): Promise<Pick<PageLoad, 'layoutShift' | 'movedElements'>> {
  return page.evaluate(
    () =>
      new Promise<Pick<PageLoad, 'layoutShift' | 'movedElements'>>((resolve) => {
        const shift = { layoutShift: 0, movedElements: [] as string[] };
        const positionOf = ({ x, y, width, height }: DOMRectReadOnly) =>
          [x, y, width, height].map(Math.round).join(' ');
        const nameOf = (node: Node | null) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.tagName}.${element?.getAttribute('class')} "${node?.textContent?.slice(0, 40)}"`;
        };
        const addShifts = (entries: PerformanceEntryList) => {
          for (const { value, hadRecentInput, startTime, sources } of entries as LayoutShift[]) {
            if (hadRecentInput) continue;
            shift.layoutShift += value;
            for (const { node, previousRect, currentRect } of sources)
              shift.movedElements.push(
                `${Math.round(startTime)} ms: ${nameOf(node)} from ${positionOf(previousRect)} to ${positionOf(currentRect)}`,
              );
          }
        };
        const observer = new PerformanceObserver((list) => addShifts(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Buffered entries are delivered in a separate task.
        setTimeout(() => {
          addShifts(observer.takeRecords());
          resolve(shift);
        }, 100);
      }),
  );
}

/**
 * Opens a page with an empty cache and waits until it is idle. Returns what the load cost.
 * @param waitUntilIdle has to be given for a page outside the back office, which may have no controls to wait for
 */
export async function measureLoad(
  page: Page,
  url: string,
  waitUntilIdle: (page: Page) => Promise<void> = waitUntilSettled,
): Promise<PageLoad> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const scriptRequestIds = new Set<string>();
  const calls: string[] = [];
  let scriptBytes = 0;
  let requestCount = 0;
  client.on('Network.requestWillBeSent', ({ request }) => {
    requestCount++;
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/api/trpc/')) calls.push(pathname.slice('/api/trpc/'.length));
  });
  client.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scriptRequestIds.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scriptRequestIds.has(requestId)) scriptBytes += encodedDataLength;
  });
  await page.goto(url);
  await waitUntilIdle(page);
  const movement = await readLayoutShift(page);
  await client.detach();
  return { scriptBytes, requestCount, calls, ...movement };
}
