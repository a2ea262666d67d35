import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright';
import { expect } from 'vitest';
import { makeTemporaryFolder, removeTemporaryFolder } from '../database/temporary-folder';
import { killServices, startService } from '../service/service-process';
import { settled, type Watched, watch } from './browser';
import { launchBrowser } from './launch';

export const EMAIL = 'ann@example.com';
export const PASSWORD = 'correct horse battery staple';

interface Opened extends Watched {
  page: Page;
  /** Fails if the page logged an error or contacted another host. */
  quiet(except?: RegExp): void;
}

/** A built service whose back office is under `/desk`, and its owner, who is not signed in. */
export interface Desk {
  url: string;
  /** Opens a blank page in a browser of its own. */
  withPage<T>(options: BrowserContextOptions, work: (opened: Opened) => Promise<T>): Promise<T>;
  /** Goes to a path of the service. */
  open(page: Page, at: string): Promise<void>;
  /** Fills in and sends the form to sign in. */
  submit(page: Page, password?: string): Promise<void>;
  /** Signs in on the way to a page. */
  signIn(page: Page, at?: string): Promise<void>;
  close(): Promise<void>;
}

/** @param name of the temporary folder */
export async function openDesk(name: string): Promise<Desk> {
  const folder = await makeTemporaryFolder(name);
  const service = await startService(
    {
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      ADMIN_PREFIX: '/desk',
    },
    'build',
  );
  const browser = await launchBrowser();
  const open: Desk['open'] = async (page, at) => {
    await page.goto(service.url + at);
    await settled(page);
  };
  const submit: Desk['submit'] = async (page, password = PASSWORD) => {
    await page.locator('[name=email]').fill(EMAIL);
    await page.locator('[name=password]').fill(password);
    await page.keyboard.press('Enter');
  };
  return {
    url: service.url,
    open,
    submit,
    async withPage(options, work) {
      const context = await browser.newContext({
        locale: 'en-US',
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      try {
        const page = await context.newPage();
        const watched = watch(page);
        const quiet = (except = /(?!)/) => {
          expect(watched.errors.filter((error) => !except.test(error))).toEqual([]);
          expect(
            watched.requests.filter(
              (url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url),
            ),
          ).toEqual([]);
        };
        return await work({ page, ...watched, quiet });
      } finally {
        await context.close();
      }
    },
    async signIn(page, at = '/desk') {
      await open(page, at);
      await submit(page);
      await page.waitForURL(service.url + at);
      await page.locator('main h1').waitFor();
      await settled(page);
    },
    async close() {
      await browser.close();
      await service.stop();
      await killServices();
      await removeTemporaryFolder(folder);
    },
  };
}
