import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { readReceiptIds } from '../../support/browser/back-office-orders';
import { importNow, uploadAndPreview } from '../../support/browser/import-steps';
import { screenshot } from '../../support/browser/screenshot';
import { csvOf } from '../../support/service/import-drafts';

const VIEWER_EMAIL = 'vic@example.com';

let backOffice: BackOffice;
let shopId: number;

beforeAll(async () => {
  backOffice = await openBackOffice('imports');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  shopId = (await backOffice.call('shops.create', { name: 'Fox and Bricks' })).id;
});

afterAll(() => backOffice?.close());

const sendRows = (rows: unknown[]) => backOffice.send('/api/orders/import', { account_id: shopId, rows });

describe('the result of an import', () => {
  /**
   * Imports a file. Returns the sentences of the result, the text of the link to the new orders if there is one, and the name
   * of the file of held-back rows if they can be downloaded.
   */
  const importFile = async (name: string, text: string): Promise<string[]> => {
    let resultTexts: string[] = [];
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: `${name}.csv`, text });
      await importNow(page);
      const importStatus = page.getByRole('status').filter({ hasText: 'Imported' });
      resultTexts = await importStatus.locator('p').allTextContents();
      resultTexts.push(...(await page.getByRole('link', { name: 'Show the new orders' }).allInnerTexts()));
      const downloadLinks = page.getByRole('link', { name: 'Download rows held back' });
      if ((await downloadLinks.count()) > 0) {
        const downloadPromise = page.waitForEvent('download');
        await downloadLinks.click();
        resultTexts.push((await downloadPromise).suggestedFilename().replace(/\d{4}-\d\d-\d\d/, 'DATE'));
      }
      await screenshot(page, `admin-import-result-${name}`);
    });
    return resultTexts;
  };
  const cleanCsv = csvOf([
    { receipt: 'r1', transaction_id: '1', title: 'Fox' },
    { receipt: 'r1', transaction_id: '2', title: 'Owl' },
    { receipt: 'r2', transaction_id: '3', title: 'Elk' },
  ]);

  it('of a clean file states only how many orders and items were added, and links to the new orders', async () => {
    expect(await importFile('clean', cleanCsv)).toEqual([
      '2 new orders were added.',
      '3 items were added.',
      'Show the new orders',
    ]);
  });

  it('of the same file again states that nothing has changed, and links to no new orders', async () => {
    expect(await importFile('again', cleanCsv)).toEqual([
      '2 orders already existed, and nothing in them has changed.',
    ]);
  });

  it('of a file with bad rows states how many were held back, and offers them for download', async () => {
    const text = csvOf([
      { receipt: 'r1', transaction_id: '1', title: 'Red Fox' },
      { receipt: 'r2', transaction_id: '3', title: 'Elk' },
      { receipt: 'r3', transaction_id: '4', quantity: 'two', price: '12,00' },
      { receipt: 'r3', transaction_id: '5' },
      { receipt: 'r4', transaction_id: '6', country: 'Atlantis' },
    ]);
    expect(await importFile('held', text)).toEqual([
      '1 new order was added.',
      '1 order was updated.',
      '1 order already existed and has not changed.',
      '1 item was added.',
      '1 item was updated.',
      '2 rows were held back and can still be downloaded.',
      '1 warning is saved with the import.',
      'Show the new orders',
      'held-bad-rows-DATE.xlsx',
    ]);
  });
});

