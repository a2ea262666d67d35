import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import {
  measureHorizontalOverflow,
  waitForAnimations,
  waitUntilSettled,
} from '../../support/browser/browser';
import { chooseAction } from '../../support/browser/page-actions';
import { screenshot } from '../../support/browser/screenshot';

const BEN_EMAIL = 'ben@example.com';
/** The browser logs every refused save. */
const allowedErrors = /409|404/;

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('edit-conflicts');
  await backOffice.addUser(BEN_EMAIL, 'owner');
});
afterAll(() => backOffice?.close());

const dialog = (page: Page) => page.getByRole('dialog');
const field = (page: Page, name: string) => dialog(page).locator(`input[name=${name}]`);
const waitUntilClosed = (page: Page) => dialog(page).waitFor({ state: 'hidden' });
const save = (page: Page, name: string | RegExp = 'Save') =>
  dialog(page).getByRole('button', { name, exact: true }).click();
const notice = (page: Page) => dialog(page).getByRole('alert');

async function checkPage(page: Page, file: string): Promise<void> {
  await waitForAnimations(page);
  await screenshot(page, `admin-${file}`);
  expect(await measureHorizontalOverflow(page)).toBe(0);
  expect(await findAccessibilityViolations(page)).toEqual([]);
}

describe('the form of a shop that has changed in the meantime', () => {
  it('says who changed what and which field was updated, and lets the user choose between both values', async () => {
    await backOffice.call('shops.create', { name: 'Fox and Bricks', currency: 'EUR' });
    await backOffice.withPage(
      '/shops',
      async (page) => {
        await chooseAction(page, 'Fox and Bricks', 'Edit');
        await field(page, 'name').fill('Fox and Sons');
        await backOffice.withPage(
          '/shops',
          async (secondPage) => {
            await chooseAction(secondPage, 'Fox and Bricks', 'Edit');
            await field(secondPage, 'name').fill('Fox and Daughters');
            await field(secondPage, 'currency').fill('USD');
            await save(secondPage);
            await waitUntilClosed(secondPage);
          },
          { userEmail: BEN_EMAIL },
        );
        await save(page);
        await notice(page).getByText('ben changed this while you were editing').waitFor();
        await notice(page).getByText('Now: Fox and Daughters').waitFor();
        await notice(page).getByText('Yours: Fox and Sons').waitFor();
        await notice(page)
          .getByText('You had not changed these, so they were updated below: Currency')
          .waitFor();
        await expect.poll(() => field(page, 'name').inputValue()).toBe('Fox and Sons');
        await expect.poll(() => field(page, 'currency').inputValue()).toBe('USD');
        await checkPage(page, 'edit-conflict-light-en');
        await notice(page).getByRole('button', { name: 'Use this: Name' }).click();
        await expect.poll(() => field(page, 'name').inputValue()).toBe('Fox and Daughters');
        await notice(page).getByRole('button', { name: 'Use yours: Name' }).click();
        await save(page);
        await waitUntilClosed(page);
        await page.getByRole('row', { name: /Fox and Sons.*USD/ }).waitFor();
      },
      { allowedErrors },
    );
  });

  it('shows the conflict even after it was closed and opened again', async () => {
    const shop = await backOffice.call('shops.create', { name: 'Owl Studio' });
    await backOffice.withPage('/shops', async (page) => {
      await chooseAction(page, 'Owl Studio', 'Edit');
      await field(page, 'currency').fill('GBP');
      await page.keyboard.press('Escape');
      await waitUntilClosed(page);
      await backOffice.call('shops.update', { id: shop.id, currency: 'EUR' });
      await page.reload();
      await waitUntilSettled(page);
      await chooseAction(page, 'Owl Studio', 'Edit');
      await notice(page).getByText('This was changed while you were editing').waitFor();
      await notice(page).getByText('Now: EUR').waitFor();
      await notice(page).getByText('Yours: GBP').waitFor();
    });
  });
});

