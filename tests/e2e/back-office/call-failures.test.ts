import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';

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
      await alert.getByText('请检查网络后重试。').waitFor();
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
