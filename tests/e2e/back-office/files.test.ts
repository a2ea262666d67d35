import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitUntilSettled } from '../../support/browser/browser';
import { holdRequests } from '../../support/browser/page-actions';
import { csvOf } from '../../support/service/import-drafts';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-files');
  await backOffice.call('shops.create', { name: 'Fox and Bricks' });
});
afterAll(() => backOffice?.close());

const fileInputOf = (page: Page) => page.locator('input[type=file]');
const chooseFile = (page: Page, text: string) =>
  fileInputOf(page).setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

it.each([
  ['/orders/tracking', 'order,tracking number\n4165000001,LX1', '1 row read.'],
  ['/statistics/import', 'shop_id,date\nfox,2026-02-30\n', '2 lines'],
  ['/catalog/import', 'category,code,name\nwing,WG-001,\n', 'Nothing was imported.'],
  ['/import', 'a,b\n1,2\n', 'Please check your input'],
])('on %s, the same file can be chosen again after it was corrected', async (path, text, shownText) => {
  await backOffice.withPage(
    path,
    async (page) => {
      await chooseFile(page, text);
      await page.getByText(shownText).first().waitFor();
      // Browsers do not report that a file is chosen that the input already has.
      await expect
        .poll(() => fileInputOf(page).evaluate((input: HTMLInputElement) => input.files?.length))
        .toBe(0);
    },
    { allowedErrors: /status of 422/ },
  );
});

describe('a user who has gone to another page stays there', () => {
  /** Leaves the page by a link while the response to `call` is held back. Returns the new URL once the page has the response. */
  async function leaveDuring(page: Page, url: RegExp, startCall: () => Promise<void>): Promise<string> {
    const release = await holdRequests(page, url);
    const requestPromise = page.waitForRequest(url);
    await startCall();
    await requestPromise;
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const responsePromise = page.waitForResponse(url);
    release();
    await responsePromise;
    return page.url();
  }

  it('when the upload of an order export is complete', async () => {
    await backOffice.withPage('/import', async (page) => {
      const pushedUrls: string[] = [];
      page.on('request', (request) => {
        if (/\/admin\/import\/[\da-f-]{36}/.test(request.url())) pushedUrls.push(request.url());
      });
      const url = await leaveDuring(page, /\/api\/uploads\/orders/, () =>
        chooseFile(page, csvOf([{ receipt: '1' }])),
      );
      await waitUntilSettled(page);
      // The draft is there to come back to.
      await expect.poll(async () => (await backOffice.query('imports.drafts', undefined)).length).toBe(1);
      expect([page.url(), pushedUrls]).toEqual([url, []]);
    });
  });

  it('when an import of products is complete, and is told about it', async () => {
    await backOffice.withPage('/catalog/import', async (page) => {
      await chooseFile(page, 'category,code,name\nhead,HD-001,\n');
      const button = page.getByRole('button', { name: 'Import 1 product' });
      await button.waitFor();
      const url = await leaveDuring(page, /catalog\.importProducts/, () => button.click());
      await page.getByText('Imported: 1 new product, 0 updated.').waitFor();
      await waitUntilSettled(page);
      expect(page.url()).toBe(url);
    });
  });
});
