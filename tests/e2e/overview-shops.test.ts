import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { dateDaysAgo } from '../support/browser/back-office-days';
import { waitForFocus } from '../support/browser/browser';
import { screenshot } from '../support/browser/screenshot';

const IDLE_SHOP_NAMES = Array.from(
  { length: 11 },
  (_, index) => `Idle ${String(index + 1).padStart(2, '0')}`,
);

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('overview-shops');
  for (const name of IDLE_SHOP_NAMES) await backOffice.call('shops.create', { name });
  // The last by name and by id.
  const { id } = await backOffice.call('shops.create', { name: 'Zebra' });
  const sale_date = dateDaysAgo(1).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1');
  const row = {
    receipt_id: '4167000001',
    title: 'Owl Magnet',
    quantity: 1,
    price: 9,
    currency: 'USD',
    sale_date,
  };
  await backOffice.send('/api/orders/import', { account_id: id, rows: [row] });
  // Daily sums are updated a moment after orders arrive.
  const readSums = () => backOffice.query('overview.read', { from: dateDaysAgo(6), to: dateDaysAgo(0) });
  await vi.waitUntil(async () => (await readSums()).orders.value === 1, { timeout: 20_000, interval: 100 });
});
afterAll(() => backOffice?.close());

const table = (page: Page) => page.getByRole('table', { name: 'Shops' });
const readNames = (page: Page) => table(page).getByRole('rowheader').allInnerTexts();

describe("the overview's table of shops", () => {
  it('has no empty cells, also for a shop without orders', async () => {
    await backOffice.withPage('?range=7d', async (page) => {
      const texts = await table(page).locator('td > span:last-of-type').allTextContents();
      expect(texts.filter((text) => text.trim() === '')).toEqual([]);
      const cells = table(page)
        .getByRole('row', { name: /^Idle 01/ })
        .locator('td > span:last-of-type');
      expect((await cells.allInnerTexts()).slice(0, 3)).toEqual(['0', '–', expect.stringMatching(/^–/)]);
    });
  });

  it('shows shops with orders first, and at first only ten shops', async () => {
    await backOffice.withPage('?range=7d', async (page) => {
      expect(await readNames(page)).toEqual(['Zebra', ...IDLE_SHOP_NAMES.slice(0, 9)]);
      await screenshot(page, 'admin-overview-shops', { fullPage: true });
      await page.getByRole('button', { name: 'Show all 12 shops' }).click();
      await expect.poll(() => readNames(page)).toEqual(['Zebra', ...IDLE_SHOP_NAMES]);
      expect(await page.getByRole('button', { name: /^Show all/ }).count()).toBe(0);
      await waitForFocus(page.getByRole('region', { name: 'Shops' }));
    });
  });
});
