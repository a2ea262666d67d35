import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility';
import { launchBrowser, sidewaysScroll, watch } from '../support/browser';
import { killServices, type ReadyService, startService } from '../support/service-process';
import { makeTemporaryFolder, removeTemporaryFolder } from '../support/temporary-folder';
import { transferredScript } from '../support/transferred';

const SCREENSHOTS = 'screenshots';
const OWNER = 'ann@example.com';
const VIEWER = 'vic@example.com';
const PASSWORD = 'correct horse battery staple';
const MAX_OVERVIEW_BYTES = 380_000;
const MAX_ORDERS_BYTES = 300_000;
const DAYS = 12;
/** How many days ago nothing was stored. */
const GAP = 5;
const LISTING = 1_089_350_185;

let folder: string;
let service: ReadyService;
let browser: Browser;
const sessions = new Map<
  string,
  Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>
>();

async function send(place: string, body: unknown): Promise<void> {
  const response = await fetch(service.url + place, {
    method: 'POST',
    headers: { 'X-Api-Key': service.key!, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** Calls a procedure as the page's own script would. */
async function call(page: Page, procedure: string, input: unknown) {
  const response = await page.request.post(`${service.url}/api/trpc/${procedure}`, {
    data: input,
    headers: { Origin: service.url },
  });
  expect(response.status(), procedure).toBe(200);
  return (await response.json()).result.data;
}

/** So many days before the day that it is in New York. */
function daysAgo(days: number): string {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format();
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}

async function signIn(email: string): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(`${service.url}/admin/account`, { waitUntil: 'networkidle' });
  await page.locator('[name=email]').fill(email);
  await page.locator('[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${service.url}/admin/account`);
  sessions.set(email, await context.storageState());
  await context.close();
}

/** Opens a page of the back office; at the end it must have said no error but those expected, and asked no other host. */
async function onPage(
  place: string,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions & { as?: string; except?: RegExp } = {},
): Promise<void> {
  const { as = OWNER, except = /(?!)/, ...more } = options;
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    storageState: sessions.get(as)!,
    acceptDownloads: true,
    ...more,
  });
  try {
    const page = await context.newPage();
    const { errors, requests } = watch(page);
    await page.goto(`${service.url}/admin${place}`, { waitUntil: 'networkidle' });
    await work(page);
    expect(errors.filter((error) => !except.test(error))).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith(`${service.url}/`) && !/^(data|blob):/.test(url)),
    ).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Two shops; an order a day and shop, one of them waiting long, one whose parcel is held; statistics with a gap. */
async function makeDays(fox: number, owl: number): Promise<void> {
  const order = (shop: number, day: number) => ({
    receipt_id: String(4_165_000_000 + shop * 1_000 + day),
    listing_id: LISTING,
    title: 'Owl Magnet',
    quantity: 2,
    price: 10,
    item_total: 20,
    currency: shop === fox ? 'USD' : 'GBP',
    sale_date: daysAgo(day).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'),
    name: `Buyer ${day}`,
    country_name: 'United States',
  });
  for (const shop of [fox, owl]) {
    const rows = Array.from({ length: DAYS }, (_, day) => order(shop, day));
    await send('/api/orders/import', { account_id: shop, rows });
  }
  const held = { receipt_id: String(4_165_000_000 + fox * 1_000 + 9), tracking_number: 'LX000000060CN' };
  await send('/api/orders/import', { account_id: fox, rows: [{ ...held, carrier_code: 'yanwen' }] });
  await send('/api/v1/tracks', {
    event: 'tracking',
    data: { tracking_number: 'LX000000060CN', status: 'exception', description: 'Held by customs' },
  });
  for (let day = 1; day <= DAYS; day++) {
    const date = daysAgo(day);
    for (const shop_id of ['fox', 'owl']) {
      if (day === GAP && shop_id === 'fox') continue;
      const figures = { total_orders: day, total_revenue: 20.5 * day, total_visits: 100 };
      await send('/api/shop-statistics', { shop_id, date, ...figures, ad_spend: 2, ad_revenue: 9 });
    }
    const listing = { listing_id: LISTING, shop_id: 'fox', date, visits: 40, orders: 1, revenue: 20.5 };
    await send('/api/product-statistics', listing);
  }
}

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });

beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  folder = await makeTemporaryFolder('admin-overview');
  service = await startService(
    { DATA_DIR: path.join(folder, 'data'), ADMIN_EMAIL: OWNER, ADMIN_PASSWORD: PASSWORD },
    'build',
  );
  browser = await launchBrowser();
  await signIn(OWNER);
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await killServices();
  if (folder) await removeTemporaryFolder(folder);
});

