import { TOTP } from 'otpauth';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TIME_ZONE_COOKIE } from '../../../src/server/identity/users/schema';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, OWNER_EMAIL, openBackOffice, PASSWORD } from '../../support/browser/back-office';
import { waitForAnimations, waitUntilSettled } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';
import { itRendersInEveryView } from '../../support/browser/views';

let backOffice: BackOffice;
/** The URL of the back office, which is not under the default prefix. */
let url: string;

beforeAll(async () => {
  backOffice = await openBackOffice('account', { ADMIN_PREFIX: '/desk' });
  url = `${backOffice.service.url}/desk`;
});
afterAll(() => backOffice?.close());

/** Fills in and submits the sign-in form. */
async function submitSignIn(
  page: Page,
  { email = OWNER_EMAIL, password = PASSWORD }: { email?: string; password?: string } = {},
): Promise<void> {
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

/** Goes to the back office, signs the owner in on the way, and waits for the page. */
async function signInOnPage(page: Page): Promise<void> {
  await backOffice.visit(page, '');
  await submitSignIn(page);
  await page.waitForURL(url);
  await page.locator('main h1').waitFor();
  await waitUntilSettled(page);
}

describe('signing in', () => {
  it('says what to do after a wrong password, and leads to the requested page once the right one is entered', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        await backOffice.visit(page, '/account?from=mail');
        expect(page.url()).toBe(`${url}/sign-in?callbackUrl=%2Fdesk%2Faccount%3Ffrom%3Dmail`);
        await submitSignIn(page, { password: 'this is another password' });
        await page.getByText('Check both and try again').waitFor();
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await submitSignIn(page);
        await page.waitForURL(`${url}/account?from=mail`);
        await page.getByRole('heading', { level: 1, name: 'Account & security' }).waitFor();
      },
      { userEmail: null, allowedErrors: /status of 401/ },
    );
  });

  it.each(['constructor', 'toString', 'unheard of'])(
    'says only that it failed if the URL contains an unknown error, such as %s',
    async (error) => {
      await backOffice.withPage(
        null,
        async (page) => {
          await backOffice.visit(page, `/sign-in?error=${encodeURIComponent(error)}`);
          const alert = page.getByRole('main').getByRole('alert');
          expect(await alert.innerText()).toBe('Sign-in failed. Try again.');
        },
        { userEmail: null },
      );
    },
  );

  it('works with the keyboard alone, and its fields are marked for password managers', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        await backOffice.visit(page, '');
        const readAutocomplete = () =>
          page.evaluate(() => document.activeElement?.getAttribute('autocomplete'));
        await expect.poll(readAutocomplete).toBe('username');
        await page.keyboard.press('Enter');
        await page.getByText('Enter your e-mail address.').waitFor();
        await page.keyboard.type(OWNER_EMAIL);
        await page.keyboard.press('Tab');
        await expect.poll(readAutocomplete).toBe('current-password');
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press('Enter');
        await page.waitForURL(url);
      },
      { userEmail: null },
    );
  });

  it.each(['//elsewhere.example/', '/\\elsewhere.example', 'https://elsewhere.example/'])(
    'does not lead to another site, such as %s',
    async (target) => {
      await backOffice.withPage(
        null,
        async (page) => {
          await backOffice.visit(page, `/sign-in?callbackUrl=${encodeURIComponent(target)}`);
          await submitSignIn(page);
          await page.waitForURL(url);
        },
        { userEmail: null },
      );
    },
  );

  it('passes on the time zone of the browser', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        await signInOnPage(page);
        const cookies = await page.context().cookies();
        expect(cookies.find(({ name }) => name === TIME_ZONE_COOKIE)?.value).toBe('Asia/Shanghai');
      },
      { userEmail: null, timezoneId: 'Asia/Shanghai' },
    );
  });

  it('is required again after signing out', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        await signInOnPage(page);
        await page.getByRole('button', { name: /^Your account/ }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.waitForURL(/\/desk\/sign-in/);
        await page.goto(`${url}/account`);
        expect(page.url()).toContain('/desk/sign-in?callbackUrl=');
      },
      { userEmail: null },
    );
  });
});

describe('the sign-in page', () => {
  itRendersInEveryView(
    () => backOffice,
    () => [['/sign-in', 'sign-in']],
    { userEmail: null },
  );
});

