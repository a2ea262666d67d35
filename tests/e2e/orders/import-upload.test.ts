import { rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { chooseFile } from '../../support/browser/import-steps';
import { holdRequests } from '../../support/browser/page-actions';
import { screenshot } from '../../support/browser/screenshot';
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

describe('an upload whose page the user leaves', () => {
  /** Chooses a file, goes to the catalog while it is uploaded, and returns a function that lets the upload go on. */
  async function uploadAndLeave(page: Page, name: string, text: string): Promise<() => void> {
    const release = await holdRequests(page, UPLOADS);
    await chooseFile(page, name, text);
    await page.getByText(`Uploading ${name}`).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Catalog', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Catalog' }).waitFor();
    return release;
  }
  const openImportPage = async (page: Page) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Import', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Import orders' }).waitFor();
  };
  const OTHER_FILE = 'a,b\n1,2\n';
  const REFUSAL = 'This is not the marketplace\'s "Sold order items" export';

  it('shows its progress when the user returns, and then the draft', async () => {
    await backOffice.withPage('/import', async (page) => {
      const release = await uploadAndLeave(page, 'first.csv', FILE);
      await openImportPage(page);
      await page.getByText('Uploading first.csv').waitFor();
      expect(await page.locator('input[type=file]').isDisabled()).toBe(true);
      release();
      await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
      await openImportPage(page);
      await page.getByText('Choose a file or drop it here').waitFor();
    });
  });

  it('shows its refusal on the page when the user has returned', async () => {
    const uploadOtherFile = async (page: Page) => {
      const release = await uploadAndLeave(page, 'other.csv', OTHER_FILE);
      await openImportPage(page);
      release();
      await page.getByRole('main').getByRole('alert').getByText(REFUSAL).waitFor();
    };
    await backOffice.withPage('/import', uploadOtherFile, { allowedErrors: /status of 422/ });
  });

  it('tells the user on another page that the file is ready to review', async () => {
    await backOffice.withPage('/import', async (page) => {
      const release = await uploadAndLeave(page, 'second.csv', FILE);
      release();
      const notification = page.getByRole('alert').filter({ hasText: 'second.csv is ready to review' });
      await notification.getByRole('link', { name: 'second.csv' }).click();
      await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
      await notification.waitFor({ state: 'detached' });
    });
  });

  it('tells the user on another page why the file was refused', async () => {
    const uploadOtherFile = async (page: Page) => {
      const release = await uploadAndLeave(page, 'other.csv', OTHER_FILE);
      release();
      const notification = page.getByRole('alert').filter({ hasText: 'The upload of “other.csv” failed' });
      await notification.getByText(REFUSAL).waitFor();
      await screenshot(page, 'admin-import-refused-elsewhere');
      await openImportPage(page);
      await page.getByText('Choose a file or drop it here').waitFor();
      expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    };
    await backOffice.withPage('/import', uploadOtherFile, { allowedErrors: /status of 422/ });
  });
});
