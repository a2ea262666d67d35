import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, OWNER_EMAIL, openBackOffice, PASSWORD } from '../../support/browser/back-office';
import { measureHorizontalOverflow, waitForFocus, waitUntilSettled } from '../../support/browser/browser';
import { makeLostOrders } from '../../support/browser/queue-page';

const RECEIPT_IDS = ['4166000001', '4166000002'] as const;

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('keyboard-only');
  await makeLostOrders(backOffice, RECEIPT_IDS);
});
afterAll(() => backOffice?.close());

/** Returns the focused element's `name` attribute, or else its label or text. */
const readFocusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('name') ?? element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressCount = 0; (await readFocusedName(page)) !== name; pressCount++) {
    if (pressCount === 40) throw new Error(`Tab does not reach ${name}`);
    await page.keyboard.press('Tab');
  }
}

describe('without a mouse', () => {
  it('a user signs in, finds the exceptions, handles one and undoes that', async () => {
    await backOffice.withPage(
      '',
      async (page) => {
        await tabTo(page, 'email');
        await page.keyboard.type(OWNER_EMAIL);
        await tabTo(page, 'password');
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        await waitUntilSettled(page);
        await page.keyboard.press('Control+k');
        await waitForFocus(page.getByRole('dialog').getByRole('textbox'));
        await page.keyboard.type('exceptions');
        await page.getByRole('dialog').getByText('Exceptions', { exact: true }).first().waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Exceptions 2' }).waitFor();
        await waitUntilSettled(page);
        await page.keyboard.press('j');
        await page.keyboard.press('h');
        await page.getByRole('heading', { level: 1, name: 'Exceptions 1' }).waitFor();
        await page.keyboard.press('u');
        await page.getByRole('heading', { level: 1, name: 'Exceptions 2' }).waitFor();
      },
      { userEmail: null, reducedMotion: 'reduce' },
    );
  });

  it('the first Tab on a page shows a link that moves the focus past the navigation', async () => {
    await backOffice.withPage('/orders', async (page) => {
      await page.keyboard.press('Tab');
      const skipLink = page.getByRole('link', { name: 'Skip to the content' });
      await waitForFocus(skipLink);
      await expect
        .poll(() => skipLink.evaluate((link) => link.getBoundingClientRect().top))
        .toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Enter');
      await page.locator('main:focus, main :focus').waitFor();
    });
  });

  it('Ctrl+Enter in a field saves its form once, even if held, and does nothing while its button is disabled', async () => {
    const { orders } = await backOffice.query('orders.list', { filter: {} });
    await backOffice.withPage(`/orders/${orders[0].id}`, async (page) => {
      let saveCount = 0;
      page.on('request', (request) => {
        if (request.url().includes('orders.addNote')) saveCount++;
      });
      await page.evaluate(() => {
        const { dataset } = document.documentElement;
        dataset.submitCount = '0';
        document.addEventListener('submit', () => {
          dataset.submitCount = String(Number(dataset.submitCount) + 1);
        });
      });
      const readSubmitCount = () => page.locator('html').getAttribute('data-submit-count');
      const field = page.getByRole('textbox', { name: 'Write a note for your colleagues' });
      await field.press('Control+Enter');
      expect(await field.inputValue()).toBe('');
      expect(await readSubmitCount()).toBe('0');
      await field.pressSequentially('Ask');
      await field.press('Enter');
      await field.pressSequentially('customs');
      await page.keyboard.down('Control');
      for (let pressCount = 0; pressCount < 3; pressCount++) await page.keyboard.down('Enter');
      await page.keyboard.up('Enter');
      await page.keyboard.up('Control');
      await page.getByRole('list', { name: 'Timeline' }).getByText('Ask\ncustoms').waitFor();
      await expect.poll(() => field.inputValue()).toBe('');
      expect(saveCount).toBe(1);
      expect(await readSubmitCount()).toBe('1');
    });
  });
});

it.each(['', '/orders', '/queues/exception', '/import', '/statistics', '/settings'])(
  '/admin%s does not scroll sideways when zoomed to twice its size',
  async (path) => {
    const zoomOptions = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    await backOffice.withPage(
      path,
      async (page) => expect(await measureHorizontalOverflow(page)).toBe(0),
      zoomOptions,
    );
  },
);
