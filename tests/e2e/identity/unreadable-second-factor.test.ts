import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice, PASSWORD } from '../../support/browser/back-office';

const EMAIL = 'ben@example.com';
/** The same sentence on the sign-in page and in the dialog. */
const TEXTS = {
  'en-US': {
    code: 'Code',
    sentence:
      'Your second factor can no longer be read, because the service has a new secret. Ask an owner, an administrator or whoever runs the service to reset it.',
    createKey: 'Create a key',
    confirm: 'Confirm it’s you',
  },
  'zh-CN': {
    code: '验证码',
    sentence:
      '服务的密钥已更换，无法再读取您的两步验证信息。请联系所有者、管理员或服务的运维人员重置两步验证。',
    createKey: '创建密钥',
    confirm: '请确认是您本人',
  },
} as const;

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('unreadable-second-factor');
  await backOffice.addUser(EMAIL, 'admin');
  // Signs the user in before the second factor is on.
  await backOffice.withPage('', async () => undefined, { userEmail: EMAIL });
  await backOffice.queryDatabase(
    `UPDATE users SET totp_secret = decode(repeat('00', 60), 'hex'), totp_enabled_at = now() WHERE email = '${EMAIL}'`,
  );
});
afterAll(() => backOffice?.close());

describe.each(['en-US', 'zh-CN'] as const)('a second factor sealed with another secret, in %s,', (locale) => {
  const texts = TEXTS[locale];

  it('is the reason that the sign-in page gives for refusing a code', async () => {
    await backOffice.withPage(
      '/sign-in',
      async (page) => {
        await page.locator('[name=email]').fill(EMAIL);
        await page.locator('[name=password]').fill(PASSWORD);
        await page.keyboard.press('Enter');
        await page.getByLabel(texts.code).fill('123456');
        await page.keyboard.press('Enter');
        await page.getByRole('alert').getByText(texts.sentence, { exact: true }).waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
      },
      { locale, userEmail: null, allowedErrors: /status of 401/ },
    );
  });

  it('is the reason that the dialog gives for refusing a confirmation', async () => {
    await backOffice.queryDatabase(`UPDATE user_sessions SET confirmed_at = now() - interval '11 minutes'`);
    await backOffice.withPage(
      '/keys',
      async (page) => {
        await page.getByRole('button', { name: texts.createKey }).click();
        await page.locator('[name=name]').fill('ERP');
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: texts.confirm });
        await dialog.locator('[autocomplete=current-password]').fill(PASSWORD);
        await dialog.locator('[autocomplete=one-time-code]').fill('123456');
        await page.keyboard.press('Enter');
        await dialog.getByText(texts.sentence, { exact: true }).waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
      },
      { locale, userEmail: EMAIL, allowedErrors: /status of (?:403|409)/ },
    );
  });
});
