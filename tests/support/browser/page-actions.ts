import type { Page } from 'playwright';

/** Chooses an action from a row's menu. */
export async function chooseAction(page: Page, rowName: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${rowName}` }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Confirms an action in its dialog. */
export const confirmAction = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

/** Reads a secret that is shown only once, and closes its dialog. */
export async function readSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'This is shown only once' });
  await dialog.waitFor();
  const secret = await dialog.locator('code').first().innerText();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

/** Holds back the requests for a URL until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const releasePromise = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await releasePromise;
    await route.continue();
  });
  return release;
}

/** Makes the browser fail to read files, as it does for a dropped folder. */
export const makeFileReadsFail = (page: Page) =>
  page.evaluate(() => {
    FileReader.prototype.readAsDataURL = function fail() {
      queueMicrotask(() => this.dispatchEvent(new ProgressEvent('error')));
    };
  });
