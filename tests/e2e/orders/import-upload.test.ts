import { rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { csvOf, rowOf } from '../../support/service/import-drafts';

const FILE = csvOf([rowOf('1')]);
const UPLOADS = '**/api/uploads/**';

let backOffice: BackOffice;
let folder: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('import-upload-files');
  backOffice = await openBackOffice('import-upload');
  await backOffice.call('shops.create', { name: 'Fox and Bricks' });
});

afterAll(async () => {
  await backOffice?.close();
  await removeTemporaryFolder(folder);
});

it('a file above the limit is refused with its size, without being sent', async () => {
  const filePath = path.join(folder, 'sold.csv');
  await writeFile(filePath, FILE);
  await truncate(filePath, 64 * 1024 * 1024 + 1);
  await backOffice.withPage('/import', async (page) => {
    let uploadCount = 0;
    await page.route(UPLOADS, (route) => {
      uploadCount++;
      return route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(filePath);
    await page
      .getByRole('alert')
      .getByText('sold.csv is 64.1 MiB; the limit is 64 MiB. Split it into several files.', { exact: true })
      .waitFor();
    expect(uploadCount).toBe(0);
  });
});

it('a file that was deleted after it was chosen is called unreadable', async () => {
  const filePath = path.join(folder, 'gone.csv');
  await writeFile(filePath, FILE);
  const chooseAndDelete = async (page: Page) => {
    await page.route(UPLOADS, async (route) => {
      await rm(filePath);
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(filePath);
    const alert = page.getByRole('alert').filter({ hasText: 'The file cannot be read' });
    await alert.getByText('changed, moved or deleted. Choose the file again.').waitFor();
  };
  await backOffice.withPage('/import', chooseAndDelete, { allowedErrors: /net::ERR_/ });
});
