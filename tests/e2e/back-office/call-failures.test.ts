import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus } from '../../support/browser/browser';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('call-failures');
});
afterAll(() => backOffice?.close());

it('a failed call is reported in the language that the user has just chosen', async () => {
  await backOffice.withPage(
    '',
    async (page) => {
      await page.getByRole('button', { name: 'Language' }).click();
      await page.getByRole('menuitem', { name: '简体中文' }).click();
      await page.getByRole('heading', { level: 1, name: '概览' }).waitFor();
      await page.route(/overview\.dismissFirstSteps/, (route) => route.abort());
      await page.getByRole('button', { name: '不再显示' }).click();
      const alert = page.getByRole('alert').filter({ hasText: '没有收到响应' });
      await alert.getByText('服务没有回应，可能已经保存，也可能没有。请先核实，再决定是否重试。').waitFor();
      // The notice of the ended session has texts of its own.
      await page.context().clearCookies();
      await page.unrouteAll();
      await page.getByRole('button', { name: '不再显示' }).click();
      await page
        .getByRole('alert')
        .filter({ hasText: '登录已失效' })
        .getByText('登录', { exact: true })
        .waitFor();
    },
    { allowedErrors: /ERR_FAILED|status of 401/ },
  );
});

it('the notice that the session has ended disappears once the user has signed in again in another tab', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      const cookies = await page.context().cookies();
      const notice = page.getByText('What you have typed stays here.');
      const search = page.getByRole('searchbox', { name: 'Search orders', exact: true });
      await page.context().clearCookies();
      await search.fill('Fox');
      await page.locator('.mantine-Notifications-root').filter({ has: notice }).waitFor();
      await page.context().addCookies(cookies);
      await search.fill('Owl');
      await notice.first().waitFor({ state: 'detached' });
      expect(await page.getByText('You are signed out', { exact: true }).count()).toBe(0);
    },
    { allowedErrors: /status of 401/ },
  );
});

describe('when there is no response', () => {
  const NO_RESPONSE = { allowedErrors: /ERR_FAILED/ };
  const CHECK_CONNECTION = 'Check your connection and try again.';

  it('to a note that was stored, the page says that it may have been saved, and never that it is not saved', async () => {
    await backOffice.call('shops.create', { name: 'Fox and Bricks' });
    const [shop] = await backOffice.queryDatabase<{ id: number }>('SELECT id FROM shops');
    await backOffice.send('/api/orders/import', {
      account_id: shop!.id,
      rows: [{ receipt_id: '4165000001', title: 'Fox', quantity: 1, price: 1 }],
    });
    const { orders } = await backOffice.query('orders.list', { filter: {} });
    await backOffice.withPage(
      `/orders/${orders[0].id}`,
      async (page) => {
        const main = page.getByRole('main');
        const noteField = page.getByRole('textbox', { name: 'Write a note for your colleagues' });
        await page.route('**/api/trpc/orders.addNote*', async (route) => {
          await route.fetch();
          await route.abort();
        });
        await noteField.fill('Ask customs');
        await main.getByText('Not saved yet', { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Add note' }).click();
        await main
          .getByText(
            'The service did not answer, so this may or may not have been saved. Check before you try again.',
            { exact: true },
          )
          .waitFor();
        await main.getByText('May already be saved', { exact: true }).waitFor();
        expect(await main.getByText('Not saved yet').count()).toBe(0);
        expect(await main.getByText(CHECK_CONNECTION).count()).toBe(0);
        expect(await noteField.inputValue()).toBe('Ask customs');
        // The order is loaded again as soon as the service can be reached.
        await main.getByText('Ask customs', { exact: true }).and(main.locator('p')).waitFor();
        await page.unrouteAll();
        await main.getByRole('button', { name: 'Discard' }).click();
      },
      NO_RESPONSE,
    );
  });

  it('to a query or to the check of a file, which store nothing, the page says to try again', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const alert = page.getByRole('main').getByRole('alert');
        // Otherwise the page would load the list again as soon as it knows that the service is ready.
        await page.route(/\/api\/trpc\/|\/readyz/, (route) => route.abort());
        await page.getByRole('searchbox').fill('fox');
        await alert.getByText(CHECK_CONNECTION, { exact: true }).waitFor();
        await page.unrouteAll();
        await backOffice.visit(page, '/catalog/import');
        await page.route('**/api/trpc/**', (route) => route.abort());
        await page.locator('input[type=file]').setInputFiles({
          name: 'products.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('category,code,name\nhead,HD-001,\n'),
        });
        await alert.getByText(CHECK_CONNECTION, { exact: true }).waitFor();
        await page.unrouteAll();
      },
      NO_RESPONSE,
    );
  });
});

describe('what does not exist', () => {
  const NOT_FOUND = { allowedErrors: /status of 404/ };

  it.each(['/orders/99999999', '/messages/replies/9999'])(
    'cannot be tried again on %s, which links to the list',
    async (path) => {
      await backOffice.withPage(
        path,
        async (page) => {
          const main = page.getByRole('main');
          await main.getByRole('alert').getByText('Not found, or no longer there', { exact: true }).waitFor();
          expect(await main.getByRole('alert').getByRole('button').count()).toBe(0);
          expect(await main.getByRole('link').count()).toBeGreaterThan(0);
        },
        NOT_FOUND,
      );
    },
  );

  it('beside a list can be closed, and the focus moves to the title', async () => {
    await backOffice.withPage(
      '/orders?open=99999999',
      async (page) => {
        const panel = page.getByRole('complementary');
        await panel.getByRole('alert').getByRole('button', { name: 'Close' }).press('Enter');
        await panel.waitFor({ state: 'detached' });
        await waitForFocus(page.getByRole('heading', { level: 1 }));
      },
      NOT_FOUND,
    );
  });
});

it('the focus stays in the content when it is loaded again after a failure', async () => {
  await backOffice.withPage(
    '/orders',
    async (page) => {
      const main = page.getByRole('main');
      await page.route('**/api/trpc/**', (route) =>
        route.fulfill({ status: 500, json: { success: false, code: 'internal_error', message: 'Broken.' } }),
      );
      await page.getByRole('searchbox').fill('fox');
      const retryButton = main.getByRole('alert').getByRole('button', { name: 'Try again' });
      await retryButton.waitFor();
      await page.unrouteAll();
      await retryButton.press('Enter');
      await retryButton.waitFor({ state: 'detached' });
      await waitForFocus(main);
    },
    { allowedErrors: /status of 500/ },
  );
});
