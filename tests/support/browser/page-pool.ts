import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright';
import { findFreePort } from '../service/free-port';
import { launchBrowser } from './launch';

/** The options of a page that can be changed without a new context. */
type EmulationOptions = Required<Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion'>>;
/** The options that a context keeps for its whole life. */
type ContextOptions = Omit<BrowserContextOptions, keyof EmulationOptions>;

/**
 * The pages of a browser, each in a context of its own, used by one test after another. The first visit in a new context costs
 * twice as much as a later one: the scripts have to be fetched and compiled again.
 */
interface PagePool {
  /**
   * Returns a page that no test is using, with these options and only these cookies. The windows that it opens have the default
   * size and colour scheme.
   */
  acquire(options: ContextOptions & EmulationOptions, cookies: Cookie[]): Promise<Page>;
  /**
   * Puts a page back after a successful test, without what the test left behind: other pages of the context, listeners, routes and
   * stored values. A test that opened a CDP session must have detached it.
   */
  release(page: Page): Promise<void>;
}

/** The events that tests listen to. */
const OBSERVED_EVENTS = [
  ...['console', 'dialog', 'download', 'pageerror', 'popup'],
  ...['request', 'requestfailed', 'requestfinished', 'response'],
] as const;

function createPagePool(browser: Browser, idleUrl: string): PagePool {
  const idlePages = new Map<string, Page[]>();
  const poolKeys = new Map<Page, string>();
  return {
    async acquire({ viewport, colorScheme, reducedMotion, ...contextOptions }, cookies) {
      const key = JSON.stringify(contextOptions);
      let page = idlePages.get(key)?.pop();
      if (!page) {
        const context = await browser.newContext(contextOptions);
        page = await context.newPage();
        poolKeys.set(page, key);
      }
      if (viewport) await page.setViewportSize(viewport);
      await page.emulateMedia({
        media: null,
        colorScheme,
        reducedMotion,
        forcedColors: null,
        contrast: null,
      });
      await page.context().clearCookies();
      await page.context().addCookies(cookies);
      return page;
    },
    async release(page) {
      for (const other of page.context().pages()) if (other !== page) await other.close();
      // Not all listeners: Playwright has some of its own.
      for (const event of OBSERVED_EVENTS) page.removeAllListeners(event);
      await page.unrouteAll();
      await page.context().setOffline(false);
      // Of the same origin, because storage can only be cleared there.
      await page.goto(idleUrl);
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      // Outside of the page, where it hovers over nothing.
      await page.mouse.move(-1, -1);
      const key = poolKeys.get(page)!;
      idlePages.set(key, [...(idlePages.get(key) ?? []), page]);
    },
  };
}

/** What the test files of a worker share. */
interface WorkerBrowser {
  browser: Browser;
  pagePool: PagePool;
  /** The port of the service of each test file in turn, so that the browser has its scripts already. */
  port: number;
}

let workerBrowserPromise: Promise<WorkerBrowser> | undefined;

/**
 * Launches the worker's browser, or returns the one that an earlier test file launched. It ends with the worker's process; if it
 * crashes, the next file gets a new one.
 */
export function openWorkerBrowser(): Promise<WorkerBrowser> {
  workerBrowserPromise ??= (async () => {
    const port = await findFreePort();
    const browser = await launchBrowser();
    browser.once('disconnected', () => {
      workerBrowserPromise = undefined;
    });
    return { browser, port, pagePool: createPagePool(browser, `http://127.0.0.1:${port}/healthz`) };
  })().catch((error) => {
    workerBrowserPromise = undefined;
    throw error;
  });
  return workerBrowserPromise;
}
