import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { importNow, uploadAndPreview } from '../../support/browser/import-steps';
import { csvOf } from '../../support/service/import-drafts';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('import-preview');
  await backOffice.call('shops.create', { name: 'Fox and Bricks' });
});

afterAll(() => backOffice?.close());

/** Uploads a file of orders and calls `act` on its preview. */
const previewFile = (
  name: string,
  rows: Parameters<typeof csvOf>[0],
  act: (page: Page) => Promise<void>,
  options?: Parameters<BackOffice['withPage']>[2],
) =>
  backOffice.withPage(
    '/import',
    async (page) => {
      await page.getByLabel('Shop').selectOption({ label: 'Fox and Bricks' });
      await uploadAndPreview(page, { name, text: csvOf(rows) });
      await act(page);
    },
    options,
  );

const showRejectedRows = (page: Page) => page.getByRole('tab', { name: /^Held back/ }).click();

const recordFixes = (page: Page): string[] => {
  const fixes: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('imports.fix')) fixes.push(request.postData() ?? '');
  });
  return fixes;
};

describe('a preview', () => {
  it('opens on the first list that has rows', async () => {
    await previewFile('first.csv', [{ receipt: 'f1' }], importNow);
    await previewFile('first.csv', [{ receipt: 'f1', name: 'Fox' }], async (page) => {
      await page.getByRole('tab', { name: /^Updated/, selected: true }).waitFor();
      await page.reload();
      await page.getByRole('tab', { name: /^Updated/, selected: true }).waitFor();
      await page.getByRole('cell', { name: 'f1' }).waitFor();
    });
  });
});

describe('a changed cell of a preview', () => {
  it('is saved when it loses the focus, which stays where the user put it; Escape takes the change back', async () => {
    const rows = [
      { receipt: 'a1' },
      { receipt: 'a2', quantity: 'two' },
      { receipt: 'a3', quantity: 'three' },
      { receipt: 'a4', quantity: 'four' },
    ];
    await previewFile('leave.csv', rows, async (page) => {
      await showRejectedRows(page);
      const fixes = recordFixes(page);
      const lastCell = page.getByLabel('Quantity, Line 5');
      await lastCell.fill('9');
      await lastCell.press('Escape');
      await page.getByLabel('Quantity, Line 3').fill('2');
      await page.getByLabel('Quantity, Line 4').fill('3');
      // The first cell's text is not accepted yet, so it looks rejected until it is.
      await lastCell.focus();
      await page.getByText('This import will add 3 new orders.').waitFor();
      await expect.poll(() => page.getByLabel(/^Quantity, Line [34]$/).count()).toBe(0);
      expect(await lastCell.evaluate((cell) => cell === document.activeElement)).toBe(true);
      await page.getByRole('tab', { name: /^New/ }).click();
      expect(fixes.length).toBe(2);
    });
  });

  it('still looks rejected until it is accepted', () =>
    previewFile('red.csv', [{ receipt: 'b1', quantity: 'two' }], async (page) => {
      const cell = page.getByLabel('Quantity, Line 2');
      await cell.fill('2');
      expect(await cell.getAttribute('aria-invalid')).toBe('true');
    }));

  it('is saved by pressing "Import now", which imports only once the new preview has been shown', () =>
    previewFile('press.csv', [{ receipt: 'c1' }, { receipt: 'c2', quantity: 'two' }], async (page) => {
      await showRejectedRows(page);
      await page.getByLabel('Quantity, Line 3').fill('2 or so');
      await page.getByRole('button', { name: 'Import now' }).click();
      await expect.poll(() => page.getByLabel('Quantity, Line 3').inputValue()).toBe('2 or so');
      await page.getByLabel('Quantity, Line 3').fill('2');
      await page.getByRole('button', { name: 'Import now' }).click();
      await page.getByText('This import will add 2 new orders.').waitFor();
      await importNow(page);
      await page.getByText('2 new orders were added.').waitFor();
    }));

  it('is not saved while the user looks something up in another window', () =>
    previewFile('window.csv', [{ receipt: 'g1', quantity: 'two' }], async (page) => {
      await showRejectedRows(page);
      const fixes = recordFixes(page);
      const cell = page.getByLabel('Quantity, Line 2');
      await cell.fill('1');
      // The event that comes when the window loses the focus: the cell stays the active element.
      await cell.evaluate((input) => input.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));
      await cell.fill('12');
      await cell.press('Enter');
      await page.getByText('This import will add 1 new order.').waitFor();
      expect(fixes.length).toBe(1);
      expect(fixes[0]).toContain('12');
    }));

  it('is saved again by pressing "Import now" if saving it failed, and nothing is imported', () =>
    previewFile(
      'unsaved.csv',
      [{ receipt: 'h1' }, { receipt: 'h2', quantity: 'two' }],
      async (page) => {
        await showRejectedRows(page);
        await page.route(/imports\.fix/, (route) => route.abort(), { times: 1 });
        const cell = page.getByLabel('Quantity, Line 3');
        await cell.fill('2');
        await cell.press('Enter');
        await page.getByRole('alert').first().waitFor();
        const commits: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('imports.commit')) commits.push(request.url());
        });
        await page.getByRole('button', { name: 'Import now' }).click();
        // Pressing the button moves the focus out of the cell, which saves it.
        await page.getByText('This import will add 2 new orders.').waitFor();
        expect(commits).toEqual([]);
      },
      { allowedErrors: /ERR_FAILED/ },
    ));

  it('is saved when the user goes back, and a reload asks first', () =>
    previewFile('back.csv', [{ receipt: 'd1' }, { receipt: 'd2', quantity: 'two' }], async (page) => {
      await showRejectedRows(page);
      const cell = page.getByLabel('Quantity, Line 3');
      await cell.fill('2');
      const dialogPromise = page.waitForEvent('dialog').then(async (dialog) => {
        await dialog.dismiss();
        return dialog.type();
      });
      await page.evaluate(() => location.reload());
      expect(await dialogPromise).toBe('beforeunload');
      const savePromise = page.waitForResponse(/imports\.fix/);
      await page.evaluate(() => history.back());
      expect((await savePromise).status()).toBe(200);
      await page.getByRole('link', { name: 'back.csv' }).click();
      await page.getByText('This import will add 2 new orders.').waitFor();
    }));
});