describe('the history', () => {
  it('counts the rows of a file and those held back as its draft did, and says which cells held them back', async () => {
    await backOffice.withPage('/imports?file=held', async (page) => {
      await page.getByRole('columnheader', { name: 'Held back' }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'held.csv' });
      // New and changed orders, rows held back, warnings.
      expect(await row.locator('td.figures').allInnerTexts()).toEqual(['1', '1', '2', '1']);
      await row.getByRole('link', { name: /^Import \d+$/ }).click();
      const figures = page.locator('dl[aria-label=Summary] > div');
      await figures.filter({ hasText: /^Rows5$/ }).waitFor();
      await figures.filter({ hasText: /^Rows held back22 bad cells$/ }).waitFor();
      await page
        .getByRole('row', { name: /^Data row 3, Quantity Held back must be a whole number/ })
        .waitFor();
      await page.getByRole('row', { name: /^Data row 5, Ship Country Warning "Atlantis"/ }).waitFor();
      await screenshot(page, 'admin-import-held');
    });
  });

  it('shows which orders an undo will remove and which it will keep because they have changed since; the undo then does exactly that', async () => {
    await backOffice.withPage('/import', async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: 'undo.csv', text: csvOf([{ receipt: 'u1' }, { receipt: 'u2' }]) });
      await importNow(page);
      await sendRows([{ receipt_id: 'u2', name: 'Sent since' }]);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Undo…' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('This removes 1 order.').waitFor();
      await drawer.getByRole('cell', { name: 'u1' }).waitFor();
      await drawer.getByRole('tab', { name: /^Kept/ }).click();
      await drawer.getByRole('cell', { name: 'u2' }).waitFor();
      await drawer.getByText(/^Changed later by import \d+$/).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await screenshot(page, 'admin-import-undo');
      await drawer.getByRole('button', { name: 'Undo this import' }).click();
      const result = drawer.getByRole('status').filter({ hasText: 'The import is undone' });
      await result.getByText('Removed: 1 order.').waitFor();
      await result.getByText('1 record stays as it is, because it has been changed since.').waitFor();
      await drawer.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Undone', { exact: true }).first().waitFor();
      expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
      const [, importId] = /imports\/(\d+)/.exec(page.url())!;
      await backOffice.visit(page, `/orders?import=${importId}`);
      expect(await readReceiptIds(page)).toEqual(['u2']);
    });
  });

  it('shows the preview of an undo anew if it has changed since, and undoes nothing until that is confirmed', async () => {
    const undoAnew = async (page: Page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: 'anew.csv', text: csvOf([{ receipt: 'v1' }, { receipt: 'v2' }]) });
      await importNow(page);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Undo…' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('This removes 2 orders.').waitFor();
      await sendRows([{ receipt_id: 'v2', name: 'Sent since' }]);
      await drawer.getByRole('button', { name: 'Undo this import' }).click();
      await page.getByText('What the undo would do has changed since it was shown').waitFor();
      await drawer.getByText('This removes 1 order.').waitFor();
      await drawer.getByRole('button', { name: 'Undo this import' }).click();
      await drawer.getByRole('status').filter({ hasText: 'Removed: 1 order.' }).waitFor();
    };
    await backOffice.withPage('/import', undoAnew, { allowedErrors: /status of 409/ });
  });

  it('says that an import has been undone in the meantime, instead of offering to undo it', async () => {
    const undoTwice = async (page: Page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name: 'twice.csv', text: csvOf([{ receipt: 'w1' }]) });
      await importNow(page);
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Undo…' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByText('This removes 1 order.').waitFor();
      await backOffice.withPage(new URL(page.url()).pathname.replace(/^\/admin/, ''), async (otherPage) => {
        await otherPage.getByRole('button', { name: 'Undo…' }).click();
        await otherPage.getByRole('button', { name: 'Undo this import' }).click();
        await otherPage.getByText('Removed: 1 order.').waitFor();
      });
      await drawer.getByRole('button', { name: 'Undo this import' }).click();
      await drawer.getByText('This import has already been undone.').waitFor();
      expect(await drawer.getByText('This removes 1 order.').count()).toBe(0);
      expect(await drawer.getByRole('button', { name: 'Undo this import' }).count()).toBe(0);
      await screenshot(page, 'admin-import-undone-elsewhere');
      await drawer.getByRole('button', { name: 'Close' }).last().click();
      await page.getByText('Undone', { exact: true }).first().waitFor();
    };
    await backOffice.withPage('/import', undoTwice, { allowedErrors: /status of 409/ });
  });

  it('keeps its filters in the URL', async () => {
    await backOffice.withPage('/imports?source=spreadsheet&file=held', async (page) => {
      await page.getByRole('cell', { name: 'held.csv' }).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('cell', { name: 'clean.csv' }).waitFor();
      await page.getByLabel('Source').selectOption({ label: 'API' });
      await page.waitForURL(/source=api/);
    });
    await backOffice.withPage('/imports?warnings=yes', async (page) => {
      await page.getByRole('cell', { name: 'held.csv' }).waitFor();
      expect(await page.getByRole('cell', { name: 'undo.csv' }).count()).toBe(0);
    });
  });

  it('is open to viewers, who can neither import nor undo', async () => {
    await backOffice.withPage(
      '/imports',
      async (page) => {
        expect(await page.getByRole('link', { name: 'Import orders' }).count()).toBe(0);
        await page
          .getByRole('link', { name: /^Import \d+$/ })
          .last()
          .click();
        await page.getByRole('tab', { name: /^Issues/ }).waitFor();
        expect(await page.getByRole('button', { name: 'Undo…' }).count()).toBe(0);
        await backOffice.visit(page, '/import');
        await page.getByText('Your role does not give access to this page').waitFor();
      },
      { userEmail: VIEWER_EMAIL, allowedErrors: /status of 403/ },
    );
  });
});

it('the lists of a preview, of its import and of the undo have pages of as many rows as the user chose', async () => {
  const receiptIds = Array.from({ length: 60 }, (_, n) => `p${n + 1}`);
  const text = csvOf(receiptIds.map((receipt) => ({ receipt })));
  await backOffice.withPage('/import', async (page) => {
    const readCells = async (area: Locator) =>
      (await area.locator('tbody tr').allInnerTexts()).map((row) => /p\d+/.exec(row)?.[0]);
    const goTo = (area: Locator, name: 'Next' | 'Previous') => area.getByRole('button', { name }).click();
    await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
    await uploadAndPreview(page, { name: 'long.csv', text });
    const main = page.getByRole('main');
    expect(await readCells(main)).toEqual(receiptIds.slice(0, 50));
    await goTo(main, 'Next');
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(50));
    expect(await main.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await goTo(main, 'Previous');
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(0, 50));
    await main.getByLabel('Rows per page').selectOption('25');
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(0, 25));

    await importNow(page);
    await page.getByRole('link', { name: 'Show the import' }).click();
    await page.getByRole('tab', { name: /^New orders/ }).click();
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(0, 25));
    await goTo(main, 'Next');
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(25, 50));
    await page.reload();
    await expect.poll(() => readCells(main)).toEqual(receiptIds.slice(25, 50));
    expect(await page.getByRole('tab', { name: /^New orders/ }).innerText()).toMatch(/60$/);
    await screenshot(page, 'admin-import-second-page');

    await page.getByRole('button', { name: 'Undo…' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('This removes 60 orders.').waitFor();
    await expect.poll(() => readCells(drawer)).toEqual(receiptIds.slice(0, 25));
    await goTo(drawer, 'Next');
    await expect.poll(() => readCells(drawer)).toEqual(receiptIds.slice(25, 50));
    await goTo(drawer, 'Next');
    await expect.poll(() => readCells(drawer)).toEqual(receiptIds.slice(50));
    await goTo(drawer, 'Previous');
    await expect.poll(() => readCells(drawer)).toEqual(receiptIds.slice(25, 50));
    await screenshot(page, 'admin-import-undo-second-page');
  });
});
