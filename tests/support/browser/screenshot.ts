import type { Page } from 'playwright';

/** Ignored by git. */
const FOLDER = 'screenshots';

/** Takes a picture for people to look at, `screenshots/<name>.png`, if the environment has SCREENSHOTS. */
export async function screenshot(page: Page, name: string, options?: { fullPage: boolean }): Promise<void> {
  if (process.env.SCREENSHOTS) await page.screenshot({ ...options, path: `${FOLDER}/${name}.png` });
}
