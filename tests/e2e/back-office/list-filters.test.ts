import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SEARCH_LENGTH } from '../../../src/server/orders/filter/bounds';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT } from '../../support/browser/back-office-orders';
import { waitForFocus } from '../../support/browser/browser';

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

/** A part of a page, found by its role and name. */
type Part = readonly [role: 'button' | 'checkbox' | 'heading' | 'searchbox', name?: string];

const SEARCH: Part = ['searchbox'];
const SELECT_ALL: Part = ['checkbox', 'Select all on this page'];

const findPart = (page: Page, [role, name]: Part) =>
  page.getByRole('main').getByRole(role, { name, exact: true }).last();

describe('a control that disappears when it is used passes the focus on:', () => {
  it.each<[action: string, path: string, buttons: readonly Part[], target: Part]>([
    ['clearing the text of a search', '/orders?tab=all&q=fox', [['button', 'Clear the text']], SEARCH],
    [
      'clearing filters beside the number of rows',
      '/orders?tab=all&status=paid',
      [['button', 'Clear filters']],
      SEARCH,
    ],
    [
      'clearing filters that hide all rows',
      '/orders?tab=all&q=zzzzzz',
      [['button', 'Clear filters']],
      SEARCH,
    ],
    [
      'clearing filters of a queue without a search',
      '/queues?assigned=me',
      [['button', 'Clear filters']],
      ['heading', `To ship ${ORDER_COUNT - 1}`],
    ],
    [
      'clearing filters of a list without a search',
      '/imports?warnings=yes',
      [['button', 'Clear filters']],
      ['heading', 'Import history'],
    ],
    [
      'selecting all matching rows',
      '/orders?tab=all',
      [SELECT_ALL, ['button', `Select all ${ORDER_COUNT} that match`]],
      ['button', 'Clear selection'],
    ],
    ['clearing the selection', '/orders?tab=all', [SELECT_ALL, ['button', 'Clear selection']], SELECT_ALL],
  ])('%s', async (_action, path, buttons, target) => {
    await backOffice.withPage(path, async (page) => {
      for (const button of buttons) await findPart(page, button).press('Space');
      await findPart(page, buttons.at(-1)!).waitFor({ state: 'detached' });
      await waitForFocus(findPart(page, target));
    });
  });

  it('handling the last entry of a queue', async () => {
    await backOffice.withPage('/queues/exception', async (page) => {
      await page.keyboard.press('h');
      await page.getByRole('heading', { name: 'Nothing left to do here' }).waitFor();
      await waitForFocus(page.getByRole('heading', { level: 1 }));
    });
    await backOffice.queryDatabase('DELETE FROM queue_states');
  });
});
