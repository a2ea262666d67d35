import type { BrowserContext, Page } from 'playwright';
import { launchBrowser } from '../../tests/support/browser/launch';
import { importOverHttp } from '../import';
import { atMost, type Figure, listValues } from '../report';
import { makeRows, ROWS_PER_ORDER } from '../rows';
import type { Service } from '../service';
import { median } from '../statistics';
import { signIn } from './back-office';

const ORDER_COUNT = 3_000;
const REPETITION_COUNT = 3;
const COLD_LIMIT_MS = 900;
const NAVIGATION_LIMIT_MS = 300;
const INTERACTION_LIMIT_MS = 100;

/** Selects the rows of a list, which appear once the list has its data. */
const ROW_SELECTOR = 'main tbody tr[data-row]';
const PAGES = [
  { path: 'orders?tab=all', selector: ROW_SELECTOR },
  { path: 'imports', selector: ROW_SELECTOR },
  { path: 'tracking', selector: 'main table, main h2' },
  { path: 'queues', selector: 'main h1' },
] as const;

const INTERACTIONS: { name: string; act: (page: Page) => Promise<unknown> }[] = [
  { name: 'select all of 200', act: (page) => page.getByLabel('Select all on this page').click() },
  { name: 'select one of 200', act: (page) => page.locator(`${ROW_SELECTOR} input`).nth(3).click() },
  {
    name: 'open the country filter',
    act: (page) => page.locator('main').getByRole('button', { name: 'Country' }).click(),
  },
  { name: 'choose a country', act: (page) => page.getByRole('checkbox', { name: 'Canada' }).click() },
  {
    name: 'open the side panel',
    act: (page) => page.locator(`${ROW_SELECTOR} td:last-child`).first().click(),
  },
  { name: 'switch the tab', act: (page) => page.getByRole('link', { name: /^Delivered/ }).click() },
  { name: 'type in the search', act: (page) => page.locator('main input[type=search]').press('f') },
];

/** Returns the time from the start of the navigation to the largest contentful paint, in milliseconds. */
async function timeLargestPaint(context: BrowserContext, url: string, selector: string): Promise<number> {
  const page = await context.newPage();
  const cdpSession = await context.newCDPSession(page);
  await cdpSession.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'load' });
  await page.locator(selector).first().waitFor();
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const paintTimes: number[] = [];
        new PerformanceObserver((list) =>
          paintTimes.push(...list.getEntries().map((entry) => entry.startTime)),
        ).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
        setTimeout(() => resolve(Math.max(...paintTimes)), 500);
      }),
  );
  await page.close();
  return ms;
}

/** Returns the time from a click on a link in the navigation until an element of the page is visible, in milliseconds. */
async function timeNavigation(page: Page, path: string, selector: string): Promise<number> {
  await page.locator('nav a[href$="/statistics"]').first().click();
  await page.waitForURL(/\/statistics/);
  await page.waitForTimeout(500);
  const startedAt = await page.evaluate(() => performance.now());
  await page.locator(`nav a[href$="/${path}"]`).first().click();
  await page.waitForURL((url) => url.pathname.endsWith(`/${path}`));
  await page.locator(selector).first().waitFor();
  return (await page.evaluate(() => performance.now())) - startedAt;
}

/** Returns the longest time from an input to the next paint, as the browser reports it to the page, in milliseconds. */
async function timeInteraction(page: Page, act: (page: Page) => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(window, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId) durations.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  await act(page);
  await page.waitForTimeout(700);
  // Browsers do not report events shorter than 16 ms.
  return page.evaluate(() => Math.max(0, ...(window as unknown as { durations: number[] }).durations));
}

/**
 * Measures how long a user waits in Chromium: for a page that is opened directly or by navigation, and for the next paint after
 * each kind of input.
 */
export async function measurePages(service: Service): Promise<Figure[]> {
  await importOverHttp(
    service,
    await service.createShop(),
    makeRows(ORDER_COUNT * ROWS_PER_ORDER, 900),
    true,
  );
  await service.prepareMeasurement();
  const url = `http://127.0.0.1:${service.port}/admin`;
  const [name, value] = (await signIn(service)).split(/=(.*)/s) as [string, string];
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
    await context.addCookies([
      { name, value, url },
      { name: 'brickdesk.rows', value: '200', url },
    ]);
    const figures: Figure[] = [];
    const addFigure = async (figureName: string, limit: number, measure: () => Promise<number>) => {
      const timesMs: number[] = [];
      for (let nth = 0; nth < REPETITION_COUNT; nth++) timesMs.push(await measure());
      figures.push({ ...atMost(figureName, median(timesMs), 'ms', limit), note: listValues(timesMs) });
    };
    for (const { path, selector } of PAGES)
      await addFigure(`/${path}, cold`, COLD_LIMIT_MS, () =>
        timeLargestPaint(context, `${url}/${path}`, selector),
      );
    const page = await context.newPage();
    await page.goto(`${url}/statistics`);
    await page.waitForTimeout(1_000);
    await addFigure('/orders, by navigation', NAVIGATION_LIMIT_MS, () =>
      timeNavigation(page, 'orders', 'main h1'),
    );
    for (const { name: interactionName, act } of INTERACTIONS)
      await addFigure(`Orders: ${interactionName}`, INTERACTION_LIMIT_MS, async () => {
        await page.goto(`${url}/orders?tab=all`);
        await page.locator(ROW_SELECTOR).first().waitFor();
        await page.waitForTimeout(1_000);
        if (interactionName === 'choose a country') await INTERACTIONS[2]!.act(page);
        if (interactionName === 'choose a country') await page.waitForTimeout(500);
        return timeInteraction(page, act);
      });
    return figures;
  } finally {
    await browser.close();
  }
}
