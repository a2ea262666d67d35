import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';
import { uploadAndPreview } from '../../support/browser/import-steps';
import { chooseAction, confirmAction } from '../../support/browser/page-actions';
import { screenshot } from '../../support/browser/screenshot';
import { csvOf } from '../../support/service/import-drafts';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('focus');
  await backOffice.call('shops.create', { name: 'Fox and Bricks' });
});
afterAll(() => backOffice?.close());

describe('at the end of a task, the focus is', () => {
  it("on the result's title after an import, on Close after its undo, and on the page's title after closing", async () => {
    await backOffice.withPage('/import', async (page) => {
      await uploadAndPreview(page, { name: 'undo.csv', text: csvOf([{ receipt: '4167000001' }]) });
      const importButton = page.getByRole('button', { name: 'Import now' });
      await importButton.focus();
      await page.keyboard.press('Enter');
      await waitForFocus(page.getByText('Imported', { exact: true }));
      const resultUrl = page.url();
      await page.getByRole('link', { name: 'Show the import' }).click();
      await page.getByRole('button', { name: 'Undo…' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('button', { name: 'Undo this import' }).focus();
      await page.keyboard.press('Enter');
      await waitForFocus(drawer.getByRole('button', { name: 'Close' }).last());
      await page.keyboard.press('Enter');
      await drawer.waitFor({ state: 'hidden' });
      await waitForFocus(page.getByRole('heading', { level: 1 }));
      // The result no longer offers the orders, which are gone.
      await page.goto(resultUrl);
      await page.getByText('Imported, then undone').waitFor();
      await page.getByText('1 new order had been added.').waitFor();
      await page.getByRole('link', { name: 'Show the import' }).waitFor();
      expect(await page.getByRole('link', { name: 'Show the new orders' }).count()).toBe(0);
      await screenshot(page, 'admin-import-result-undone');
    });
  });

  it('on the link of its row after an API key has been revoked', async () => {
    await backOffice.withPage('/keys', async (page) => {
      await chooseAction(page, 'first key', 'Revoke');
      await confirmAction(page, 'Revoke');
      await page.getByRole('cell', { name: 'Revoked' }).waitFor();
      await waitForFocus(page.getByRole('row', { name: /first key/ }).getByRole('link'));
    });
  });
});

it('a user who cannot be signed out because the service does not respond is told so', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      await page.route('**/api/auth/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Your account, ann' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page
        .getByRole('alert')
        .getByText('You are still signed in: the service did not respond. Try again.')
        .waitFor();
      await page.unroute('**/api/auth/**');
    },
    { allowedErrors: /ERR_FAILED|next-auth/ },
  );
});

it('a list that is loaded after the session has ended says so, and links to the sign-in', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      await page.context().clearCookies();
      await page.getByRole('searchbox', { name: 'Search orders', exact: true }).fill('Fox');
      const alert = page.getByRole('main').getByRole('alert');
      await alert.getByText('You are signed out', { exact: true }).waitFor();
      expect(await alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/admin/sign-in');
      expect(await alert.getByRole('button').count()).toBe(0);
      await screenshot(page, 'admin-list-signed-out');
    },
    { allowedErrors: /status of 401/ },
  );
});

it('pasted statistics are still there after a visit to another page, until they are imported', async () => {
  await backOffice.withPage('/statistics/import', async (page) => {
    const field = page.getByRole('textbox', { name: 'CSV text' });
    const csv = 'shop_id,date,total_orders\nowl,2026-08-01,3';
    await field.fill(csv);
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Orders/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe(csv);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported', { exact: true }).waitFor();
    await page.reload();
    await field.waitFor();
    await page.waitForTimeout(500);
    expect(await field.inputValue()).toBe('');
  });
});
