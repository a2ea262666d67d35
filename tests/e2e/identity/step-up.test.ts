import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility';
import { hasFocus, still } from '../../support/browser/browser';
import { type Office, openOffice, PASSWORD } from '../../support/browser/office';
import { screenshot } from '../../support/browser/screenshot';

let office: Office;

beforeAll(async () => {
  office = await openOffice('step-up');
});
afterAll(() => office?.close());

/** Makes the last password confirmation older than ten minutes. */
const later = () =>
  office.inDatabase(`UPDATE user_sessions SET confirmed_at = now() - interval '10 minutes 1 second'`);

/** How many keys of this name there are. */
const keysNamed = async (name: string): Promise<number> =>
  (await office.ask('keys.list', undefined)).filter((key: { name: string }) => key.name === name).length;

const WORDS = {
  'en-US': {
    create: 'Create a key',
    title: 'Confirm that it is you',
    hint: 'To make sure that it is really you, enter your password again.',
    password: 'Password',
    wrong: 'Does not match your password.',
    created: 'This is shown only once.',
  },
  'zh-CN': {
    create: '创建密钥',
    title: '请确认是您本人',
    hint: '为防止他人在您离开时操作，请再次输入密码。',
    password: '密码',
    wrong: '密码不正确',
    created: '此内容仅显示这一次。',
  },
} as const;

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there.');
}

const focusedText = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).innerText);

describe.each(['en-US', 'zh-CN'] as const)(
  'more than ten minutes after the password was given, in %s,',
  (locale) => {
    const words = WORDS[locale];
    const view = { locale, except: /status of (?:403|422)/ };

    /** Fills in the form for a new key and submits it; then the password is requested. */
    async function createKey(page: Page, name: string) {
      await later();
      await tabTo(page, async () => (await focusedText(page)) === words.create);
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: words.create });
      await form.locator('[name=name]').waitFor();
      await hasFocus(form.locator('[name=name]'));
      await page.keyboard.type(name);
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: words.title });
      await question.getByText(words.hint).waitFor();
      const password = question.getByLabel(words.password, { exact: true });
      await hasFocus(password);
      return { form, question, password };
    }

    it('creating a key asks for it: a wrong one is said, with the right one the key is created once', async () => {
      const name = `ERP ${locale}`;
      await office.onPage(
        '/keys',
        async (page) => {
          const { question, password } = await createKey(page, name);
          await page.keyboard.type('not my password');
          await page.keyboard.press('Enter');
          await question.getByText(words.wrong).waitFor();
          await still(page);
          await screenshot(page, `admin-step-up-${locale}`);
          expect(await accessibilityFindings(page)).toEqual([]);
          expect(await keysNamed(name)).toBe(0);
          // The refused field has the focus again.
          await hasFocus(password);
          await page.keyboard.press('ControlOrMeta+a');
          await page.keyboard.type(PASSWORD);
          await page.keyboard.press('Enter');
          await page.getByText(words.created).waitFor();
          await question.waitFor({ state: 'hidden' });
          expect(await keysNamed(name)).toBe(1);
        },
        view,
      );
    });

    it.each(['in the field', 'at the button that closes it'])(
      'Esc %s gives up, and the form below keeps what was typed',
      async (place) => {
        const name = `given up ${place} ${locale}`;
        await office.onPage(
          '/keys',
          async (page) => {
            const { form, question } = await createKey(page, name);
            if (place !== 'in the field') await page.keyboard.press('Shift+Tab');
            await page.keyboard.press('Escape');
            await question.waitFor({ state: 'hidden' });
            await still(page);
            expect(await form.locator('[name=name]').inputValue()).toBe(name);
            // The focus is back in the form, whose own Esc closes it.
            await expect
              .poll(() => form.evaluate((dialog) => dialog.contains(document.activeElement)))
              .toBe(true);
            await page.keyboard.press('Escape');
            await form.waitFor({ state: 'hidden' });
            expect(await keysNamed(name)).toBe(0);
          },
          view,
        );
      },
    );
  },
);