describe('the overview', () => {
  it('shows a new owner what to do first, and what is done', async () => {
    await onPage('', async (page) => {
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      // The first start has made a key.
      await page.getByText('1 of 3 done').waitFor();
      expect(
        await page
          .getByRole('listitem')
          .filter({ hasText: 'Create an API key' })
          .getByRole('img')
          .getAttribute('aria-label'),
      ).toBe('Done');
      expect(await page.getByText('by day').count()).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await page.screenshot({ path: `${SCREENSHOTS}/admin-first-steps.png` });
      const ids = [];
      for (const name of ['Fox and Bricks', 'Owl Atelier'])
        ids.push((await call(page, 'shops.create', { name, shop_id: name.slice(0, 3).toLowerCase() })).id);
      await call(page, 'people.create', { email: VIEWER, role: 'viewer', password: PASSWORD });
      await makeDays(ids[0], ids[1]);
      await link(page, 'Add a shop').click();
      await page.waitForURL(`${service.url}/admin/shops`);
    });
    await signIn(VIEWER);
  });

  it('leads from each figure to the list behind it', async () => {
    await onPage('?range=7d', async (page) => {
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('14');
      await page.getByText('$140.00').waitFor();
      await page.getByText('£140.00').waitFor();
      await link(page, 'Orders').click();
      await page.waitForURL(`${service.url}/admin/orders?from=${daysAgo(6)}&to=${daysAgo(0)}`);
      await expect.poll(() => page.locator('tbody td[data-heading]').count()).toBe(14);
    });
    await onPage('', async (page) => {
      await link(page, /^1 show them$/)
        .first()
        .click();
      await page.waitForURL(`${service.url}/admin/orders?tracking=exception`);
      await expect.poll(() => page.locator('tbody td[data-heading]').count()).toBe(1);
    });
  });

  it('keeps the days and the shops in its address, and hands them on', async () => {
    await onPage('', async (page) => {
      await page.getByLabel('Days', { exact: true }).selectOption('7d');
      await page.getByRole('button', { name: 'Shops' }).click();
      await page.getByRole('checkbox', { name: 'Fox and Bricks' }).check();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('7');
      await page.reload({ waitUntil: 'networkidle' });
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('7');
      await link(page, 'Ad spend').click();
      await page.waitForURL(`${service.url}/admin/statistics?from=${daysAgo(6)}&to=${daysAgo(0)}&shop=fox`);
    });
    await onPage('', async (page) => {
      await page.getByLabel('First day').fill(daysAgo(2));
      await page.waitForURL(new RegExp(`from=${daysAgo(2)}&to=${daysAgo(0)}`));
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('6');
    });
  });

  it('counts what waits longer than one says', async () => {
    await onPage('', async (page) => {
      const row = page.getByRole('listitem').filter({ hasText: 'Paid, not shipped' });
      await page.getByLabel('Days after which').fill('10');
      await page.waitForURL(/unshipped=10/);
      await expect.poll(() => row.getByRole('link').innerText()).toMatch(/^[24]\b/);
      expect(await row.getByRole('link').getAttribute('href')).toBe('/admin/orders?unshipped=10');
    });
  });

  it('draws its days without moving the page, and tells them as a table', async () => {
    await onPage('', async (page) => {
      await page.locator('.recharts-surface').nth(2).waitFor();
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              const shifts = list.getEntries() as unknown as { value: number }[];
              resolve(shifts.reduce((sum, { value }) => sum + value, 0));
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(0), 500);
          }),
      );
      expect(moved).toBeLessThan(0.02);
      await page.getByRole('button', { name: 'Table Orders by day' }).focus();
      await page.keyboard.press('Enter');
      const table = page.getByRole('region', { name: 'Orders by day' }).getByRole('table');
      expect(await table.getByRole('row').count()).toBe(31);
      expect(await table.getByRole('row').nth(1).getByRole('cell').innerText()).toBe('2');
    });
  });

  it(`transfers at most ${MAX_OVERVIEW_BYTES} bytes of script, the orders list ${MAX_ORDERS_BYTES}`, async () => {
    await onPage('/account', async (page) => {
      const measured = [
        ['', MAX_OVERVIEW_BYTES],
        ['/orders', MAX_ORDERS_BYTES],
        ['/statistics', MAX_OVERVIEW_BYTES],
      ] as const;
      for (const [at, most] of measured) {
        const bytes = await transferredScript(page, `${service.url}/admin${at}`);
        console.log(`/admin${at}: ${bytes} bytes of script`);
        expect(bytes, at).toBeLessThan(most);
      }
    });
  });
});

