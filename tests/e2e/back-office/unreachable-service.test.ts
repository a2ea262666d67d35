import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { makeOrders, ORDER_COUNT } from '../../support/browser/back-office-orders';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('unreachable-service');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

const LOAD_ERRORS = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load (?:chunk|resource)|Failed to fetch/;
const UNREACHABLE = 'The service cannot be reached.';
const OUTDATED = 'A part of this page cannot be loaded, probably because a new version was installed.';
const STATIC_FILES = '**/_next/static/**';

it('a page of an earlier version, whose code the service no longer has, says so, gives the keys back, and can be reloaded', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search orders', exact: true });
      await page.route(STATIC_FILES, (route) =>
        route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not Found' }),
      );
      await page.keyboard.press('Control+k');
      await page.keyboard.type('held');
      await page.getByText(OUTDATED).waitFor();
      expect(await page.getByText(UNREACHABLE).count()).toBe(0);
      await search.focus();
      await page.keyboard.type('Fox');
      expect(await search.inputValue()).toBe('Fox');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      // Not before the click: a retry that succeeds removes the button.
      await page.route('**/orders*', async (route, request) => {
        if (request.isNavigationRequest()) await page.unroute(STATIC_FILES);
        await route.continue();
      });
      await Promise.all([
        page.waitForEvent('load'),
        page.getByRole('button', { name: 'Reload the page' }).click(),
      ]);
      await page.getByRole('button', { name: 'Language' }).click();
      await page.getByRole('menuitem', { name: 'English' }).waitFor();
      expect(await page.getByText(OUTDATED).count()).toBe(0);
    },
    { allowedErrors: LOAD_ERRORS },
  );
});

it('a form of an earlier version, whose rules the service no longer has, says so when it is sent, and keeps its input', async () => {
  const { orders } = await backOffice.query('orders.list', { filter: {} });
  await backOffice.withPage(
    `/orders/${orders[0].id}`,
    async (page) => {
      const note = page.getByRole('textbox', { name: 'Write a note for your colleagues' });
      // The form asks only once whether the service is ready, which a pause of a busy machine must not deny.
      await page.route('**/readyz', (route) => route.fulfill({ status: 200 }));
      await page.route(STATIC_FILES, (route) =>
        route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not Found' }),
      );
      await note.fill('Ask customs');
      await page.getByText(OUTDATED).waitFor();
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('main').getByText(OUTDATED).waitFor();
      expect(await page.getByText('Check your connection and try again.').count()).toBe(0);
      expect(await note.inputValue()).toBe('Ask customs');
      await page.unroute(STATIC_FILES);
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('main').getByText('Ask customs', { exact: true }).waitFor();
    },
    { allowedErrors: LOAD_ERRORS },
  );
});

it('a link that is clicked while the service restarts opens once it is back, instead of the browser’s error page', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      await page.route('**/*', (route) => route.abort());
      await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
      await page.getByText(UNREACHABLE).waitFor();
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Orders');
      await page.unroute('**/*');
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.getByText(UNREACHABLE).waitFor({ state: 'detached' });
    },
    { allowedErrors: LOAD_ERRORS },
  );
});

it('behind a proxy whose error page is not from the service, says that the service cannot be reached, and recovers', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      const answered = /\/api\/trpc\/|\/readyz/;
      for (const status of [502, 503, 504]) {
        await page.route(answered, (route) =>
          route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
        );
        await page.getByRole('searchbox').fill(`fox${status}`);
        await page.getByText(UNREACHABLE).waitFor();
        await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
        expect(await page.getByText(UNREACHABLE).count()).toBe(1);
        await page.unrouteAll();
        await page.getByText(UNREACHABLE).waitFor({ state: 'detached' });
        await page.getByText('Nothing matches').waitFor();
      }
      await page.getByRole('searchbox').fill('fox');
      await page.getByText(`${ORDER_COUNT - 2} orders`).waitFor();
    },
    { allowedErrors: LOAD_ERRORS },
  );
});