describe('the account page', () => {
  it('creates a personal token, which is shown only once, and revokes it', async () => {
    await backOffice.withPage('/account', async (page) => {
      await page.getByRole('button', { name: 'Create a token' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('button', { name: 'Create a token' }).click();
      await drawer.getByText('Is required.').waitFor();
      await drawer.getByLabel('Name').fill('Spreadsheet');
      await waitForAnimations(page);
      await screenshot(page, 'admin-form-drawer');
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      const token = await page.locator('code').innerText();
      expect(token.length).toBeGreaterThan(20);
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('cell', { name: 'Spreadsheet' }).waitFor();
      await expect.poll(() => page.getByText(token).count()).toBe(0);
      const requestUser = () =>
        fetch(`${backOffice.service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } });
      expect((await requestUser()).status).toBe(200);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('cell', { name: 'Revoked' }).waitFor();
      expect((await requestUser()).status).toBe(401);
    });
  });

  it('saves the profile twice without leaving the page', async () => {
    await backOffice.withPage('/account', async (page) => {
      const profileForm = page.locator('form').filter({ has: page.getByLabel('Time zone') });
      for (const name of ['Ann Lee', 'Ann Li']) {
        await profileForm.getByLabel('Name').fill(name);
        const responsePromise = page.waitForResponse(/account\.update/);
        await profileForm.getByRole('button', { name: 'Save' }).click();
        expect((await responsePromise).status()).toBe(200);
        await page.getByRole('button', { name: `Your account, ${name}` }).waitFor();
      }
    });
  });

  it('is in the user’s language unless another was chosen in the browser; saving the profile leaves the user’s language unchanged', async () => {
    const user = { email: 'view@example.com', role: 'viewer', password: 'four unrelated words here' };
    await backOffice.call('people.create', { ...user, locale: 'en' });
    await backOffice.withPage(
      null,
      async (page) => {
        const signInOnAccountPage = async () => {
          await backOffice.visit(page, '/account');
          expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
          await submitSignIn(page, user);
          await page.waitForURL(`${url}/account`);
        };
        await signInOnAccountPage();
        await page.getByRole('heading', { level: 1, name: 'Account & security' }).waitFor();
        const saveName = async (labels: { language: string; name: string; save: string }, name: string) => {
          const form = page.locator('form').filter({ has: page.getByLabel(labels.language) });
          expect(await form.getByLabel(labels.language).first().inputValue()).toBe('English');
          await form.getByLabel(labels.name).fill(name);
          const [response] = await Promise.all([
            page.waitForResponse(/account\.update/),
            form.getByRole('button', { name: labels.save }).click(),
          ]);
          expect(response.status()).toBe(200);
        };
        await saveName({ language: 'Language', name: 'Name', save: 'Save' }, 'Vi');
        await page.getByRole('button', { name: 'Your account, Vi' }).waitFor();
        await page.getByRole('button', { name: 'Language' }).click();
        await page.getByRole('menuitem', { name: '简体中文' }).click();
        await page.getByRole('heading', { level: 1, name: '账号' }).waitFor();
        await backOffice.visit(page, '/account');
        await saveName({ language: '语言', name: '姓名', save: '保存' }, 'Viv');
        await page.context().clearCookies();
        await signInOnAccountPage();
        await page.getByRole('heading', { level: 1, name: 'Account & security' }).waitFor();
      },
      { userEmail: null, locale: 'zh-CN', allowedErrors: /status of 401/ },
    );
  });

  it('says that an emptied name is required, and saves nothing', async () => {
    await backOffice.withPage('/account', async (page) => {
      const profileForm = page.locator('form').filter({ has: page.getByLabel('Time zone') });
      for (const [name, problem] of [
        ['', 'Is required.'],
        ['   ', 'Must not be empty.'],
      ] as const) {
        await profileForm.getByLabel('Name').fill(name);
        await profileForm.getByRole('button', { name: 'Save' }).click();
        await profileForm.getByText(problem).waitFor();
      }
    });
  });

  it('marks the field whose value the service refuses, and says why', async () => {
    await backOffice.withPage(
      '/account',
      async (page) => {
        await page.getByLabel('Current password').fill('not my password');
        await page.getByLabel('New password').fill('short');
        await page.keyboard.press('Enter');
        await page.getByText('Must have at least 12 characters.').waitFor();
        await page.getByLabel('New password').fill('a new password, long enough');
        await page.keyboard.press('Enter');
        await page.getByText('does not match your password').waitFor();
        expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true');
      },
      { allowedErrors: /status of 422 .*\/account\.changePassword/ },
    );
  });

  it('sets up a second factor, which signing in then requires; a recovery code works once', async () => {
    await backOffice.withPage(
      '/account',
      async (page) => {
        await page.getByRole('button', { name: 'Set up' }).click();
        await page.getByRole('img', { name: /QR code/ }).waitFor();
        await screenshot(page, 'admin-two-factor', { fullPage: true });
        expect(await findAccessibilityViolations(page)).toEqual([]);
        const secret = (await page.getByRole('button', { name: /^Copy / }).innerText()).trim();
        await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate());
        await page.keyboard.press('Enter');
        const recoveryCodes = (await page.locator('code').innerText()).trim().split(/\s+/);
        await waitForAnimations(page);
        await screenshot(page, 'admin-recovery-codes');
        await page.getByRole('button', { name: 'I have saved it' }).click();
        await page.getByText(`${recoveryCodes.length} recovery codes are left.`).waitFor();
        await page.context().clearCookies();
        await backOffice.visit(page, '');
        await submitSignIn(page);
        await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
        await screenshot(page, 'admin-sign-in-code');
        await page.getByLabel('Code').fill('000000');
        await page.keyboard.press('Enter');
        await page.getByText('This code is wrong').waitFor();
        await page.getByLabel('Code').fill(recoveryCodes[0]!);
        await page.keyboard.press('Enter');
        await page.waitForURL(url);
        await backOffice.visit(page, '/account');
        await page.getByText(`${recoveryCodes.length - 1} recovery codes are left.`).waitFor();
        await page.context().clearCookies();
        await backOffice.visit(page, '');
        await submitSignIn(page);
        await page.getByLabel('Code').fill(recoveryCodes[0]!);
        await page.keyboard.press('Enter');
        await page
          .getByText(
            'This code is wrong or was already used. Enter the app’s next code, or another recovery code.',
          )
          .waitFor();
        await page.getByLabel('Code').fill(recoveryCodes[1]!);
        await page.keyboard.press('Enter');
        await page.waitForURL(url);
      },
      { allowedErrors: /status of 401/ },
    );
  });
});
