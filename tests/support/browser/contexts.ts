import type { Browser, BrowserContext, BrowserContextOptions, Cookie } from 'playwright';

/** Contexts of one browser that are used one after another, so that scripts are fetched and compiled once, as by people. */
export interface Contexts {
  /** A context of these options that no one is using, with these cookies and nothing else stored. */
  take(options: BrowserContextOptions, cookies: Cookie[]): Promise<BrowserContext>;
  /** Hands a context back whose pages have ended well: they are closed, and what they stored is removed. */
  giveBack(context: BrowserContext): Promise<void>;
}

/** Keeps the contexts of a browser: they end with it. */
export function keepContexts(browser: Browser): Contexts {
  const idle = new Map<string, BrowserContext[]>();
  const keys = new Map<BrowserContext, string>();
  return {
    async take(options, cookies) {
      const key = JSON.stringify(options);
      let context = idle.get(key)?.pop();
      if (!context) {
        context = await browser.newContext(options);
        keys.set(context, key);
      }
      await context.clearCookies();
      await context.addCookies(cookies);
      return context;
    },
    async giveBack(context) {
      for (const page of context.pages()) {
        if (page.url().startsWith('http')) await page.evaluate(() => localStorage.clear());
        await page.close();
      }
      const key = keys.get(context)!;
      idle.set(key, [...(idle.get(key) ?? []), context]);
    },
  };
}
