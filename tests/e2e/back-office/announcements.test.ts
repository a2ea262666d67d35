import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { confirmAction } from '../../support/browser/page-actions';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('announcements');
  const { id: account_id } = await backOffice.call('shops.create', { name: 'Fox and Bricks' });
  const rows = [{ receipt_id: '4166000001', title: 'Owl Magnet', sale_date: '8/22/2026' }];
  await backOffice.send('/api/orders/import', { account_id, rows });
  await backOffice.call('catalog.createCategory', { name: 'Capes' });
});
afterAll(() => backOffice?.close());

const waitForAnnouncement = (page: Page, text: string) =>
  page.getByRole('alert').getByText(text, { exact: true }).waitFor();

describe('a screen reader is told', () => {
  it('that a note was added to an order, and that it was removed', async () => {
    await backOffice.withPage('/orders/1', async (page) => {
      await page.getByLabel('Write a note for your colleagues').fill('Gift wrap');
      await page.getByRole('button', { name: 'Add note' }).click();
      await waitForAnnouncement(page, 'Note added.');
      await page.getByRole('button', { name: 'Remove' }).click();
      await confirmAction(page, 'Remove');
      await waitForAnnouncement(page, 'Note removed.');
    });
  });

  it('where a category was moved to, and that it was deleted', async () => {
    await backOffice.withPage('/catalog/categories', async (page) => {
      await page.getByRole('button', { name: 'Move Capes up' }).click();
      await waitForAnnouncement(page, 'Capes is now number 5 of 6.');
      await page.getByRole('button', { name: 'Delete Capes' }).click();
      await confirmAction(page, 'Delete');
      await waitForAnnouncement(page, 'Capes deleted.');
    });
  });
});