describe('the statistics', () => {
  it('list the days of shops, draw any of their figures, and download what is shown', async () => {
    await onPage(`/statistics?from=${daysAgo(3)}&to=${daysAgo(1)}&shop=fox`, async (page) => {
      await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
      await page.getByLabel('What the chart shows').selectOption('total_visits');
      await page.waitForURL(/chart=total_visits/);
      await page.getByRole('button', { name: 'Revenue', exact: true }).click();
      await page.waitForURL(/sort=total_revenue/);
      await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('20.50');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download CSV' }).click(),
      ]);
      const csv = await readFile(await download.path(), 'utf8');
      expect(csv.trim().split(/\r?\n/)).toHaveLength(4);
      expect(csv).toContain(`fox,${daysAgo(3)}`);
      await page.getByRole('button', { name: 'As an API call' }).click();
      await page.getByText('/api/shop-statistics').first().waitFor();
      expect(await page.locator('code').first().innerText()).not.toContain(service.key!);
    });
  });

  it('rank the listings of a range, and lead to the days of one', async () => {
    await onPage('/statistics/listings', async (page) => {
      await link(page, 'Owl Magnet').click();
      await page.getByRole('heading', { level: 1, name: 'Owl Magnet' }).waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(DAYS);
      await link(page, 'Listings').click();
      await page.waitForURL(`${service.url}/admin/statistics/listings`);
    });
  });

  it('show which days are missing, in words and lines as well as colour', async () => {
    await onPage('/statistics/missing', async (page) => {
      await page.getByText('1 day is missing').waitFor();
      const missing = page.locator('td[data-state=missing]');
      expect(await missing.count()).toBe(1);
      expect(await missing.innerText()).toMatch(new RegExp(`^${Number(daysAgo(GAP).slice(8))}\\s+missing$`));
      expect(await missing.evaluate((cell) => getComputedStyle(cell).textDecorationLine)).toBe(
        'line-through',
      );
    });
  });

  it('take a CSV text all or nothing, saying what is wrong by line and column', async () => {
    const good = `shop_id,date,total_orders\nfox,${daysAgo(GAP)},7\nowl,${daysAgo(3)},99\n`;
    await onPage(
      '/statistics/import',
      async (page) => {
        const area = page.getByRole('textbox', { name: 'CSV text' });
        await area.fill(good.replace(',99', ',many'));
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByRole('alert').getByText('Nothing was stored').waitFor();
        const row = page.getByRole('row').filter({ hasText: 'total_orders' });
        expect(await row.innerText()).toContain('must be a number');
        await row.getByRole('button', { name: 'Line 3' }).click();
        expect(await page.evaluate(() => getSelection()?.toString())).toContain('many');
        expect(await accessibilityFindings(page)).toEqual([]);
        await page.screenshot({ path: `${SCREENSHOTS}/admin-statistics-import-refused.png`, fullPage: true });
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'days.csv', mimeType: 'text/csv', buffer: Buffer.from(good) });
        await page.getByText('3 lines').waitFor();
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByText('1 new day, 1 changed, 0 unchanged.').waitFor();
      },
      { except: /status of 422/ },
    );
    await onPage('/statistics/missing', async (page) => {
      await page.getByText('No day is missing').nth(1).waitFor();
    });
  });

  it('tell what rewrote a past day, before and after, and by whom', async () => {
    await send('/api/shop-statistics', { shop_id: 'owl', date: daysAgo(4), total_revenue: 1_000 });
    await onPage('/statistics/rewrites', async (page) => {
      const [byKey, byPerson] = [page.locator('tbody tr').nth(0), page.locator('tbody tr').nth(1)];
      await expect.poll(() => byKey.innerText()).toMatch(/Revenue\s+82\.00\s+1,000\.00/);
      expect(await byKey.innerText()).toContain('4 days');
      expect(await byPerson.innerText()).toMatch(/Orders\s+3\s+99/);
      expect(await byPerson.innerText()).toContain(OWNER);
    });
  });

  it('let a viewer read and not import', async () => {
    await onPage(
      '/statistics',
      async (page) => {
        await page.getByRole('link', { name: 'Rewritten days' }).waitFor();
        expect(await page.getByRole('link', { name: 'CSV import' }).count()).toBe(0);
        const answer = await page.goto(`${service.url}/admin/statistics/import`);
        expect(answer?.status()).toBe(403);
      },
      { as: VIEWER, except: /status of 403/ },
    );
  });
});

const VIEWS = [
  { name: 'light-en', colorScheme: 'light', locale: 'en-US', width: 1280 },
  { name: 'dark-zh', colorScheme: 'dark', locale: 'zh-CN', width: 1280 },
  { name: 'light-zh-phone', colorScheme: 'light', locale: 'zh-CN', width: 360 },
  { name: 'dark-en-phone', colorScheme: 'dark', locale: 'en-US', width: 360 },
] as const;

const PAGES = [
  ['', 'overview-days'],
  ['/statistics', 'statistics'],
  ['/statistics/listings', 'statistics-listings'],
  [`/statistics/listings/${LISTING}`, 'statistics-listing'],
  ['/statistics/missing?kind=listing', 'statistics-missing'],
  ['/statistics/rewrites', 'statistics-rewrites'],
  ['/statistics/import', 'statistics-import'],
] as const;

it.each(VIEWS)(
  'the overview and the statistics show in $name without sideways scroll or anything serious by axe',
  async ({ name, width, colorScheme, locale }) => {
    await onPage(
      '',
      async (page) => {
        for (const [at, file] of PAGES) {
          await page.goto(`${service.url}/admin${at}`, { waitUntil: 'networkidle' });
          await page.screenshot({ path: `${SCREENSHOTS}/admin-${file}-${name}.png`, fullPage: true });
          expect(await sidewaysScroll(page), at).toBe(0);
          expect(await accessibilityFindings(page), at).toEqual([]);
        }
      },
      { colorScheme, locale, viewport: { width, height: 800 } },
    );
  },
);
