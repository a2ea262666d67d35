import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, receiptIdOf } from '../../support/browser/back-office-orders';
import { measureHorizontalOverflow, waitForAnimations, waitForFocus } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('status-conflict');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

/** The browser logs every refused call. */
const allowedErrors = /status of 409/;

async function findOrderId(n: number): Promise<string> {
  const { orders } = await backOffice.query('orders.list', { filter: { text: receiptIdOf(n) }, limit: 1 });
  return orders[0].id;
}

/** Sets an order's status outside the page that is open. */
const setStatusElsewhere = async (n: number, status: string) =>
  backOffice.call('orders.setStatus', { filter: { ids: [await findOrderId(n)] }, count: 1, status });

const readStatus = async (n: number): Promise<string> =>
  (await backOffice.query('orders.one', { id: await findOrderId(n) })).status;

async function checkPage(page: Page, file: string): Promise<void> {
  await waitForAnimations(page);
  await screenshot(page, `admin-${file}`);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  expect(await findAccessibilityViolations(page)).toEqual([]);
}

describe('if the status has changed since the page was loaded', () => {
  it('the order’s page says so, shows the current status, and then lets the user change it', async () => {
    await backOffice.withPage(
      `/orders/${await findOrderId(1)}`,
      async (page) => {
        const statusButton = page.getByRole('button', { name: 'Set status' });
        const chooseStatus = async (status: string) => {
          await statusButton.click();
          await page.getByRole('menuitem', { name: status }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('button', { name: `Set to “${status}”` }).click();
          await dialog.waitFor({ state: 'hidden' });
        };
        await setStatusElsewhere(1, 'cancelled');
        await chooseStatus('Delivered');
        const alert = page.getByRole('alert').filter({ hasText: receiptIdOf(1) });
        await expect
          .poll(() => alert.innerText())
          .toBe(
            `Order ${receiptIdOf(1)} is now “Cancelled”, so nothing was changed. Check it, then try again.`,
          );
        await waitForFocus(statusButton);
        await page.locator('main').getByText('Cancelled', { exact: true }).first().waitFor();
        expect(await readStatus(1)).toBe('cancelled');
        await checkPage(page, 'status-conflict-light-en');
        await chooseStatus('Delivered');
        await page.getByText('1 order is now “Delivered”.').waitFor();
        expect(await readStatus(1)).toBe('delivered');
      },
      { allowedErrors },
    );
  });

  it('the list changes none of the selected orders, even if the one with the new status has left the list', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        for (const n of [2, 3])
          await page.getByRole('checkbox', { name: `Select ${receiptIdOf(n)}` }).check();
        await setStatusElsewhere(3, 'cancelled');
        await page.getByRole('button', { name: 'Set status' }).click();
        await page.getByRole('menuitem', { name: 'Shipped' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Set to “Shipped”' }).click();
        await page
          .getByRole('alert')
          .getByText(`Order ${receiptIdOf(3)} is now “Cancelled”`)
          .waitFor();
        await page.getByRole('checkbox', { name: `Select ${receiptIdOf(3)}` }).waitFor({ state: 'detached' });
        await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' });
        expect([await readStatus(2), await readStatus(3)]).toEqual(['paid', 'cancelled']);
      },
      { allowedErrors },
    );
  });

  it('a queue says what the status is now, in Chinese, in dark mode and on a phone', async () => {
    await backOffice.withPage(
      '/queues/to_ship',
      async (page) => {
        await page.getByRole('checkbox', { name: receiptIdOf(4) }).check();
        await setStatusElsewhere(4, 'delivered');
        await page.getByRole('group', { name: '所选条目' }).getByRole('button', { name: '设置状态' }).click();
        await page.getByRole('menuitem', { name: '已取消' }).click();
        await page.getByRole('dialog').getByRole('button', { name: '设为“已取消”' }).click();
        await page
          .getByRole('alert')
          .getByText(`订单 ${receiptIdOf(4)} 的状态已变为“已签收”，未做任何更改。请核对后重试。`)
          .waitFor();
        expect(await readStatus(4)).toBe('delivered');
        await checkPage(page, 'status-conflict-dark-zh-phone');
      },
      { allowedErrors, locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 360, height: 800 } },
    );
  });
});
