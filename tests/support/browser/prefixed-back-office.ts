import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { killServices, startService } from '../service/service-process';
import { type PageActivity, recordActivity, waitUntilSettled } from './browser';
import { launchBrowser } from './launch';

export const OWNER_EMAIL = 'ann@example.com';
export const PASSWORD = 'correct horse battery staple';

interface OpenPage extends PageActivity {
  page: Page;
  /** Fails if the page logged an error that `allowedErrors` does not match, or contacted another host. */
  expectNoErrorsOrExternalRequests(allowedErrors?: RegExp): void;
}

/** A built service whose back office is under `/desk`, and its owner, who is not signed in. */
export interface PrefixedBackOffice {
  url: string;
  /** Runs `work` on a blank page in a separate browser context. */
  withPage<T>(options: BrowserContextOptions, work: (openPage: OpenPage) => Promise<T>): Promise<T>;
  /** Goes to a path of the service. */
  visit(page: Page, pathname: string): Promise<void>;
  /** Fills in and submits the sign-in form. */
  submitSignIn(page: Page, password?: string): Promise<void>;
  /** Goes to a path of the service and signs in on the way. */
  signIn(page: Page, pathname?: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a built service with its own database, and a browser.
 *
 * @param name part of the name of the temporary folder
 */
export async function openPrefixedBackOffice(name: string): Promise<PrefixedBackOffice> {
  const folder = await makeTemporaryFolder(name);
  const service = await startService(
    {
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_EMAIL: OWNER_EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      ADMIN_PREFIX: '/desk',
    },
    'withPages',
  );
  const browser = await launchBrowser();
  const visit: PrefixedBackOffice['visit'] = async (page, pathname) => {
    await page.goto(service.url + pathname);
    await waitUntilSettled(page);
  };
  const submitSignIn: PrefixedBackOffice['submitSignIn'] = async (page, password = PASSWORD) => {
    await page.locator('[name=email]').fill(OWNER_EMAIL);
    await page.locator('[name=password]').fill(password);
    await page.keyboard.press('Enter');
  };
  return {
    url: service.url,
    visit,
    submitSignIn,
    async withPage(options, work) {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      try {
        const page = await context.newPage();
        const activity = recordActivity(page);
        const expectNoErrorsOrExternalRequests = (allowedErrors = /(?!)/) => {
          expect(activity.errors.filter((error) => !allowedErrors.test(error))).toEqual([]);
          expect(
            activity.requestUrls.filter(
              (url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url),
            ),
          ).toEqual([]);
        };
        return await work({ page, ...activity, expectNoErrorsOrExternalRequests });
      } finally {
        await context.close();
      }
    },
    async signIn(page, pathname = '/desk') {
      await visit(page, pathname);
      await submitSignIn(page);
      await page.waitForURL(service.url + pathname);
      await page.locator('main h1').waitFor();
      await waitUntilSettled(page);
    },
    async close() {
      await browser.close();
      await service.stop();
      await killServices();
      await removeTemporaryFolder(folder);
    },
  };
}