describe('the whole row of a preview', () => {
  it('keeps what was typed if the preview cannot be loaded again, and the preview says so', () =>
    previewFile(
      'reload.csv',
      [
        { receipt: 'i1', quantity: 'two' },
        { receipt: 'i2', quantity: 'three' },
      ],
      async (page) => {
        let failRequest = () => {};
        const failPromise = new Promise<void>((resolve) => {
          failRequest = resolve;
        });
        await page.route(/imports\.preview/, async (route) => {
          await failPromise;
          await route.fulfill({ status: 500, json: { code: 'internal_error', message: 'Broken.' } });
        });
        const requestPromise = page.waitForRequest(/imports\.preview/);
        await page.getByLabel('Quantity, Line 2').fill('2');
        await page.getByLabel('Quantity, Line 2').press('Enter');
        await requestPromise;
        await page.getByRole('button', { name: 'Whole row, Line 3' }).click();
        const typedCell = page.getByRole('dialog').getByLabel('Quantity');
        await typedCell.fill('33');
        failRequest();
        await page.locator('main [role=alert]').waitFor();
        expect(await typedCell.inputValue()).toBe('33');
        await page.unrouteAll();
        await page.getByRole('button', { name: 'Save and check again' }).click();
        await page.getByText('This import will add 2 new orders.').waitFor();
        expect(await page.locator('main [role=alert]').count()).toBe(0);
      },
      { allowedErrors: /Failed to load resource/ },
    ));
});

describe('after pressing "Import now"', () => {
  const LEAVE_TEXT = 'You can leave this page.';
  const STAY_TEXT = 'Stay on this page until the import has started.';

  it('the page tells the user to stay until the service has accepted the import, even after being offline', () =>
    previewFile(
      'slow.csv',
      [{ receipt: 'e1' }],
      async (page) => {
        let sendRequest = () => {};
        let sendResponse = () => {};
        const sendPromise = new Promise<void>((resolve) => {
          sendRequest = resolve;
        });
        const responsePromise = new Promise<void>((resolve) => {
          sendResponse = resolve;
        });
        await page.route(/imports\.commit/, async (route) => {
          await sendPromise;
          const response = await route.fetch();
          await responsePromise;
          await route.fulfill({ response });
        });
        const requestPromise = page.waitForRequest(/imports\.commit/);
        await page.context().setOffline(true);
        await page.getByRole('button', { name: 'Import now' }).click();
        await page.getByText(STAY_TEXT).waitFor();
        await page.getByText('You are offline.').waitFor();
        expect(await page.getByText(LEAVE_TEXT).count()).toBe(0);
        await page.context().setOffline(false);
        await requestPromise;
        expect(await page.getByText(LEAVE_TEXT).count()).toBe(0);
        sendRequest();
        await page.getByText(LEAVE_TEXT).waitFor();
        expect(await page.getByText(STAY_TEXT).count()).toBe(0);
        sendResponse();
        await page.getByText('1 new order was added.').waitFor();
      },
      { allowedErrors: /ERR_INTERNET_DISCONNECTED/ },
    ));
});
