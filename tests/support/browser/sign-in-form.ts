import type { Page } from 'playwright';
import { type BackOffice, OWNER_EMAIL, PASSWORD } from './back-office';
import { waitUntilSettled } from './browser';

/** Fills in and submits the sign-in form. */
export async function submitSignIn(
  page: Page,
  { email = OWNER_EMAIL, password = PASSWORD }: { email?: string; password?: string } = {},
): Promise<void> {
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

/** Goes to a path of the back office, signs the owner in on the way, and waits for the page. */
export async function signInOnPage({ visit }: BackOffice, page: Page, pathname = ''): Promise<void> {
  await visit(page, pathname);
  await submitSignIn(page);
  await page.waitForURL((url) => url.pathname.endsWith(pathname) && !url.pathname.endsWith('/sign-in'));
  await page.locator('main h1').waitFor();
  await waitUntilSettled(page);
}