it('a conflict is reported in Chinese, in dark mode and on a phone', async () => {
  const [category] = await backOffice.query('catalog.categories', undefined);
  const product = await backOffice.call('catalog.createProduct', {
    code: 'BRICK-1',
    category_id: category.id,
  });
  await backOffice.withPage(
    '/catalog',
    async (page) => {
      await page
        .getByRole('button', { name: /BRICK-1/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: '编辑', exact: false }).click();
      await field(page, 'name').fill('积木');
      await backOffice.call('catalog.updateProduct', { id: product.id, name: 'Brick' });
      await save(page, '保存');
      await notice(page).getByText('编辑期间，您在另一个窗口修改了此内容').waitFor();
      await notice(page).getByText('当前值：Brick').waitFor();
      await notice(page).getByText('您填写的：积木').waitFor();
      await checkPage(page, 'edit-conflict-dark-zh-phone');
      await notice(page).getByRole('button', { name: '用当前值' }).click();
      await expect.poll(() => field(page, 'name').inputValue()).toBe('Brick');
    },
    { allowedErrors, locale: 'zh-CN', colorScheme: 'dark', viewport: { width: 360, height: 800 } },
  );
});

it('a form says that its template was removed, and keeps what was typed', async () => {
  const template = { name: 'Yiwu', format: 'csv', totals: false, columns: [{ column: 'receipt_id' }] };
  const { id } = await backOffice.call('exports.saveTemplate', template);
  await backOffice.withPage(
    '/orders/templates',
    async (page) => {
      await chooseAction(page, 'Yiwu', 'Edit');
      await field(page, 'name').fill('Yiwu and Ningbo');
      await backOffice.call('exports.removeTemplate', { id });
      await save(page);
      await notice(page).getByText('This was removed while you were editing').waitFor();
      await notice(page)
        .getByText('It can no longer be saved. What you typed stays below, so you can copy it.')
        .waitFor();
      expect(await field(page, 'name').inputValue()).toBe('Yiwu and Ningbo');
      const saveButton = dialog(page).getByRole('button', { name: 'Save', exact: true });
      await expect.poll(() => saveButton.isDisabled()).toBe(true);
    },
    { allowedErrors },
  );
});

it('the prompt page shows the version that a colleague saved in the meantime, and keeps a trial conversation when the page is reloaded', async () => {
  await backOffice.call('prompts.set', { shop_name: 'Fox and Sons', text: 'Be kind.' });
  const path = `/messages/prompt?${new URLSearchParams({ shop: 'Fox and Sons' })}`;
  await backOffice.withPage(
    `${path}&view=edit`,
    async (page) => {
      const promptField = page.getByLabel('Text of the prompt');
      await promptField.fill('Be kind and short.');
      await backOffice.withPage(
        `${path}&view=edit`,
        async (secondPage) => {
          await secondPage.getByLabel('Text of the prompt').fill('Be kind and long.');
          await secondPage.getByRole('button', { name: 'Save as draft' }).click();
          await secondPage.getByText('Saved as version 2').waitFor();
        },
        { userEmail: BEN_EMAIL },
      );
      await page.getByRole('button', { name: 'Save as draft' }).click();
      const alert = page.getByRole('alert').filter({ hasText: 'Now:' });
      await alert.getByText('ben changed this while you were editing').waitFor();
      await alert.getByText('Now: Be kind and long.').waitFor();
      await alert.getByText('Yours: Be kind and short.').waitFor();
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('Saved as version 3').waitFor();

      await backOffice.visit(page, `${path}&view=try`);
      const messageField = page.getByLabel('Message 1', { exact: true });
      await messageField.fill('Where is my order?');
      await page.reload();
      await expect.poll(() => messageField.inputValue()).toBe('Where is my order?');
      await page.getByRole('button', { name: 'Start over' }).click();
      await expect.poll(() => messageField.inputValue()).toBe('');
    },
    { allowedErrors },
  );
});
