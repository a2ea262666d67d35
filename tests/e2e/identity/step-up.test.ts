import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice, PASSWORD } from '../../support/browser/back-office';
import { waitForAnimations, waitForFocus } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('step-up');
});
afterAll(() => backOffice?.close());

/** Makes the last password confirmation older than ten minutes. */
const expireConfirmation = () =>
  backOffice.queryDatabase(`UPDATE user_sessions SET confirmed_at = now() - interval '10 minutes 1 second'`);

/** Returns the number of keys with this name. */
const countKeysNamed = async (name: string): Promise<number> =>
  (await backOffice.query('keys.list', undefined)).filter((key: { name: string }) => key.name === name)
    .length;

const TEXTS = {
  'en-US': {
    create: 'Create a key',
    title: 'Confirm it’s you',
    hint: 'Confirm that it is you, in case somebody else is at your computer.',
    password: 'Password',
    wrongPassword: 'Does not match your password.',
    keyHint: 'This is shown only once.',
  },
  'zh-CN': {
    create: '创建密钥',
    title: '请确认是您本人',
    hint: '为防止他人在您离开时操作，请确认是您本人。',
    password: '密码',
    wrongPassword: '密码不正确',
    keyHint: '此内容仅显示这一次。',
  },
} as const;

/** Presses Tab until `hasFocus` returns true. */
async function tabTo(page: Page, hasFocus: () => Promise<boolean>): Promise<void> {
  for (let pressCount = 0; pressCount < 80; pressCount++) {
    if (await hasFocus()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach the element.');
}

const readFocusedText = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLElement).innerText);

describe.each(['en-US', 'zh-CN'] as const)(
  'more than ten minutes after the password was entered, in %s,',
  (locale) => {
    const texts = TEXTS[locale];
    const pageOptions = { locale, allowedErrors: /status of (?:403|422)/ };

    /**
     * Makes the last password confirmation too old, then fills in and submits the form for a new key. Returns the form, the dialog
     * that asks for the password, and its password field, which has the focus.
     */
    async function submitNewKey(page: Page, name: string) {
      await expireConfirmation();
      await tabTo(page, async () => (await readFocusedText(page)) === texts.create);
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: texts.create });
      await form.locator('[name=name]').waitFor();
      await waitForFocus(form.locator('[name=name]'));
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      const confirmation = page.getByRole('dialog', { name: texts.title });
      await confirmation.getByText(texts.hint).waitFor();
      const passwordField = confirmation.getByLabel(texts.password, { exact: true });
      await waitForFocus(passwordField);
      return { form, confirmation, passwordField };
    }

    it('creating a key requires the password again; a wrong one is reported, and no key exists until the right one is entered', async () => {
      const name = `ERP ${locale}`;
      await backOffice.withPage(
        '/keys',
        async (page) => {
          const { confirmation, passwordField } = await submitNewKey(page, name);
          await page.keyboard.type('not my password');
          await page.keyboard.press('Enter');
          await confirmation.getByText(texts.wrongPassword).waitFor();
          await waitForAnimations(page);
          await screenshot(page, `admin-step-up-${locale}`);
          expect(await findAccessibilityViolations(page)).toEqual([]);
          expect(await countKeysNamed(name)).toBe(0);
          // The password field has the focus again.
          await waitForFocus(passwordField);
          await page.keyboard.press('ControlOrMeta+a');
          await page.keyboard.type(PASSWORD);
          await page.keyboard.press('Enter');
          await page.getByText(texts.keyHint).waitFor();
          await confirmation.waitFor({ state: 'hidden' });
          expect(await countKeysNamed(name)).toBe(1);
        },
        pageOptions,
      );
    });

    it.each(['in the field', 'on the close button'])(
      'Esc %s cancels the confirmation, and the form behind it keeps what was typed',
      async (place) => {
        const name = `cancelled ${place} ${locale}`;
        await backOffice.withPage(
          '/keys',
          async (page) => {
            const { form, confirmation } = await submitNewKey(page, name);
            if (place !== 'in the field') await page.keyboard.press('Shift+Tab');
            await page.keyboard.press('Escape');
            await confirmation.waitFor({ state: 'hidden' });
            await waitForAnimations(page);
            expect(await form.locator('[name=name]').inputValue()).toBe(name);
            // The focus is back in the form, so the next Esc closes the form.
            await expect
              .poll(() => form.evaluate((dialog) => dialog.contains(document.activeElement)))
              .toBe(true);
            await page.keyboard.press('Escape');
            await form.waitFor({ state: 'hidden' });
            expect(await countKeysNamed(name)).toBe(0);
          },
          pageOptions,
        );
      },
    );
  },
);
