import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import {
  makeOrders,
  ORDER_COUNT,
  readReceiptIds,
  receiptIdOf,
} from '../../support/browser/back-office-orders';
import { itRendersInEveryView } from '../../support/browser/views';

const VIEWER_EMAIL = 'vic@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-order');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

const waitForOrder = (page: Page, receiptId: string) =>
  page.getByRole('heading', { level: 1, name: receiptId }).waitFor();

describe('an order', () => {
  it('shows its items, address and total, and its shipment’s events in New York time', async () => {
    await backOffice.withPage(`/orders?q=${receiptIdOf(ORDER_COUNT)}`, async (page) => {
      await page.getByRole('link', { name: receiptIdOf(ORDER_COUNT) }).click();
      await waitForOrder(page, receiptIdOf(ORDER_COUNT));
      for (const text of [
        'Bear Pin',
        'Boston, MA 02108',
        'Held by customs',
        'Leipzig',
        'Sep 2, 2026, 11:04 AM',
      ])
        await page.getByText(text).first().waitFor();
      const calculation = page.getByLabel('How the total is made up');
      expect((await calculation.innerText()).split(/\s*\n\s*/)).toEqual([
        ...['Items total', '$9.00', 'Discounts', '-$1.50', 'Order value', '$7.50'],
        ...['Shipping', '$3.00', 'Paid by the buyer', '$10.50'],
      ]);
      await page.getByText('which excludes shipping and taxes').waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Orders' }).last().click();
      await page.waitForURL(`**/orders?q=${receiptIdOf(ORDER_COUNT)}`);
    });
  });

  it('shows the items that were bought, but not the row that only added the tracking number', async () => {
    await backOffice.withPage(`/orders/${ORDER_COUNT}`, async (page) => {
      await waitForOrder(page, receiptIdOf(ORDER_COUNT));
      const items = page.getByRole('table', { name: 'Items' });
      await expect
        .poll(() => items.locator('tbody td[data-heading]').allInnerTexts())
        .toEqual(['Fox Sticker', 'Bear Pin']);
      await backOffice.visit(page, `/orders?q=${receiptIdOf(ORDER_COUNT)}`);
      await page.getByText('Fox Sticker+1').waitFor();
    });
  });

  it('has one timeline of what the carrier, users and imports did, newest first, with a filter by kind', async () => {
    await backOffice.withPage(`/orders/${ORDER_COUNT}`, async (page) => {
      const entries = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
      const showKind = (kind: string) =>
        page.getByRole('group', { name: 'Show' }).getByRole('button', { name: kind, exact: true }).click();
      await page.getByLabel('Write a note for your colleagues').fill('Ask customs');
      await page.getByRole('button', { name: 'Add note' }).click();
      await entries.first().getByText('Ask customs').waitFor();
      await entries.first().getByText('ann@example.com').waitFor();
      expect(await entries.first().locator('time').innerText()).toMatch(/20\d\d/);
      expect(await entries.last().innerText()).toMatch(/^Exception\s+Held by customs · Leipzig/);
      await entries.last().getByText('yanwen LX000000060CN').waitFor();
      const times = await entries
        .locator('time')
        .evaluateAll((elements) => elements.map((time) => Date.parse(time.getAttribute('datetime')!)));
      expect(times).toEqual([...times].sort((a, b) => b - a));
      await showKind('Tracking');
      await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringMatching(/^Exception/)]);
      await showKind('Notes');
      await expect.poll(() => entries.allInnerTexts()).toEqual([expect.stringContaining('Ask customs')]);
      await showKind('Messages');
      await page.getByText('Nothing here yet.').waitFor();
      await showKind('Changes');
      await entries.getByText('Order created').waitFor();
      expect(await entries.getByText('Note added').count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('shows a failed delivery as the last step of its progress', async () => {
    const row = { receipt_id: receiptIdOf(6), tracking_number: 'LX000000006CN' };
    const [shop] = await backOffice.query('shops.list', null);
    await backOffice.send('/api/orders/import', { account_id: shop.id, rows: [row] });
    const data = { tracking_number: row.tracking_number, status: 'delivery_failure' };
    await backOffice.send('/api/v1/tracks', { event: 'tracking', data });
    await backOffice.withPage('/orders/6', async (page) => {
      await waitForOrder(page, receiptIdOf(6));
      const steps = page.getByRole('list', { name: 'Progress' }).getByRole('listitem');
      expect(await steps.last().innerText()).toBe('Delivery failed');
    });
  });

  it('links to the carrier’s own page about its tracking number, without a referrer', async () => {
    await backOffice.withPage(`/orders/${ORDER_COUNT}`, async (page) => {
      const link = page.getByRole('link', { name: 'Track with Yanwen' });
      expect(await link.getAttribute('href')).toBe(
        'https://track.yw56.com.cn/en/querydel?nums=LX000000060CN',
      );
      expect(await link.getAttribute('target')).toBe('_blank');
      expect(await link.getAttribute('rel')).toBe('noreferrer');
    });
  });

  it('shows in its timeline that a note was added and removed, a tracking number added, and the status set', async () => {
    await backOffice.withPage(`/orders?q=${receiptIdOf(5)}`, async (page) => {
      await page.getByRole('link', { name: receiptIdOf(5) }).click();
      // Waits for the entry in the timeline, not for the notification that appears for a moment.
      const waitForEntry = (text: string) =>
        page.getByRole('listitem').getByText(text, { exact: true }).waitFor();
      await page.getByLabel('Write a note for your colleagues').fill('Blue hair, please');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('listitem').getByText('Blue hair, please').first().waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await waitForEntry('Note removed');
      await page.getByRole('button', { name: 'Add tracking number' }).click();
      await page.getByRole('dialog').getByLabel('Tracking number').fill('LX000000005CN');
      await page.keyboard.press('Enter');
      await waitForEntry('Tracking number added');
      await page.getByRole('button', { name: 'Set status' }).click();
      await page.getByRole('menuitem', { name: 'Delivered' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Set to “Delivered”' }).click();
      await waitForEntry('Status set');
    });
  });

  it('keeps an unsaved note when the user leaves the page, and when the session ends', async () => {
    await backOffice.withPage(
      `/orders?q=${receiptIdOf(6)}`,
      async (page) => {
        const noteField = page.getByLabel('Write a note for your colleagues');
        await page.getByRole('link', { name: receiptIdOf(6) }).click();
        await noteField.fill('Gift wrap');
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
        await page.goBack();
        await expect.poll(() => noteField.inputValue()).toBe('Gift wrap');
        const cookies = await page.context().cookies();
        await page.context().clearCookies();
        await page.getByRole('button', { name: 'Add note' }).click();
        await page.getByText('You are signed out').waitFor();
        expect(await noteField.inputValue()).toBe('Gift wrap');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        // As if the user had signed in again in another tab.
        await page.context().addCookies(cookies);
        await page.getByRole('button', { name: 'Add note' }).click();
        await page.getByRole('listitem').getByText('Gift wrap').first().waitFor();
        await expect.poll(() => noteField.inputValue()).toBe('');
      },
      { allowedErrors: /status of 401/ },
    );
  });

  it('has a text for the buyer, and shows the API call that returns the same text', async () => {
    const { url, key } = backOffice.service;
    const path = `/api/v1/tracking-text?order_id=${ORDER_COUNT}&format=text`;
    const response = await fetch(url + path, { headers: { 'X-Api-Key': key! } });
    await backOffice.withPage(`/orders?q=${receiptIdOf(ORDER_COUNT)}`, async (page) => {
      await page.getByRole('link', { name: receiptIdOf(ORDER_COUNT) }).click();
      await page.getByRole('button', { name: 'Text for the buyer' }).click();
      const buyerText = page.getByRole('dialog').getByText('LX000000060CN');
      expect(await buyerText.textContent()).toBe(await response.text());
      await page.getByRole('button', { name: 'View API call' }).click();
      await page.getByText(path).first().waitFor();
    });
  });

  it('that does not exist is reported as missing', async () => {
    await backOffice.withPage(
      '/orders/999999',
      async (page) => {
        await page.getByRole('alert').getByText('No order has the id 999999.').waitFor();
      },
      { allowedErrors: /status of 404/ },
    );
  });
});

describe('tracking numbers for many orders', () => {
  it('are added where possible; refused rows stay on the page with their reasons, and can be corrected', async () => {
    await backOffice.withPage('/orders/tracking', async (page) => {
      const pasteField = page.getByLabel('Paste from a spreadsheet');
      const validLines = [`LX000000010CN\t${receiptIdOf(10)}`, `LX000000011CN\t${receiptIdOf(11)}`];
      await pasteField.fill(['tracking number\torder id', ...validLines, 'LX000000099CN\t999'].join('\n'));
      await page.getByText('3 rows read.').waitFor();
      await page.getByRole('button', { name: 'Add 3 tracking numbers' }).click();
      await page.getByText('2 tracking numbers were added.').waitFor();
      await page.getByRole('row', { name: /999.*No shop has an order with this number/ }).waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await pasteField.fill(`${receiptIdOf(12)}\tLX000000099CN`);
      await page.getByRole('button', { name: 'Add 1 tracking number' }).click();
      await page.getByText('1 tracking number was added.').waitFor();
      await backOffice.visit(page, '/orders?q=LX000000010CN');
      await expect.poll(() => readReceiptIds(page)).toEqual([receiptIdOf(10)]);
    });
  });
});

describe('a viewer', () => {
  it('sees orders and cannot change them', async () => {
    await backOffice.withPage(
      '/orders?tab=all',
      async (page) => {
        await page.getByText(`${ORDER_COUNT} orders`).waitFor();
        expect(await page.getByRole('checkbox').count()).toBe(0);
        expect(await page.getByRole('link', { name: 'Add tracking numbers' }).count()).toBe(0);
        await page.getByRole('link', { name: receiptIdOf(ORDER_COUNT) }).click();
        await waitForOrder(page, receiptIdOf(ORDER_COUNT));
        for (const name of ['Set status', 'Add note', 'Add tracking number'])
          expect(await page.getByRole('button', { name }).count()).toBe(0);
        await backOffice.visit(page, '/orders/tracking');
        await page.getByRole('heading', { name: 'Your role does not give access to this page' }).waitFor();
      },
      { userEmail: VIEWER_EMAIL, allowedErrors: /status of 403/ },
    );
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/orders', 'orders'],
    ['/orders?q=owl', 'orders-search'],
    [`/orders/${ORDER_COUNT}`, 'order'],
  ],
);
