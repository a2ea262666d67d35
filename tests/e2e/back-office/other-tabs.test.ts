import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BackOffice, openBackOffice, PASSWORD } from '../../support/browser/back-office';
import { makeOrders } from '../../support/browser/back-office-orders';
import { waitUntilSettled } from '../../support/browser/browser';

let backOffice: BackOffice;
let orderPath: string;
/** Users who sign out, which ends the session that all pages of a user share. */
const EMAIL = 'cora@example.com';
const THIRD_EMAIL = 'dan@example.com';
const OTHER_EMAIL = 'ben@example.com';
const OTHER_USER = `You are signed in as ${OTHER_EMAIL} in this browser now. Reload the page to continue as that person.`;

beforeAll(async () => {
  backOffice = await openBackOffice('other-tabs');
  await makeOrders(backOffice);
  for (const email of [EMAIL, OTHER_EMAIL, THIRD_EMAIL]) await backOffice.addUser(email, 'admin');
  const { orders } = await backOffice.query('orders.list', { filter: {} });
  orderPath = `/orders/${orders[0].id}`;
});
afterAll(() => backOffice?.close());

const noteFieldOf = (page: Page) => page.getByRole('textbox', { name: 'Write a note for your colleagues' });

/** Opens another tab of the same browser. */
async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await backOffice.visit(tab, path);
  return tab;
}

/** Signs out in another tab, and signs another user in there. */
async function changeUserInOtherTab(page: Page): Promise<Page> {
  const tab = await openTab(page, '/catalog');
  await tab.getByRole('button', { name: /^Your account/ }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  // Until its scripts run, the browser itself would submit the form, and nothing would react to a click on the page after it.
  await tab.waitForURL(/\/sign-in$/);
  await waitUntilSettled(tab);
  await tab.locator('[name=email]').fill(OTHER_EMAIL);
  await tab.locator('[name=password]').fill(PASSWORD);
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await waitUntilSettled(tab);
  return tab;
}

it('a page of a user who signed out in another tab saves nothing in the name of the next, and keeps what was typed', async () => {
  await backOffice.withPage(
    orderPath,
    async (page) => {
      const noteField = noteFieldOf(page);
      await noteField.fill('Ask customs');
      await changeUserInOtherTab(page);
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('main').getByText(OTHER_USER, { exact: true }).waitFor();
      await page.getByRole('alert').getByText(OTHER_USER, { exact: true }).waitFor();
      expect(await noteField.inputValue()).toBe('Ask customs');
      expect(await backOffice.queryDatabase('SELECT author, text FROM order_notes')).toEqual([]);
    },
    { userEmail: EMAIL, allowedErrors: /status of 409/ },
  );
});

it('another language chosen in one tab also applies to the others at once, which keep what was typed', async () => {
  await backOffice.withPage(orderPath, async (page) => {
    await noteFieldOf(page).fill('Ask customs');
    const tab = await openTab(page, '');
    await tab.getByRole('button', { name: 'Language' }).click();
    await tab.getByRole('menuitem', { name: '简体中文' }).click();
    await page.getByRole('navigation').getByRole('link', { name: '商品目录' }).waitFor();
    await page.getByRole('button', { name: '语言' }).waitFor();
    const note = page.getByRole('textbox', { name: '给同事写一条备注' });
    await note.waitFor();
    expect(await note.inputValue()).toBe('Ask customs');
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
  });
});

it('another language chosen by the next user does not touch a page of the earlier user, whose input it would save in their name', async () => {
  await backOffice.withPage(
    orderPath,
    async (page) => {
      await noteFieldOf(page).fill('Ask customs');
      const tab = await changeUserInOtherTab(page);
      await tab.getByRole('button', { name: 'Language' }).click();
      await tab.getByRole('menuitem', { name: '简体中文' }).click();
      await tab.getByRole('heading', { level: 1, name: '概览' }).waitFor();
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('main').getByText(OTHER_USER, { exact: true }).waitFor();
      expect(await backOffice.queryDatabase('SELECT author, text FROM order_notes')).toEqual([]);
    },
    { userEmail: THIRD_EMAIL, allowedErrors: /status of 409/ },
  );
});
