import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import { waitForAnimations, waitUntilSettled } from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';
import { itRendersInEveryView } from '../../support/browser/views';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('shell', { ADMIN_PREFIX: '/desk' });
});
afterAll(() => backOffice?.close());

describe('the shell', () => {
  it('is in Chinese if the browser asks for it, and stays in the language that the user then chooses', async () => {
    await backOffice.withPage(
      '',
      async (page) => {
        expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN');
        expect(await page.locator('h1').innerText()).toBe('概览');
        await page.getByRole('button', { name: '语言' }).click();
        await page.getByRole('menuitem', { name: 'English' }).click();
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en-US');
        await page.reload();
        await waitUntilSettled(page);
        expect(await page.locator('h1').innerText()).toBe('Overview');
      },
      { locale: 'zh-CN' },
    );
  });

  it('is dark if the system is, and light from the first paint once the user chooses light', async () => {
    await backOffice.withPage(
      '',
      async (page) => {
        const readScheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
        expect(await readScheme()).toBe('dark');
        await page.getByRole('button', { name: 'Theme' }).click();
        await page.getByRole('menuitem', { name: 'Light' }).click();
        await expect.poll(readScheme).toBe('light');
        // Tests the first paint: the scheme is set before any script file has loaded.
        await page.route('**/_next/static/chunks/**', (route) => route.abort());
        await page.reload({ waitUntil: 'domcontentloaded' });
        expect(await readScheme()).toBe('light');
      },
      { colorScheme: 'dark', allowedErrors: /net::ERR_FAILED/ },
    );
  });

  it('finds pages by their name with Ctrl-K', async () => {
    await backOffice.withPage('', async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a page').fill('audit');
      await page.getByRole('button', { name: 'Audit log' }).waitFor();
      await screenshot(page, 'admin-palette');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${backOffice.service.url}/desk/audit`);
      await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    });
  });

  it('has nine entries in its navigation, further pages under Settings, and marks the current page', async () => {
    await backOffice.withPage('', async (page) => {
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
    });
  });

  it('opens its search from the header', async () => {
    await backOffice.withPage('/audit', async (page) => {
      await page.getByRole('button', { name: /^Search orders, buyers, tracking numbers/ }).click();
      await page.getByPlaceholder('Find a page').waitFor();
    });
  });

  it('uses Inter, small badges and tabular figures', async () => {
    await backOffice.withPage('/keys', async (page) => {
      const readInterStatus = () =>
        page.evaluate(() => [...document.fonts].find(({ family }) => family === 'inter')?.status);
      await expect.poll(readInterStatus).toBe('loaded');
      const badge = page.locator('[data-tone]').first();
      expect(await badge.evaluate((element) => getComputedStyle(element).fontSize)).toBe('12px');
      const figureStyle = await page
        .locator('table')
        .evaluate((table) => getComputedStyle(table).fontVariantNumeric);
      expect(figureStyle).toBe('tabular-nums');
    });
  });

  it('has its pages only under the configured prefix', async () => {
    await backOffice.withPage(
      null,
      async (page) => {
        for (const path of ['/admin', '/admin/sign-in', '/admin/account', '/desk/no-such-page']) {
          expect((await page.goto(backOffice.service.url + path))?.status(), path).toBe(404);
          expect(await page.locator('h1').innerText(), path).toBe('This page does not exist');
          expect(await page.locator('html').getAttribute('lang'), path).toBe('en-US');
        }
      },
      {
        userEmail: null,
        allowedErrors: /status of 404 .*\/(admin(\/sign-in|\/account)?|desk\/no-such-page)$/,
      },
    );
  });

  it('has no page for an id that no record can have', async () => {
    await backOffice.withPage(
      '',
      async (page) => {
        for (const path of [
          'orders',
          'imports',
          'keys',
          'records',
          'messages/replies',
          'tracking/callbacks',
        ]) {
          await page.goto(`${backOffice.service.url}/desk/${path}/abc`);
          expect(await page.locator('h1').innerText(), path).toBe('This page does not exist');
        }
      },
      { allowedErrors: /status of 404 .*\/abc$/ },
    );
  });

  it('shows that a page is being opened for as long as the server prepares it', async () => {
    await backOffice.withPage('', async (page) => {
      let sendPage = () => {};
      const heldBackPromise = new Promise<void>((resolve) => {
        sendPage = resolve;
      });
      await page.route(
        (url) => url.pathname === '/desk/orders' && url.searchParams.has('_rsc'),
        async (route) => {
          await heldBackPromise;
          await route.continue();
        },
      );
      const progress = page.getByRole('progressbar', { name: 'Opening the page' });
      expect(await progress.count()).toBe(0);
      await page.getByRole('link', { name: 'Orders' }).click();
      await progress.waitFor();
      await screenshot(page, 'admin-opening-page');
      sendPage();
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await progress.waitFor({ state: 'detached' });
      // A link to the page that is shown leaves no line behind.
      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await progress.waitFor({ state: 'detached' });
    });
  });

  it('hides its navigation behind a button on phones', async () => {
    await backOffice.withPage(
      '',
      async (page) => {
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
      },
      { viewport: { width: 360, height: 740 } },
    );
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [['', 'overview']],
);
