import path from 'node:path';
import { TOTP } from 'otpauth';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../../support/browser/accessibility';
import {
  launchBrowser,
  settled,
  sidewaysScroll,
  still,
  type Watched,
  watch,
} from '../../support/browser/browser';
import { VIEWS } from '../../support/browser/office';
import { screenshot } from '../../support/browser/screenshot';
import { transferredScript } from '../../support/browser/transferred';
import { makeTemporaryFolder, removeTemporaryFolder } from '../../support/database/temporary-folder';
import { killServices, type ReadyService, startService } from '../../support/service/service-process';

const EMAIL = 'ann@example.com';
const PASSWORD = 'correct horse battery staple';
/** How much script a page may transfer to a browser with an empty cache. */
const MAX_SCRIPT_BYTES = { '/desk': 380_000, '/desk/audit': 300_000, '/desk/account': 420_000 };

let folder: string;
let service: ReadyService;
let browser: Browser;

beforeAll(async () => {
  folder = await makeTemporaryFolder('admin-shell');
  service = await startService(
    {
      DATA_DIR: path.join(folder, 'data'),
      ADMIN_EMAIL: EMAIL,
      ADMIN_PASSWORD: PASSWORD,
      ADMIN_PREFIX: '/desk',
    },
    'build',
  );
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

interface Opened extends Watched {
  page: Page;
  /** Fails if the page logged an error or contacted another host. */
  quiet(except?: RegExp): void;
}

async function withPage<T>(options: BrowserContextOptions, work: (opened: Opened) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  try {
    const page = await context.newPage();
    const watched = watch(page);
    const quiet = (except = /(?!)/) => {
      expect(watched.errors.filter((error) => !except.test(error))).toEqual([]);
      expect(
        watched.requests.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
      ).toEqual([]);
    };
    return await work({ page, ...watched, quiet });
  } finally {
    await context.close();
  }
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

async function submit(page: Page, password = PASSWORD): Promise<void> {
  await page.locator('[name=email]').fill(EMAIL);
  await page.locator('[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page, at = '/desk'): Promise<void> {
  await open(page, service.url + at);
  await submit(page);
  await page.waitForURL(service.url + at);
  await page.locator('main h1').waitFor();
  await settled(page);
}

describe('signing in', () => {
  it('leads to the page that was asked for, and says what was wrong before', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await open(page, `${service.url}/desk/account?from=mail`);
      expect(page.url()).toBe(`${service.url}/desk/sign-in?callbackUrl=%2Fdesk%2Faccount%3Ffrom%3Dmail`);
      await submit(page, 'this is another password');
      await page.getByText('Check both and try again').waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await submit(page);
      await page.waitForURL(`${service.url}/desk/account?from=mail`);
      await page.getByRole('heading', { level: 1, name: 'Account & security' }).waitFor();
      quiet(/status of 401/);
    });
  });

  it('works with the keyboard alone, and tells password managers what each field is', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await open(page, `${service.url}/desk`);
      const marks = () => page.evaluate(() => document.activeElement?.getAttribute('autocomplete'));
      await expect.poll(marks).toBe('username');
      await page.keyboard.press('Enter');
      await page.getByText('Enter your e-mail address.').waitFor();
      await page.keyboard.type(EMAIL);
      await page.keyboard.press('Tab');
      await expect.poll(marks).toBe('current-password');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/desk`);
      quiet();
    });
  });

  it.each(['//elsewhere.example/', '/\\elsewhere.example', 'https://elsewhere.example/'])(
    'never leads to another site, such as %s',
    async (wanted) => {
      await withPage({}, async ({ page, quiet }) => {
        await open(page, `${service.url}/desk/sign-in?callbackUrl=${encodeURIComponent(wanted)}`);
        await submit(page);
        await page.waitForURL(`${service.url}/desk`);
        quiet();
      });
    },
  );

  it('is over after signing out, also for the page that the browser goes back to', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page);
      await page.getByRole('button', { name: /^Your account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.waitForURL(/\/desk\/sign-in/);
      await page.goto(`${service.url}/desk/account`);
      expect(page.url()).toContain('/desk/sign-in?callbackUrl=');
      quiet();
    });
  });
});

describe('the shell', () => {
  it('speaks Chinese to a browser that asks for it, and the language that was chosen from then on', async () => {
    await withPage({ locale: 'zh-CN' }, async ({ page, quiet }) => {
      await signIn(page);
      expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
      expect(await page.locator('h1').innerText()).toBe('概览');
      await page.getByRole('button', { name: '语言' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en-US');
      await page.reload();
      await settled(page);
      expect(await page.locator('h1').innerText()).toBe('Overview');
      quiet();
    });
  });

  it('is dark where the system is, light where that was chosen, and does not flash', async () => {
    await withPage({ colorScheme: 'dark' }, async ({ page, quiet }) => {
      const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
      await signIn(page);
      expect(await scheme()).toBe('dark');
      await page.getByRole('button', { name: 'Colours' }).click();
      await page.getByRole('menuitem', { name: 'Light' }).click();
      await expect.poll(scheme).toBe('light');
      // Tests the first paint: the scheme is set before any script of the page has loaded.
      await page.route('**/_next/static/chunks/**', (route) => route.abort());
      await page.reload({ waitUntil: 'domcontentloaded' });
      expect(await scheme()).toBe('light');
      quiet(/net::ERR_FAILED/);
    });
  });

  it('finds pages by their name with Ctrl-K', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a page').fill('audit');
      await page.getByRole('button', { name: 'Audit log' }).waitFor();
      await screenshot(page, 'admin-palette');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/desk/audit`);
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      quiet();
    });
  });

  it('has nine entries, the rest under Settings, and marks where the reader is', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page);
      const entries = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      expect((await entries.allInnerTexts()).map((text) => text.trim())).toEqual([
        'Brickdesk',
        'Overview',
        'Orders',
        'Work',
        'Shipments',
        'Import',
        'Messages',
        'Statistics',
        'Catalog',
        'Settings',
      ]);
      await entries.last().click();
      await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
      const area = page.getByRole('navigation', { name: 'Settings' });
      await expect
        .poll(() => area.getByRole('link').allInnerTexts())
        .toEqual([
          'Shops',
          'Countries',
          'People',
          'API keys',
          'OAuth clients',
          'Team notifications',
          'Audit log',
          'Debug records',
          'System',
        ]);
      await area.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      await expect.poll(() => area.locator('[aria-current=page]').innerText()).toBe('Audit log');
      const current = entries.locator('xpath=self::*[@aria-current="page"]');
      await expect.poll(() => current.innerText()).toBe('Settings');
      // On one line.
      const tops = await area
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      quiet();
    });
  });

  it('opens its search from the header', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page, '/desk/audit');
      await page.getByRole('button', { name: /^Search orders, buyers, tracking numbers/ }).click();
      await page.getByPlaceholder('Find a page').waitFor();
      quiet();
    });
  });

  it('is set in Inter, with badges and numbers as they should be', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page, '/desk/keys');
      const inter = () =>
        page.evaluate(() => [...document.fonts].find(({ family }) => family === 'inter')?.status);
      await expect.poll(inter).toBe('loaded');
      const badge = page.locator('[data-tone]').first();
      expect(await badge.evaluate((element) => getComputedStyle(element).fontSize)).toBe('12px');
      const figures = await page
        .locator('table')
        .evaluate((table) => getComputedStyle(table).fontVariantNumeric);
      expect(figures).toBe('tabular-nums');
      quiet();
    });
  });

  it('has its pages under the configured prefix alone', async () => {
    await withPage({}, async ({ page }) => {
      for (const at of ['/admin', '/admin/sign-in', '/admin/account', '/desk/no-such-page']) {
        expect((await page.goto(service.url + at))?.status(), at).toBe(404);
        expect(await page.locator('h1').innerText(), at).toBe('This page does not exist');
      }
    });
  });

  it('hides its navigation behind a button on phones', async () => {
    await withPage({ viewport: { width: 360, height: 740 } }, async ({ page, quiet }) => {
      await signIn(page);
      const settings = page.getByRole('link', { name: 'Settings' });
      expect(await settings.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Open the navigation' }).click();
      await settings.waitFor();
      await still(page);
      await screenshot(page, 'admin-navigation-phone');
      await settings.click();
      await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
      await settings.waitFor({ state: 'hidden' });
      // An area of many pages is a choice.
      expect(await page.getByRole('link', { name: 'Audit log' }).isVisible()).toBe(false);
      await page.getByRole('combobox', { name: 'Settings' }).selectOption({ label: 'Audit log' });
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      await expect.poll(() => page.getByRole('combobox', { name: 'Settings' }).inputValue()).toBe('audit');
      quiet();
    });
  });

  it.each(Object.entries(MAX_SCRIPT_BYTES))('%s transfers at most %i bytes of script', async (at, most) => {
    await withPage({}, async ({ page }) => {
      await signIn(page);
      const bytes = await transferredScript(page, service.url + at);
      console.log(`${at}: ${bytes} bytes of script`);
      expect(bytes).toBeLessThan(most);
    });
  });
});

