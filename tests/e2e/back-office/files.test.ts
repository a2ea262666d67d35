import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';

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
