import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForFocus, waitUntilSettled } from '../../support/browser/browser';
import { chooseAction } from '../../support/browser/page-actions';

const LEAVER_EMAIL = 'leaver@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-forms');
  await backOffice.call('shops.create', { name: 'Fox and Bricks', currency: 'EUR' });
  await backOffice.call('shops.create', { name: 'Owl Studio', currency: 'USD' });
  await backOffice.addUser(LEAVER_EMAIL, 'admin');
  for (const name of ['ERP bridge', 'Warehouse', 'Forwarder'])
    await backOffice.call('keys.create', { name, expires_at: null });
});
afterAll(() => backOffice?.close());

const dialog = (page: Page) => page.getByRole('dialog');
const waitUntilClosed = (page: Page) => dialog(page).waitFor({ state: 'hidden' });
const readFocusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const readStoredForms = (page: Page) => page.evaluate(() => JSON.stringify(window.sessionStorage));

describe('what was typed into a form', () => {
  it('is restored after Escape, a click outside, another page and a reload, but only in the form of its own record', async () => {
    await backOffice.withPage('/shops', async (page) => {
      const nameField = dialog(page).getByLabel('Name');
      const openAndExpectName = async (text: string) => {
        await chooseAction(page, 'Fox and Bricks', 'Edit');
        await nameField.waitFor();
        await expect.poll(() => nameField.inputValue()).toBe(text);
      };
      await openAndExpectName('Fox and Bricks');
      expect(await dialog(page).getByText('Not saved yet').count()).toBe(0);
      await nameField.fill('Fox and More Bricks');
      await dialog(page).getByText('Not saved yet').waitFor();
      await page.keyboard.press('Escape');
      await waitUntilClosed(page);

      await openAndExpectName('Fox and More Bricks');
      await page.mouse.click(200, 400);
      await waitUntilClosed(page);
      await page.getByRole('link', { name: 'Catalog' }).first().click();
      await page.waitForURL(/\/catalog$/);
      await page.goBack();
      await page.waitForURL(/\/shops$/);
      await openAndExpectName('Fox and More Bricks');
      await page.reload();
      await waitUntilSettled(page);
      await openAndExpectName('Fox and More Bricks');
      await page.keyboard.press('Escape');
      await waitUntilClosed(page);

      await chooseAction(page, 'Owl Studio', 'Edit');
      await expect.poll(() => nameField.inputValue()).toBe('Owl Studio');
      await page.keyboard.press('Escape');
      await waitUntilClosed(page);

      await openAndExpectName('Fox and More Bricks');
      await dialog(page).getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => nameField.inputValue()).toBe('Fox and Bricks');
      await nameField.fill('Fox and Stones');
      await page.keyboard.press('Enter');
      await waitUntilClosed(page);
      await page.getByRole('row', { name: /Fox and Stones/ }).waitFor();
      expect(await readStoredForms(page)).not.toContain('Fox and');
    });
  });

  it('can be saved though the storage of the tab is full, and an older draft does not come back in its place', async () => {
    await backOffice.withPage('/shops', async (page) => {
      await page.getByRole('button', { name: 'Add a shop' }).first().click();
      const nameField = dialog(page).getByLabel('Name');
      await nameField.fill('Older draft');
      await expect.poll(() => readStoredForms(page)).toContain('Older draft');
      await page.evaluate(() => {
        // Down to the last character: the largest piece that still fits, again and again.
        for (let size = 2 ** 22; size >= 1; size /= 2)
          for (let piece = 0; piece < 8; piece++)
            try {
              window.sessionStorage.setItem(`filler-${size}-${piece}`, 'x'.repeat(size));
            } catch {
              break;
            }
      });
      await nameField.fill('Newer text that does not fit into the storage');
      await expect.poll(() => readStoredForms(page)).not.toContain('Older draft');
      await page.keyboard.press('Enter');
      await waitUntilClosed(page);
      await page.getByRole('row', { name: /Newer text that does not fit/ }).waitFor();
    });
  });

  it('is not stored if it is a secret', async () => {
    await backOffice.withPage('/account/notifications', async (page) => {
      await page.getByRole('button', { name: /Add/ }).first().click();
      const secretField = dialog(page).locator('input[type=password]').first();
      await secretField.fill('https://hooks.example.com/secret-token');
      // Typed last: if the secret were stored, it would be stored by the time the name is.
      await dialog(page).getByLabel('Name').fill('Team chat');
      await expect.poll(() => readStoredForms(page)).toContain('Team chat');
      expect(await readStoredForms(page)).not.toContain('secret-token');
    });
  });

  it('is gone after signing out', async () => {
    await backOffice.withPage(
      '/shops',
      async (page) => {
        await page.getByRole('button', { name: 'Add a shop' }).first().click();
        await dialog(page).getByLabel('Name').fill('Begun');
        await expect.poll(() => readStoredForms(page)).toContain('Begun');
        await page.keyboard.press('Escape');
        await waitUntilClosed(page);
        await page.getByRole('button', { name: /^Your account/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.waitForURL(/\/sign-in/);
        expect(await readStoredForms(page)).not.toContain('Begun');
      },
      { userEmail: LEAVER_EMAIL },
    );
  });
});

describe('the focus', () => {
  const waitForFocusedTitle = (page: Page, title: string) =>
    page.waitForFunction(
      (text) => document.activeElement?.matches('h1') && document.activeElement.textContent === text,
      title,
    );

  it('goes to the title of a page that a link or Ctrl-K opens, and the page is announced', async () => {
    await backOffice.withPage('/shops', async (page) => {
      const link = page.getByRole('link', { name: 'Catalog' }).first();
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/catalog$/);
      await waitForFocusedTitle(page, 'Catalog');
      const readAnnouncement = () =>
        page.evaluate(() => document.querySelector('next-route-announcer')?.shadowRoot?.textContent);
      await expect.poll(readAnnouncement).toMatch(/Catalog/);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a page').fill('audit');
      await page.getByRole('button', { name: 'Audit log' }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/audit$/);
      await waitForFocusedTitle(page, 'Audit log');
      await expect.poll(readAnnouncement).toMatch(/Audit log/);
      // The next Tab continues in the content rather than at the top of the page.
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
    });
  });

  it('returns to the opened row when the user goes back', async () => {
    await backOffice.withPage('/keys', async (page) => {
      await page.getByRole('link', { name: 'Warehouse' }).click();
      await page.waitForURL(/\/keys\/\d+$/);
      await waitForFocusedTitle(page, 'Warehouse');
      await page.goBack();
      await page.waitForURL(/\/keys$/);
      await expect.poll(() => readFocusedText(page)).toBe('Warehouse');
    });
  });

  it('returns to the button that opened a form, the first time and the second', async () => {
    await backOffice.withPage('/shops', async (page) => {
      const button = page.getByRole('button', { name: 'Add a shop' });
      for (let round = 0; round < 2; round++) {
        await button.focus();
        await page.keyboard.press('Enter');
        await waitForFocus(dialog(page).getByLabel('Name'));
        await page.keyboard.press('Escape');
        await waitUntilClosed(page);
        await waitForFocus(button);
      }
    });
  });

  it('stays where it is when only the filters change', async () => {
    await backOffice.withPage('/keys', async (page) => {
      const searchField = page.getByRole('searchbox', { name: 'Find a key' });
      await searchField.fill('Forw');
      await page.waitForURL(/search=Forw/);
      await waitForFocus(searchField);
      await page.getByRole('combobox', { name: 'State' }).focus();
      await page.getByRole('combobox', { name: 'State' }).selectOption('active');
      await page.waitForURL(/state=active/);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    });
  });
});