it.each(VIEWS)(
  'every page shows in $name: no error, no other host, no sideways scroll, nothing serious by axe',
  async (view) => {
    const { name, width, colorScheme, locale } = view;
    await withPage({ colorScheme, locale, viewport: { width, height: 800 } }, async ({ page, quiet }) => {
      const look = async (at: string, file: string) => {
        await open(page, service.url + at);
        await screenshot(page, `admin-${file}-${name}`, { fullPage: true });
        expect(await sidewaysScroll(page), at).toBe(0);
        expect(await accessibilityFindings(page), at).toEqual([]);
      };
      await look('/desk/sign-in', 'sign-in');
      await signIn(page);
      for (const [at, file] of [
        ['/desk', 'overview'],
        ['/desk/account', 'account'],
        ['/desk/audit', 'audit'],
      ] as const)
        await look(at, file);
      quiet();
    });
  },
);

describe('the account page', () => {
  it('makes a personal token, shown once, and revokes it', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page, '/desk/account');
      await page.getByRole('button', { name: 'Create a token' }).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('button', { name: 'Create a token' }).click();
      await drawer.getByText('Is required.').waitFor();
      await drawer.getByLabel('Name').fill('Spreadsheet');
      await still(page);
      await screenshot(page, 'admin-form-drawer');
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      const token = await page.locator('code').innerText();
      expect(token.length).toBeGreaterThan(20);
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('cell', { name: 'Spreadsheet' }).waitFor();
      await expect.poll(() => page.getByText(token).count()).toBe(0);
      const user = () => fetch(`${service.url}/api/user`, { headers: { Authorization: `Bearer ${token}` } });
      expect((await user()).status).toBe(200);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('cell', { name: 'Revoked' }).waitFor();
      expect((await user()).status).toBe(401);
      quiet();
    });
  });

  it('says at the field what the service refuses', async () => {
    await withPage({}, async ({ page }) => {
      await signIn(page, '/desk/account');
      await page.getByLabel('Current password').fill('not my password');
      await page.getByLabel('New password').fill('short');
      await page.keyboard.press('Enter');
      await page.getByText('Must have at least 12 characters.').waitFor();
      await page.getByLabel('New password').fill('a new password, long enough');
      await page.keyboard.press('Enter');
      await page.getByText('does not match your password').waitFor();
      expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true');
    });
  });

  it('sets up a second factor, which signing in then asks for; a recovery code does as well, once', async () => {
    await withPage({}, async ({ page, quiet }) => {
      await signIn(page, '/desk/account');
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByRole('img', { name: /QR code/ }).waitFor();
      await screenshot(page, 'admin-two-factor', { fullPage: true });
      expect(await accessibilityFindings(page)).toEqual([]);
      const secret = (await page.getByRole('button', { name: /^Copy / }).innerText()).trim();
      await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate());
      await page.keyboard.press('Enter');
      const codes = (await page.locator('code').innerText()).trim().split(/\s+/);
      await still(page);
      await screenshot(page, 'admin-recovery-codes');
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByText(`${codes.length} recovery codes are left.`).waitFor();
      await page.context().clearCookies();
      await open(page, `${service.url}/desk`);
      await submit(page);
      await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
      await screenshot(page, 'admin-sign-in-code');
      await page.getByLabel('Code').fill('000000');
      await page.keyboard.press('Enter');
      await page.getByText('This code is wrong').waitFor();
      await page.getByLabel('Code').fill(codes[0]!);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${service.url}/desk`);
      await open(page, `${service.url}/desk/account`);
      await page.getByText(`${codes.length - 1} recovery codes are left.`).waitFor();
      quiet(/status of 401/);
    });
  });
});
