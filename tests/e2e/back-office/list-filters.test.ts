import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SEARCH_LENGTH } from '../../../src/server/orders/filter/bounds';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT } from '../../support/browser/back-office-orders';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-list-filters');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

const readDays = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return [searchParams.get('from'), searchParams.get('to')];
};

describe('the days of a list', () => {
  it('can be typed, and a day that is changed by typing filters the list all the while', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await page.getByRole('button', { name: 'Sold', exact: true }).first().click();
      const fromField = page.getByLabel('From', { exact: true });
      await fromField.focus();
      await page.keyboard.type('08012026');
      await expect.poll(() => readDays(page)).toEqual(['2026-08-01', null]);
      await page.getByText('30 orders', { exact: true }).waitFor();
      await page.getByLabel('To', { exact: true }).focus();
      await page.keyboard.type('08102026');
      await expect.poll(() => readDays(page)).toEqual(['2026-08-01', '2026-08-10']);
      await page.getByText('10 orders', { exact: true }).waitFor();

      const requestUrls: string[] = [];
      page.on('request', (request) => requestUrls.push(decodeURIComponent(request.url())));
      await fromField.focus();
      // The fields for the month and the day come before that for the year.
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.type('2025');
      await expect.poll(() => readDays(page)).toEqual(['2025-08-01', '2026-08-10']);
      await page.getByText('40 orders', { exact: true }).waitFor();
      const listUrls = requestUrls.filter((url) => url.includes('orders.list'));
      expect(listUrls.length).toBeGreaterThan(0);
      expect(listUrls.filter((url) => !url.includes('sold_from'))).toEqual([]);
      // An emptied field removes its filter.
      await page.keyboard.press('Backspace');
      await expect.poll(() => readDays(page)).toEqual([null, '2026-08-10']);
    });
  });

  it('follow the URL in fields that are open', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await page.getByRole('button', { name: 'Sold', exact: true }).first().click();
      const fields = ['From', 'To'].map((name) => page.getByLabel(name, { exact: true }));
      const readFields = () => Promise.all(fields.map((field) => field.inputValue()));
      await fields[0]!.fill('2026-08-01');
      await fields[1]!.fill('2026-08-10');
      await expect.poll(() => readDays(page)).toEqual(['2026-08-01', '2026-08-10']);
      expect(await readFields()).toEqual(['2026-08-01', '2026-08-10']);
      await page.getByRole('button', { name: 'Clear Sold' }).click();
      await expect.poll(() => readDays(page)).toEqual([null, null]);
      expect(await readFields()).toEqual(['', '']);
    });
  });
});

it('a search that is too long is refused by the list with the reason, and neither shows nor selects all orders', async () => {
  await backOffice.withPage(
    '/orders?tab=all',
    async (page) => {
      await page.getByText(`${ORDER_COUNT} orders`, { exact: true }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      const selectionBar = page.getByRole('region', { name: 'Selection' });
      await selectionBar.waitFor();
      // So long that it would not fit into the URL of a request.
      await page.getByRole('searchbox').fill('订单'.repeat(MAX_SEARCH_LENGTH));
      const alert = page.getByRole('main').getByRole('alert');
      await alert.getByText(`must have at most ${MAX_SEARCH_LENGTH} characters`).waitFor();
      expect(await page.locator('tbody tr').count()).toBe(0);
      expect(await selectionBar.count()).toBe(0);
      expect(await page.getByText(`${ORDER_COUNT} orders`, { exact: true }).count()).toBe(0);
      // The rest of the page stays usable.
      await page.getByRole('searchbox').fill('buyer 60');
      await page.getByText('1 order', { exact: true }).waitFor();
      await alert.waitFor({ state: 'detached' });
    },
    { allowedErrors: /status of 422/ },
  );
});
