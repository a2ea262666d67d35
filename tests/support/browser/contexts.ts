import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright';

/** Reuses the contexts of a browser, so that scripts are fetched and compiled only once, as for a real user. */
export interface ContextPool {
  /** Returns a context that no test is using, with these options and only these cookies. */
  acquire(options: BrowserContextOptions, cookies: Cookie[]): Promise<BrowserContext>;
  /** Puts a context back into the pool after a successful test. Closes its pages and clears their local storage. */
  release(context: BrowserContext): Promise<void>;
}

/** Creates a pool of contexts, which close with the browser. */
export function createContextPool(browser: Browser): ContextPool {
  const idleContexts = new Map<string, BrowserContext[]>();
  const poolKeys = new Map<BrowserContext, string>();
  return {
    async acquire(options, cookies) {
      const key = JSON.stringify(options);
      let context = idleContexts.get(key)?.pop();
      if (!context) {
        context = await browser.newContext(options);
        poolKeys.set(context, key);
      }
      await context.clearCookies();
      await context.addCookies(cookies);
      return context;
    },
    async release(context) {
      for (const page of context.pages()) {
        if (page.url().startsWith('http')) await page.evaluate(() => localStorage.clear());
        await page.close();
      }
      const key = poolKeys.get(context)!;
      idleContexts.set(key, [...(idleContexts.get(key) ?? []), context]);
    },
  };
}
