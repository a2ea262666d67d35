import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders } from '../../support/browser/back-office-orders';
import { waitForFocus } from '../../support/browser/browser';
import { holdRequests } from '../../support/browser/page-actions';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('on-demand');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

const STATIC_FILES = '**/_next/static/**';
const LOAD_ERRORS = /ERR_FAILED|Failed to load chunk/;
const ORDERS_PATH = '/orders?tab=all';

it('the first letter typed in a form while the service is down says that the service cannot be reached', async () => {
  const { orders } = await backOffice.query('orders.list', { filter: {} });
  await backOffice.withPage(
    `/orders/${orders[0].id}`,
    async (page) => {
      await page.route('**/*', (route) => route.abort());
      await page.getByRole('textbox', { name: 'Write a note for your colleagues' }).press('a');
      await page.getByText('The service cannot be reached.').waitFor();
      await page.unroute('**/*');
      await page.getByText('The service cannot be reached.').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Discard' }).click();
    },
    { allowedErrors: LOAD_ERRORS },
  );
});

describe('a component that is loaded on demand', () => {
  it('opens even if its button was clicked before its code was loaded', async () => {
    await backOffice.withPage(ORDERS_PATH, async (page) => {
      const releaseFiles = await holdRequests(page, STATIC_FILES);
      const requestPromise = page.waitForRequest(STATIC_FILES);
      await page.getByRole('button', { name: 'Shop', exact: true }).click();
      // However long a busy machine takes until it requests the code.
      await requestPromise;
      await page.waitForTimeout(300);
      expect(await page.getByRole('dialog').count()).toBe(0);
      releaseFiles();
      await page.getByRole('dialog', { name: 'Shop' }).getByRole('checkbox').first().waitFor();
      expect(await findAccessibilityViolations(page)).toEqual([]);
    });
  });

  it('opens once its code can be loaded again, and what was typed before stays on the page', async () => {
    await backOffice.withPage(
      ORDERS_PATH,
      async (page) => {
        await page.route(STATIC_FILES, (route) => route.abort());
        await page.getByRole('searchbox', { name: 'Search orders', exact: true }).fill('Fox');
        const failedRequestPromise = page.waitForEvent('requestfailed');
        await page.getByRole('button', { name: 'Shop', exact: true }).click();
        await failedRequestPromise;
        expect(await page.getByRole('searchbox', { name: 'Search orders', exact: true }).inputValue()).toBe(
          'Fox',
        );
        await page.unroute(STATIC_FILES);
        await page.getByRole('dialog', { name: 'Shop' }).getByRole('checkbox').first().waitFor();
        expect(await page.getByRole('searchbox', { name: 'Search orders', exact: true }).inputValue()).toBe(
          'Fox',
        );
      },
      { allowedErrors: LOAD_ERRORS },
    );
  });

  it('that cannot be loaded because the service is down says so, and opens once the service is back', async () => {
    await backOffice.withPage(
      ORDERS_PATH,
      async (page) => {
        const banner = page.getByText('The service cannot be reached.');
        await page.route('**/*', (route) => route.abort());
        await page.getByRole('button', { name: 'Language' }).click();
        await banner.waitFor();
        await page.unroute('**/*');
        await page.getByRole('menuitem', { name: 'English' }).waitFor();
        await banner.waitFor({ state: 'hidden' });
      },
      { allowedErrors: LOAD_ERRORS },
    );
  });

  it('opens by keyboard, takes the focus, and gives it back', async () => {
    await backOffice.withPage(ORDERS_PATH, async (page) => {
      const releaseFiles = await holdRequests(page, STATIC_FILES);
      const button = page.getByRole('button', { name: 'Language' });
      await button.focus();
      await page.keyboard.press('Enter');
      await waitForFocus(button);
      releaseFiles();
      const firstItem = page.getByRole('menuitem').first();
      await firstItem.waitFor();
      expect(await button.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('ArrowDown');
      await waitForFocus(firstItem);
      await page.keyboard.press('Escape');
      await firstItem.waitFor({ state: 'hidden' });
      await waitForFocus(button);
      expect(await button.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('Enter');
      await firstItem.waitFor();
      await button.click();
      await firstItem.waitFor({ state: 'hidden' });
    });
  });

  it('asks before acting, and returns the focus to the button that was pressed', async () => {
    await backOffice.withPage(ORDERS_PATH, async (page) => {
      await page.locator('tbody tr').first().getByRole('checkbox').click();
      const button = page.getByRole('button', { name: 'Set status' });
      await button.click();
      await page.getByRole('menuitem', { name: 'Cancelled' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await waitForFocus(button);
    });
  });

  it('shows a time in full when it is hovered or focused, until the pointer leaves or Escape is pressed', async () => {
    await backOffice.withPage(ORDERS_PATH, async (page) => {
      const time = page.locator('tbody time').first();
      const tooltip = page.getByRole('tooltip');
      await time.hover();
      await tooltip.getByText(/Eastern Daylight Time/).waitFor();
      const tooltipId = await time.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${tooltipId}"]`).innerText()).toContain('Eastern Daylight Time');
      await page.mouse.move(0, 0);
      await tooltip.waitFor({ state: 'hidden' });
      expect(await time.getAttribute('aria-describedby')).toBeNull();
      await page.locator('tbody tr').first().getByRole('link').focus();
      await page.keyboard.press('Tab');
      await tooltip.waitFor();
      await page.keyboard.press('Escape');
      await tooltip.waitFor({ state: 'hidden' });
    });
  });

  it('shows the tooltip of a tapped time, and hides it at the next tap elsewhere', async () => {
    await backOffice.withPage(
      `/orders/${(await backOffice.query('orders.list', { filter: {} })).orders[0].id}`,
      async (page) => {
        await page.locator('main time').first().tap();
        await page.getByRole('tooltip').waitFor();
        await page.getByRole('heading', { level: 2 }).first().tap();
        await page.getByRole('tooltip').waitFor({ state: 'hidden' });
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true },
    );
  });
});
