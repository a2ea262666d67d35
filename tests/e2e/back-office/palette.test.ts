import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT, receiptIdOf } from '../../support/browser/back-office-orders';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('palette');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

describe('the palette', () => {
  it('opens an order as soon as its order or tracking number is pasted', async () => {
    const [order] = (
      await backOffice.query('orders.list', { filter: { text: receiptIdOf(ORDER_COUNT) }, limit: 1 })
    ).orders;
    const [trackingNumber] = order.tracking_numbers;
    for (const [number, receiptId] of [
      [receiptIdOf(7), receiptIdOf(7)],
      [` ${trackingNumber.toLowerCase()} `, receiptIdOf(ORDER_COUNT)],
    ] as const) {
      await backOffice.withPage('/account', async (page) => {
        await page.evaluate((text) => navigator.clipboard.writeText(text), number);
        await page.keyboard.press('Control+k');
        const searchField = page.getByRole('textbox', { name: 'Find a page, an order or a shop' });
        await expect.poll(() => searchField.evaluate((input) => input === document.activeElement)).toBe(true);
        await page.keyboard.press('Control+v');
        await page.getByRole('heading', { level: 1, name: receiptId }).waitFor();
        await searchField.waitFor({ state: 'hidden' });
      });
    }
  });

  it('stays open when only part of a number, or more than one number, is pasted', async () => {
    await backOffice.withPage('/account', async (page) => {
      for (const [text, suggestion] of [
        [receiptIdOf(7).slice(0, -1), receiptIdOf(7)],
        // Only one order matches, but this is not its whole number.
        [receiptIdOf(ORDER_COUNT).slice(0, -1), receiptIdOf(ORDER_COUNT)],
        [`${receiptIdOf(7)} ${receiptIdOf(9)}`, receiptIdOf(9)],
      ] as const) {
        await page.evaluate((value) => navigator.clipboard.writeText(value), text);
        await page.keyboard.press('Control+k');
        const searchField = page.getByRole('textbox', { name: 'Find a page, an order or a shop' });
        await expect.poll(() => searchField.evaluate((input) => input === document.activeElement)).toBe(true);
        await page.keyboard.press('Control+v');
        await page
          .getByRole('button', { name: new RegExp(suggestion) })
          .first()
          .waitFor();
        expect(new URL(page.url()).pathname).toBe('/admin/account');
        await page.keyboard.press('Escape');
        await searchField.waitFor({ state: 'hidden' });
      }
    });
  });

  it('says that a search failed, and searches again on request', async () => {
    await backOffice.withPage(
      '/account',
      async (page) => {
        await page.route('**/api/trpc/**', (route) => route.fulfill({ status: 500, body: 'broken' }));
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Find a page, an order or a shop' }).fill(receiptIdOf(7));
        const failureButton = page.getByRole('button', { name: 'Orders could not be searched. Try again' });
        await failureButton.waitFor();
        await page.unroute('**/api/trpc/**');
        await failureButton.click();
        await page
          .getByRole('button', { name: new RegExp(receiptIdOf(7)) })
          .first()
          .waitFor();
        await failureButton.waitFor({ state: 'hidden' });
      },
      { allowedErrors: /Failed to load resource/ },
    );
  });

  it.each([
    ['dark', 'light'],
    ['light', 'dark'],
  ] as const)('switches from the system’s %s mode to %s mode', async (colorScheme, otherScheme) => {
    await backOffice.withPage(
      '/account',
      async (page) => {
        const readScheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
        await expect.poll(readScheme).toBe(colorScheme);
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Find a page, an order or a shop' }).fill('mode');
        await page.getByRole('button', { name: `Switch to ${otherScheme} mode` }).click();
        await expect.poll(readScheme).toBe(otherScheme);
      },
      { colorScheme },
    );
  });

  it('finds an order from anywhere by its number or its contents, and a shop by its name', async () => {
    await backOffice.withPage('/account', async (page) => {
      const searchFor = async (text: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('textbox', { name: 'Find a page, an order or a shop' }).fill(text);
      };
      // An exact order number opens the order directly.
      await searchFor(receiptIdOf(7));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: receiptIdOf(7) }).waitFor();
      await searchFor('buyer');
      await page.getByRole('button', { name: 'Search orders for “buyer”' }).click();
      await page.waitForURL('**/orders?q=buyer');
      await searchFor('add tracking');
      await page.getByRole('button', { name: 'Add tracking numbers' }).click();
      await page.waitForURL('**/orders/tracking');
      await searchFor('owl magnet');
      await page.getByRole('button', { name: /Buyer 1 · Owl Magnet/ }).click();
      await page.getByRole('heading', { level: 1, name: receiptIdOf(1) }).waitFor();
      await searchFor('fox and');
      await page.getByRole('button', { name: 'Fox and Bricks', exact: true }).click();
      await page.waitForURL(/\/orders\?shop=\d+$/);
    });
  });
});
