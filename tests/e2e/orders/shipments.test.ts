import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, receiptIdOf } from '../../support/browser/back-office-orders';
import { chooseAction } from '../../support/browser/page-actions';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('order-shipments');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

/** Runs `work` on the page of an order, which is opened from the list. */
const onOrderPage = (n: number, work: (page: Page) => Promise<void>, locale = 'en-US') =>
  backOffice.withPage(
    `/orders?q=${receiptIdOf(n)}`,
    async (page) => {
      await page.getByRole('link', { name: receiptIdOf(n) }).click();
      await page.getByRole('heading', { level: 1, name: receiptIdOf(n) }).waitFor();
      await work(page);
    },
    { locale, allowedErrors: /status of 422/ },
  );

async function addTrackingNumber(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tracking number' }).click();
  await page.getByRole('dialog').getByLabel('Tracking number').fill(number);
  await page.keyboard.press('Enter');
}

const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' });

describe('the order’s page', () => {
  it.each(['n/a', '-', 'LX000000001CN LX000000002CN'])(
    'refuses %j as a tracking number, and says why',
    async (text) => {
      await onOrderPage(2, async (page) => {
        await addTrackingNumber(page, text);
        const message = text.includes(' ')
          ? 'Contains several tracking numbers; enter them one by one.'
          : 'Must be letters and digits, with at least one digit, and not only zeros.';
        await page.getByRole('dialog').getByText(message).waitFor();
        await page.keyboard.press('Escape');
        await page.getByText('No tracking number yet.').waitFor();
      });
    },
  );

  it('says in Chinese why it refuses a tracking number', async () => {
    await onOrderPage(
      2,
      async (page) => {
        await page.getByRole('button', { name: '添加物流单号' }).click();
        await page.getByRole('dialog').getByLabel('物流单号').fill('n/a');
        await page.keyboard.press('Enter');
        await page
          .getByRole('dialog')
          .getByText('须由字母和数字组成，至少有一位数字，且不能全为 0')
          .waitFor();
      },
      'zh-CN',
    );
  });

  it('removes a tracking number, says what the order’s status is then, and restores the number from the timeline', async () => {
    const number = 'LX000000003CN';
    await onOrderPage(3, async (page) => {
      await addTrackingNumber(page, number);
      await page.getByText('Tracking number added.').waitFor();
      await chooseAction(page, number, 'Remove tracking number');
      const confirmation = page.getByRole('dialog');
      await confirmation.getByText(`Remove ${number} from this order?`).waitFor();
      await confirmation
        .getByText('The order goes back to the status it would have without this number', { exact: false })
        .waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await confirmation.getByRole('button', { name: 'Remove tracking number' }).click();
      await page.getByText(`${number} removed. The order is now “Paid”.`).waitFor();
      await page.getByText('No tracking number yet.').waitFor();
      const entry = page.getByRole('listitem').filter({ hasText: 'Tracking number removed' });
      await entry.getByRole('button', { name: 'Restore' }).click();
      await page.getByText(`${number} restored.`).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Tracking number restored' }).waitFor();
      await page.getByRole('button', { name: `Actions for ${number}` }).waitFor();
      // A restored number cannot be restored again.
      await entry.getByRole('button', { name: 'Restore' }).waitFor({ state: 'hidden' });
    });
    const { orders } = await backOffice.query('orders.list', { filter: { text: receiptIdOf(3) } });
    expect(orders[0].status).toBe('shipped');
  });

  it('sets a shipment’s status with a reason, and undoes it', async () => {
    const number = 'LX000000004CN';
    await onOrderPage(4, async (page) => {
      await addTrackingNumber(page, number);
      await page.getByText('Tracking number added.').waitFor();
      await chooseAction(page, number, 'Set status');
      const form = page.getByRole('dialog', { name: `Set the status of ${number}` });
      await form.getByText('Replaces what the carrier has reported so far.', { exact: false }).waitFor();
      await form.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Delivered' }).click();
      await form.getByLabel('Reason').fill('The buyer has it');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await form.getByRole('button', { name: 'Set status' }).click();
      await page.getByText(`${number} is now “Delivered”.`).waitFor();
      const event = timeline(page).getByRole('listitem').filter({ hasText: 'Set by hand: The buyer has it' });
      await event.getByText(number).waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Shipment status set' }).waitFor();
      await event.getByRole('button', { name: 'Undo' }).click();
      const confirmation = page.getByRole('dialog');
      await confirmation.getByText('Undo “Delivered”?').waitFor();
      await confirmation
        .getByText('The shipment and its orders go back to the status that they would have without it.')
        .waitFor();
      await confirmation.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('listitem').filter({ hasText: 'Manual shipment status undone' }).waitFor();
      await page.getByText('The carrier has not reported anything yet.').waitFor();
    });
    const { orders } = await backOffice.query('orders.list', { filter: { text: receiptIdOf(4) } });
    expect(orders[0].status).toBe('shipped');
  });
});
