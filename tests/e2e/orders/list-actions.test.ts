import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT, receiptIdOf } from '../../support/browser/back-office-orders';
import { waitForFocus, waitUntilSettled } from '../../support/browser/browser';

const COLLEAGUE_EMAIL = 'bob@example.com';
/** The number of orders to ship: all but the last, which has been shipped. */
const TO_SHIP_COUNT = ORDER_COUNT - 1;

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('order-list-actions');
  await backOffice.addUser(COLLEAGUE_EMAIL, 'operator');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

describe('with the list of orders, a user', () => {
  it('in another time zone sees that ship-by days are New York’s, and when an order becomes late', async () => {
    await backOffice.queryDatabase("UPDATE users SET time_zone = 'Asia/Shanghai'");
    await backOffice.withPage('/orders', async (page) => {
      await page.getByRole('columnheader', { name: 'Ship by (New York time)' }).waitFor();
      // Sold on July 1 at midnight in New York.
      await page.locator('time[datetime="2026-07-04"]').hover();
      await page.getByText('Late from Saturday, July 4, 2026 at 12:00:00 PM GMT+8').waitFor();
    });
    await backOffice.queryDatabase('UPDATE users SET time_zone = NULL');
  });

  it('reads how many orders a new status changes, and how it can be set back', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      await page.getByLabel(`Select ${receiptIdOf(ORDER_COUNT)}`).check();
      await page.getByLabel(`Select ${receiptIdOf(ORDER_COUNT - 1)}`).check();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Shipped', exact: true }).click();
      await page
        .getByRole('dialog')
        .getByText(
          '1 order will change. 1 already has this status. Its timeline shows the status it had before',
        )
        .waitFor();
    });
  });

  it('gets a notice instead of a file if the session has ended before a download', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const downloadedNames: string[] = [];
        page.on('download', (download) => downloadedNames.push(download.suggestedFilename()));
        const exportOrders = async () => {
          await page.getByRole('button', { name: 'Export' }).click();
          await page.getByRole('menuitem', { name: 'Raw data' }).click();
        };
        const cookies = await page.context().cookies();
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: 'Raw data' }).waitFor();
        await page.keyboard.press('Escape');
        await page.context().clearCookies();
        await exportOrders();
        await page.getByText('You are signed out').waitFor();
        expect(downloadedNames).toEqual([]);
        // As if the user had signed in again in another tab.
        await page.context().addCookies(cookies);
        await exportOrders();
        await expect.poll(() => downloadedNames).toEqual([expect.stringMatching(/^orders-.*\.xlsx$/)]);
      },
      { allowedErrors: /status of 401/ },
    );
  });

  it('gets a notice in their language instead of a file if the template has been deleted', async () => {
    const { id } = await backOffice.call('exports.saveTemplate', {
      name: 'Gone soon',
      format: 'csv',
      totals: false,
      columns: [{ column: 'receipt_id' }],
    });
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const downloadedNames: string[] = [];
        page.on('download', (download) => downloadedNames.push(download.suggestedFilename()));
        await page.getByRole('button', { name: '导出' }).click();
        await page.getByRole('menuitem', { name: 'Gone soon' }).waitFor();
        await backOffice.call('exports.removeTemplate', { id });
        await page.getByRole('menuitem', { name: 'Gone soon' }).click();
        await page.getByText(`没有编号为 ${id} 的导出模板`).waitFor();
        expect(downloadedNames).toEqual([]);
      },
      { locale: 'zh-CN', allowedErrors: /status of 404/ },
    );
  });

  it('saves filters as a view, shares it, chooses it, and pins it as a tab', async () => {
    await backOffice.withPage('/orders?status=paid', async (page) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByLabel('Save these filters as').fill('To pack');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Share To pack with everyone' }).click();
      await page.getByText('shared').waitFor();
      await page.getByLabel('Save these filters as').fill('For me');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Share For me with everyone' }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: /^To pack/ }).click();
      await page.waitForURL('**/orders?status=paid&tab=all');
      // A pinned view is a tab with a count.
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'Pin To pack as a tab' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: `To pack ${TO_SHIP_COUNT}` }).waitFor();
      await page.reload();
      await waitUntilSettled(page);
      await expect
        .poll(() => page.locator('[aria-current=page]').allInnerTexts())
        .toContain(`To pack ${TO_SHIP_COUNT}`);
      await page.getByRole('link', { name: 'Exceptions 1' }).click();
      await page.waitForURL('**/orders?tab=exception');
      await page.getByRole('link', { name: `To pack ${TO_SHIP_COUNT}` }).click();
      await page.getByText(`${TO_SHIP_COUNT} orders`, { exact: true }).waitFor();
    });
  });

  it('opens a view that a colleague shares, and does not see the colleague’s other views', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        await page.getByRole('button', { name: 'Views' }).click();
        const views = page.getByRole('dialog').getByRole('listitem');
        await expect.poll(() => views.allInnerTexts()).toEqual(['To pack by ann']);
        await views.getByRole('button', { name: /^To pack/ }).click();
        await page.waitForURL('**/orders?status=paid&tab=all');
        await page.getByText(`${TO_SHIP_COUNT} orders`, { exact: true }).waitFor();
      },
      { userEmail: COLLEAGUE_EMAIL },
    );
  });

  it('gets the filters of a chosen view even right after changing another filter, and adds the next change to them', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const select = page.getByLabel('Not shipped for', { exact: true });
      const [, firstValue, secondValue] = await select
        .locator('option')
        .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
      await page.getByRole('button', { name: 'Views' }).click();
      const viewButton = await page.getByRole('button', { name: /^To pack/ }).elementHandle();
      // In one task, so that the page has rendered neither change when the second is made.
      await select.evaluate(
        (element, { value, button }) => {
          (element as HTMLSelectElement).value = value!;
          element.dispatchEvent(new Event('change', { bubbles: true }));
          (button as HTMLElement).click();
        },
        { value: firstValue, button: viewButton },
      );
      await page.waitForURL(/\?status=paid&tab=all$/);
      await select.selectOption(secondValue!);
      await page.waitForURL(new RegExp(`[?]status=paid&tab=all&unshipped=${secondValue}$`));
    });
  });

  it('opens an order beside the list by click or keyboard, and gets the focus back on its row after closing it', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const panel = page.getByRole('complementary', { name: 'Order preview' });
      const heading = (n: number) => panel.getByRole('heading', { level: 2, name: receiptIdOf(n) });
      const readFocusedText = () => page.evaluate(() => document.activeElement?.textContent);
      await page.locator('tbody tr').nth(1).getByText('Buyer 2').click();
      await heading(2).waitFor();
      await page.waitForURL(/open=\d+/);
      await panel.getByText('Fox Sticker').first().waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('j');
      await heading(3).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('k');
      await heading(1).waitFor();
      await expect.poll(readFocusedText).toBe(receiptIdOf(1));
      await page.keyboard.press('Tab');
      await waitForFocus(panel);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await expect.poll(readFocusedText).toBe(receiptIdOf(1));
      await page.keyboard.press('j');
      await expect.poll(readFocusedText).toBe(receiptIdOf(2));
      await page.keyboard.press(' ');
      await heading(2).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: receiptIdOf(2) }).waitFor();
      await page.goBack();
      await heading(2).waitFor();
      await page.goBack();
      await panel.waitFor({ state: 'detached' });
    });
  });

  it('selects ranges with Shift or all matching orders, and sees the number of orders in the confirmation', async () => {
    await backOffice.withPage('/orders', async (page) => {
      const selectionBar = page.getByRole('region', { name: 'Selection' });
      const checkbox = (n: number) => page.getByRole('checkbox', { name: `Select ${receiptIdOf(n)}` });
      await checkbox(2).check();
      await checkbox(5).click({ modifiers: ['Shift'] });
      await selectionBar.getByText('4 selected', { exact: true }).waitFor();
      await page.locator('tbody td[data-heading] a').nth(7).focus();
      await page.keyboard.press('Shift+Space');
      await selectionBar.getByText('7 selected', { exact: true }).waitFor();
      await page.keyboard.press('x');
      await selectionBar.getByText('6 selected', { exact: true }).waitFor();
      expect(await page.getByText('that match').count()).toBe(0);
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await selectionBar.getByText('50 selected', { exact: true }).waitFor();
      await selectionBar.getByRole('button', { name: `Select all ${TO_SHIP_COUNT} that match` }).click();
      await selectionBar.getByText(`${TO_SHIP_COUNT} selected`, { exact: true }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await selectionBar.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Unpaid' }).click();
      const dialog = page.getByRole('dialog', { name: `Set ${TO_SHIP_COUNT} orders to “Unpaid”?` });
      await dialog.getByRole('button', { name: 'Set to “Unpaid”' }).click();
      await page.getByText(`${TO_SHIP_COUNT} orders are now “Unpaid”.`).waitFor();
      await page.getByRole('heading', { name: 'No orders under “To ship”' }).waitFor();
      await page.getByRole('link', { name: `Unpaid ${TO_SHIP_COUNT}`, exact: true }).waitFor();
      await selectionBar.waitFor({ state: 'detached' });
      const { orders } = await backOffice.query('orders.list', {
        filter: { statuses: ['pending'] },
        limit: 200,
      });
      const ids = orders.map(({ id }: { id: string }) => id);
      await backOffice.call('orders.setStatus', { filter: { ids }, count: ids.length, status: 'paid' });
    });
  });

  it('sets the status of selected orders after a confirmation that says what will happen', async () => {
    await backOffice.withPage('/orders?q=fox', async (page) => {
      for (const n of [57, 58])
        await page.getByRole('checkbox', { name: `Select ${receiptIdOf(n)}` }).check();
      await page.getByText('2 selected', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Cancelled' }).click();
      const dialog = page.getByRole('dialog', { name: 'Set 2 orders to “Cancelled”?' });
      await page.getByRole('menu').waitFor({ state: 'hidden' });
      await dialog.waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Set to “Cancelled”' }).click();
      await page.getByText('2 orders are now “Cancelled”.').waitFor();
      await backOffice.visit(page, '/orders?status=cancelled');
      await page.getByText('2 orders').waitFor();
    });
  });
});
