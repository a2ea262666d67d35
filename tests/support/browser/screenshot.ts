import type { Page } from 'playwright';

/** The folder of the screenshots, which git ignores. */
const FOLDER = 'screenshots';

/** Saves `screenshots/<name>.png` for people to look at, if SCREENSHOTS is set. */
export async function screenshot(page: Page, name: string, options?: { fullPage: boolean }): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ ...options, path: `${FOLDER}/${name}.png` });
}
