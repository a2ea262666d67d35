import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import {
  FIRST_DUE_DAY,
  makeOrders,
  ORDER_COUNT,
  readReceiptIds,
  receiptIdOf,
} from '../../support/browser/back-office-orders';
import { waitForAnimations, waitUntilSettled } from '../../support/browser/browser';

/** The number of orders to ship: all but the last, which has been shipped. */
const TO_SHIP_COUNT = ORDER_COUNT - 1;

let backOffice: BackOffice;

const readTabTexts = async (page: Page) =>
  (await page.getByRole('navigation', { name: 'Orders', exact: true }).getByRole('link').allInnerTexts()).map(
    (text) => text.replace(/\s+/g, ' '),
  );

beforeAll(async () => {
  backOffice = await openBackOffice('admin-orders');
});
afterAll(() => backOffice?.close());

describe('the list of orders', () => {
  it('says what to do while there are no orders, links to the import, and shows orders once they arrive', async () => {
    await backOffice.withPage('/orders', async (page) => {
      await page.getByRole('heading', { name: 'There are no orders yet' }).waitFor();
      await page
        .getByText('Import the marketplace’s “Sold order items” export to see its orders here.')
        .waitFor();
      const link = page.getByRole('link', { name: 'Import orders' });
      expect(await link.getAttribute('href')).toBe('/admin/import');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await makeOrders(backOffice);
      await page.reload();
      await page.getByText(`${TO_SHIP_COUNT} orders`).waitFor();
    });
  });

  it('opens on the orders to ship, with those due first on top and a count on each tab', async () => {
    await backOffice.withPage('/orders', async (page) => {
      await expect
        .poll(() => readTabTexts(page))
        .toEqual([
          `To ship ${TO_SHIP_COUNT}`,
          `Late ${TO_SHIP_COUNT}`,
          'In transit 0',
          'Exceptions 1',
          'Delivered 0',
          'Unpaid 0',
          `All ${ORDER_COUNT}`,
        ]);
      await page
        .getByText(
          'This tab counts paid orders that have not shipped, in all shops. Handled and snoozed orders are not counted; they are in the work queue.',
        )
        .waitFor();
      expect((await readReceiptIds(page))[0]).toBe(receiptIdOf(1));
      expect(await page.locator('tbody tr').first().locator('[data-late]').innerText()).toBe(FIRST_DUE_DAY);
      await page.getByRole('link', { name: 'Exceptions 1' }).click();
      await page.waitForURL('**/orders?tab=exception');
      await page.getByText('1 order', { exact: true }).waitFor();
      await expect.poll(() => readReceiptIds(page)).toEqual([receiptIdOf(ORDER_COUNT)]);
      await page.getByRole('link', { name: 'Delivered 0' }).click();
      await page.getByRole('heading', { name: 'No orders under “Delivered”' }).waitFor();
      await page.getByRole('link', { name: 'Show all orders' }).click();
      await page.getByText(`${ORDER_COUNT} orders`, { exact: true }).waitFor();
      for (const tab of ['delivered', 'exception']) {
        await page.goBack();
        await page.waitForURL(`**/orders?tab=${tab}`);
      }
      await expect.poll(() => page.locator('[aria-current=page]').allInnerTexts()).toContain('Exceptions 1');
      await page.goForward();
      await page.waitForURL('**/orders?tab=delivered');
      // The queue has the same number of orders.
      await backOffice.visit(page, '/orders');
      await page.getByRole('link', { name: 'work queue' }).click();
      await page.getByRole('heading', { level: 1, name: `To ship ${TO_SHIP_COUNT}` }).waitFor();
    });
  });

  it('passes axe-core', async () => {
    await backOffice.withPage('/orders', async (page) => {
      await page.getByText(`${TO_SHIP_COUNT} orders`).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('shows the newest orders first, page by page, and the oldest first after a click on the header', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      expect((await readReceiptIds(page))[0]).toBe(receiptIdOf(ORDER_COUNT));
      await page.getByRole('button', { name: 'Next' }).click();
      await expect.poll(() => readReceiptIds(page)).toContain(receiptIdOf(1));
      expect(await page.locator('tbody tr').count()).toBe(ORDER_COUNT - 50);
      await page.getByRole('button', { name: 'Previous' }).click();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
      await page.getByRole('button', { name: 'Sold', exact: true }).last().click();
      await expect.poll(async () => (await readReceiptIds(page))[0]).toBe(receiptIdOf(1));
      await page.waitForURL(/sort=sold/);
    });
  });

  it('can be filtered by keyboard and mouse, and its URL keeps the filters', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await page.getByRole('button', { name: 'Country' }).press('Enter');
      await page.getByRole('textbox', { name: 'Search Country' }).pressSequentially('germ');
      await page.getByRole('checkbox', { name: 'Germany' }).check();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Sold', exact: true }).first().click();
      await page.getByLabel('From', { exact: true }).fill('2026-08-01');
      await page.getByLabel('To', { exact: true }).fill('2026-08-10');
      await page.keyboard.press('Escape');
      await page.getByText('5 orders', { exact: true }).waitFor();
      await expect
        .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
        .toEqual({ tab: 'all', country: 'DE', from: '2026-08-01', to: '2026-08-10' });
      await page.reload();
      await waitUntilSettled(page);
      await page.getByText('5 orders', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText(`${ORDER_COUNT} orders`).waitFor();
    });
  });

  it.each([
    ['q=owl', 1],
    ['tracking=exception', 1],
    ['status=shipped,delivered', 1],
    ['unshipped=4', ORDER_COUNT - 1],
    ['import=1', ORDER_COUNT],
    ['status=paid&tracking=exception', 0],
  ])('shows as many orders as match the filters in a URL: %s', async (query, count) => {
    await backOffice.withPage(`/orders?${query}`, async (page) => {
      if (count === 0) await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
      else await page.getByText(count === 1 ? '1 order' : `${count} orders`, { exact: true }).waitFor();
    });
  });

  it('does not show a filter that its tab ignores as set', async () => {
    await backOffice.withPage('/orders?tab=exception&tracking=in_transit', async (page) => {
      await page.getByText('1 order', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Clear filters' }).count()).toBe(0);
    });
  });

  it('can be exported with exactly the filtered rows; a text that looks like a formula stays text', async () => {
    await backOffice.withPage('/orders?tracking=exception', async (page) => {
      const download = async (choose: (name: string) => Promise<void>, name: string) => {
        await page.getByRole('button', { name: 'Export' }).click();
        const [downloadedFile] = await Promise.all([page.waitForEvent('download'), choose(name)]);
        return (await downloadedFile.path())!;
      };
      const chooseCsv = async (name: string) => {
        await page.getByRole('menuitem', { name: 'CSV' }).click();
        await page.getByRole('menuitem', { name }).nth(1).click();
      };
      const chooseWorkbook = (name: string) => page.getByRole('menuitem', { name }).click();
      const csv = await readFile(await download(chooseCsv, 'Raw data'), 'utf8');
      expect(csv).toContain(receiptIdOf(ORDER_COUNT));
      expect(csv).not.toContain(receiptIdOf(1));
      expect(csv.trim().split('\r\n')).toHaveLength(2);
      expect(await readFile(await download(chooseCsv, 'Picking'), 'utf8')).toContain(`"'=1+1","Bear Pin"`);
      expect(await readSheet(await download(chooseWorkbook, 'Picking'))).toContainEqual(
        expect.arrayContaining(['=1+1', 'Bear Pin']),
      );
    });
  });

  it('disables its rows while others load, says when the browser is offline or the service cannot be reached, and recovers', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const isInert = () => page.locator('tbody').evaluate((body) => (body as HTMLElement).inert);
        let releaseRequests = () => {};
        const releasePromise = new Promise<void>((resolve) => {
          releaseRequests = resolve;
        });
        await page.route('**/api/trpc/**', async (route) => {
          await releasePromise;
          await route.continue();
        });
        await page.getByRole('searchbox').fill('owl');
        await page.getByText('Searching…').waitFor();
        await expect.poll(isInert).toBe(true);
        const selectAllCheckbox = page.getByRole('checkbox', { name: 'Select all on this page' });
        await expect.poll(() => selectAllCheckbox.isDisabled()).toBe(true);
        releaseRequests();
        await page.getByText('1 order', { exact: true }).waitFor();
        await expect.poll(isInert).toBe(false);
        await page.unroute('**/api/trpc/**');

        await page.context().setOffline(true);
        await page.getByText('You are offline.').waitFor();
        await page.context().setOffline(false);
        await page.getByText('You are offline.').waitFor({ state: 'detached' });

        await page.route(/\/api\/trpc\/|\/readyz/, (route) => route.abort());
        await page.getByRole('searchbox').fill('fox');
        await page.getByText('The service cannot be reached.').waitFor();
        await page.unroute(/\/api\/trpc\/|\/readyz/);
        await page.unrouteAll();
        await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
        expect(await page.getByRole('searchbox').inputValue()).toBe('fox');
        await page.getByText(`${TO_SHIP_COUNT - 1} orders`).waitFor();
      },
      { allowedErrors: /Failed to load resource|ERR_FAILED|ERR_INTERNET_DISCONNECTED/ },
    );
  });

  it('loads again once any call reaches the service and its database, but not while calls get a 503', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const banner = page.getByText('The service cannot be reached.');
        const searchPalette = async (text: string) => {
          const responsePromise = page.waitForResponse(/orders\.list/);
          await page.getByPlaceholder('Find a page').fill(text);
          await responsePromise;
        };
        await page.route('**/readyz', (route) => route.abort());
        await page.route('**/api/trpc/**', (route) => route.abort());
        await page.getByRole('searchbox').fill('fox');
        await banner.waitFor();
        await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();

        // Comes before the earlier route, which stays: any request that got through in between would remove the banner.
        await page.route('**/api/trpc/**', (route) =>
          route.fulfill({
            status: 503,
            json: { success: false, code: 'service_unavailable', message: 'The database cannot be reached.' },
          }),
        );
        await page.keyboard.press('Control+k');
        await searchPalette('fox');
        await waitForAnimations(page);
        expect(await banner.count()).toBe(1);

        await page.unroute('**/api/trpc/**');
        await searchPalette('owl');
        await banner.waitFor({ state: 'detached' });
        await page.keyboard.press('Escape');
        await page.getByText(`${TO_SHIP_COUNT - 1} orders`).waitFor();
      },
      { allowedErrors: /Failed to load resource|ERR_FAILED/ },
    );
  });

  it('shows its keyboard shortcuts when ? is pressed; in the queues, a button in the navigation shows theirs', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Help and shortcuts' });
      await page.keyboard.press('?');
      await dialog.getByText('Show or hide the row beside the list').waitFor();
      await dialog.getByText('Find a page, an order or a shop').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await backOffice.visit(page, '/queues');
      await page.getByRole('button', { name: 'Help and shortcuts' }).click();
      await dialog.getByText('snooze').waitFor();
    });
  });

  it('can be searched for a pasted list of numbers, and suggests a correction for a misspelled name', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const searchField = page.getByRole('searchbox');
      await searchField.evaluate(
        (input: HTMLInputElement, text) => {
          input.focus();
          document.execCommand('insertText', false, text);
        },
        `${receiptIdOf(3)}\n${receiptIdOf(9)}`,
      );
      await expect.poll(() => readReceiptIds(page)).toEqual([receiptIdOf(3), receiptIdOf(9)]);
      await page.getByText('2 orders').waitFor();
      await searchField.fill('Bayer');
      await page.getByText('Did you mean').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Buyer 1', exact: true }).click();
      await page.waitForURL('**/orders?tab=to_ship&q=Buyer+1');
      // Every order matches: each has a buyer, and a 1 somewhere.
      await page.getByText(`${TO_SHIP_COUNT} orders`).waitFor();
    });
  });
});
