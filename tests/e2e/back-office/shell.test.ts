import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { VIEWS } from '../../support/browser/back-office';
import {
  measureHorizontalOverflow,
  waitForAnimations,
  waitUntilSettled,
} from '../../support/browser/browser';
import { openPrefixedBackOffice, type PrefixedBackOffice } from '../../support/browser/prefixed-back-office';
import { screenshot } from '../../support/browser/screenshot';
import { measureScriptBytes } from '../../support/browser/script-bytes';

/** How much script a page may transfer to a browser with an empty cache. */
const MAX_SCRIPT_BYTES = { '/desk': 380_000, '/desk/audit': 300_000, '/desk/account': 420_000 };

let backOffice: PrefixedBackOffice;

beforeAll(async () => {
  backOffice = await openPrefixedBackOffice('admin-shell');
});
afterAll(() => backOffice?.close());

describe('the shell', () => {
  it('is in Chinese if the browser asks for it, and stays in the language that the user then chooses', async () => {
    await backOffice.withPage({ locale: 'zh-CN' }, async ({ page, expectNoErrorsOrExternalRequests }) => {
      await backOffice.signIn(page);
      expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
      expect(await page.locator('h1').innerText()).toBe('概览');
      await page.getByRole('button', { name: '语言' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en-US');
      await page.reload();
      await waitUntilSettled(page);
      expect(await page.locator('h1').innerText()).toBe('Overview');
      expectNoErrorsOrExternalRequests();
    });
  });

  it('is dark if the system is, and light from the first paint once the user chooses light', async () => {
    await backOffice.withPage({ colorScheme: 'dark' }, async ({ page, expectNoErrorsOrExternalRequests }) => {
      const readScheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
      await backOffice.signIn(page);
      expect(await readScheme()).toBe('dark');
      await page.getByRole('button', { name: 'Theme' }).click();
      await page.getByRole('menuitem', { name: 'Light' }).click();
      await expect.poll(readScheme).toBe('light');
      // Tests the first paint: the scheme is set before any script file has loaded.
      await page.route('**/_next/static/chunks/**', (route) => route.abort());
      await page.reload({ waitUntil: 'domcontentloaded' });
      expect(await readScheme()).toBe('light');
      expectNoErrorsOrExternalRequests(/net::ERR_FAILED/);
    });
  });

  it('finds pages by their name with Ctrl-K', async () => {
    await backOffice.withPage({}, async ({ page, expectNoErrorsOrExternalRequests }) => {
      await backOffice.signIn(page);
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a page').fill('audit');
      await page.getByRole('button', { name: 'Audit log' }).waitFor();
      await screenshot(page, 'admin-palette');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${backOffice.url}/desk/audit`);
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      expectNoErrorsOrExternalRequests();
    });
  });

  it('has nine entries in its navigation, further pages under Settings, and marks the current page', async () => {
    await backOffice.withPage({}, async ({ page, expectNoErrorsOrExternalRequests }) => {
      await backOffice.signIn(page);
      const entryLinks = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      expect((await entryLinks.allInnerTexts()).map((text) => text.trim())).toEqual([
        'Brickdesk',
        'Overview',
        'Orders',
        'Work',
        'Tracking',
        'Import',
        'Messages',
        'Statistics',
        'Catalog',
        'Settings',
      ]);
      await entryLinks.last().click();
      await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
      const areaNavigation = page.getByRole('navigation', { name: 'Settings' });
      await expect
        .poll(() => areaNavigation.getByRole('link').allInnerTexts())
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
      await areaNavigation.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
      await expect.poll(() => areaNavigation.locator('[aria-current=page]').innerText()).toBe('Audit log');
      const currentEntry = entryLinks.locator('xpath=self::*[@aria-current="page"]');
      await expect.poll(() => currentEntry.innerText()).toBe('Settings');
      // All links are on one line.
      const tops = await areaNavigation
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
      expect(new Set(tops).size).toBe(1);
      expectNoErrorsOrExternalRequests();
    });
  });

  it('opens its search from the header', async () => {
    await backOffice.withPage({}, async ({ page, expectNoErrorsOrExternalRequests }) => {
      await backOffice.signIn(page, '/desk/audit');
      await page.getByRole('button', { name: /^Search orders, buyers, tracking numbers/ }).click();
      await page.getByPlaceholder('Find a page').waitFor();
      expectNoErrorsOrExternalRequests();
    });
  });

  it('uses Inter, small badges and tabular figures', async () => {
    await backOffice.withPage({}, async ({ page, expectNoErrorsOrExternalRequests }) => {
      await backOffice.signIn(page, '/desk/keys');
      const readInterStatus = () =>
        page.evaluate(() => [...document.fonts].find(({ family }) => family === 'inter')?.status);
      await expect.poll(readInterStatus).toBe('loaded');
      const badge = page.locator('[data-tone]').first();
      expect(await badge.evaluate((element) => getComputedStyle(element).fontSize)).toBe('12px');
      const figureStyle = await page
        .locator('table')
        .evaluate((table) => getComputedStyle(table).fontVariantNumeric);
      expect(figureStyle).toBe('tabular-nums');
      expectNoErrorsOrExternalRequests();
    });
  });

  it('has its pages only under the configured prefix', async () => {
    await backOffice.withPage({}, async ({ page }) => {
      for (const path of ['/admin', '/admin/sign-in', '/admin/account', '/desk/no-such-page']) {
        expect((await page.goto(backOffice.url + path))?.status(), path).toBe(404);
        expect(await page.locator('h1').innerText(), path).toBe('This page does not exist');
        expect(await page.locator('html').getAttribute('lang'), path).toBe('en-US');
      }
    });
  });

  it('has no page for an id that no record can have', async () => {
    await backOffice.withPage({}, async ({ page }) => {
      await backOffice.signIn(page);
      for (const path of ['orders', 'imports', 'keys', 'records', 'messages/replies', 'tracking/callbacks']) {
        await page.goto(`${backOffice.url}/desk/${path}/abc`);
        expect(await page.locator('h1').innerText(), path).toBe('This page does not exist');
      }
    });
  });

  it('hides its navigation behind a button on phones', async () => {
    await backOffice.withPage(
      { viewport: { width: 360, height: 740 } },
      async ({ page, expectNoErrorsOrExternalRequests }) => {
        await backOffice.signIn(page);
        const settingsLink = page.getByRole('link', { name: 'Settings' });
        expect(await settingsLink.isVisible()).toBe(false);
        await page.getByRole('button', { name: 'Open the navigation' }).click();
        await settingsLink.waitFor();
        await waitForAnimations(page);
        await screenshot(page, 'admin-navigation-phone');
        await settingsLink.click();
        await page.getByRole('heading', { level: 1, name: 'Shops' }).waitFor();
        await settingsLink.waitFor({ state: 'hidden' });
        // On a phone the pages of an area are options of a select.
        expect(await page.getByRole('link', { name: 'Audit log' }).isVisible()).toBe(false);
        await page.getByRole('combobox', { name: 'Settings' }).selectOption({ label: 'Audit log' });
        await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
        await expect.poll(() => page.getByRole('combobox', { name: 'Settings' }).inputValue()).toBe('audit');
        expectNoErrorsOrExternalRequests();
      },
    );
  });

  it.each(Object.entries(MAX_SCRIPT_BYTES))(
    '%s transfers less than %i bytes of script',
    async (path, limit) => {
      await backOffice.withPage({}, async ({ page }) => {
        await backOffice.signIn(page);
        const scriptBytes = await measureScriptBytes(page, backOffice.url + path);
        console.log(`${path}: ${scriptBytes} bytes of script`);
        expect(scriptBytes).toBeLessThan(limit);
      });
    },
  );
});

it.each(VIEWS)(
  'sign-in, overview, account and audit log display in $name without errors, requests to other hosts, sideways scrolling or serious axe findings',
  async (view) => {
    const { name, width, colorScheme, locale } = view;
    await backOffice.withPage(
      { colorScheme, locale, viewport: { width, height: 800 } },
      async ({ page, expectNoErrorsOrExternalRequests }) => {
        const checkPage = async (path: string, file: string) => {
          await backOffice.visit(page, path);
          await screenshot(page, `admin-${file}-${name}`, { fullPage: true });
          expect(await measureHorizontalOverflow(page), path).toBe(0);
          expect(await findAccessibilityViolations(page), path).toEqual([]);
        };
        await checkPage('/desk/sign-in', 'sign-in');
        await backOffice.signIn(page);
        for (const [path, file] of [
          ['/desk', 'overview'],
          ['/desk/account', 'account'],
          ['/desk/audit', 'audit'],
        ] as const)
          await checkPage(path, file);
        expectNoErrorsOrExternalRequests();
      },
    );
  },
);
