import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../support/browser/back-office';
import { dateDaysAgo, LISTING_ID, makeDailyData } from '../support/browser/back-office-days';
import { screenshot } from '../support/browser/screenshot';
import { itRendersInEveryView } from '../support/browser/views';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-overview');
});
afterAll(() => backOffice?.close());

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });

/** Returns the lines of a figure as a screen reader reads them, without its name. */
const readFigure = async (page: Page, name: string) => {
  const card = page.locator('dl > div').filter({ has: page.locator('dt').getByText(name, { exact: true }) });
  const lines = await card.locator('dd').allTextContents();
  return lines
    .map((line) =>
      line
        .replace(/[▲▼–](?=.)/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean);
};

const chartChoice = (page: Page) => page.getByRole('radiogroup', { name: 'What the chart shows' });

describe('the overview', () => {
  it('shows a new owner the first steps and how many are done, until they are hidden', async () => {
    await backOffice.withPage('', async (page) => {
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      await page.getByText('0 of 6 done').waitFor();
      expect(await link(page, 'Download a sample file').getAttribute('download')).toBe(
        'brickdesk-sample-orders.csv',
      );
      expect(await page.getByText('by day').count()).toBe(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
      await screenshot(page, 'admin-first-steps');
      await makeDailyData(backOffice);
      await link(page, 'Add a shop').click();
      const form = page.getByRole('dialog', { name: 'Add a shop' });
      await form.getByLabel('Currency').waitFor();
      await page.waitForURL(`${backOffice.service.url}/admin/shops`);
      await page.keyboard.press('Escape');
      await page.goto(`${backOffice.service.url}/admin`);
      await page.getByText('2 of 6 done').waitFor();
      // What is done needs no explanation.
      expect(await page.getByText('Everybody gets their own account and role.').count()).toBe(1);
      expect(await page.getByText('Orders, statistics and prompts belong to a shop.').count()).toBe(0);
      await link(page, 'Add your colleagues').click();
      await page.getByRole('dialog').getByLabel('E-mail').waitFor();
      await backOffice.visit(page, '');
      await page.getByRole('button', { name: 'Hide these steps' }).click();
      await page.getByText('2 of 6 done').waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      expect(await page.getByText('2 of 6 done').count()).toBe(0);
    });
  });

  it('shows and counts only the first steps that the user may take', async () => {
    await backOffice.addUser('first-steps@example.com', 'operator');
    await backOffice.withPage(
      '',
      async (page) => {
        await page.getByText('1 of 2 done').waitFor();
        const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
        expect(await steps.count()).toBe(2);
        expect(await page.getByText('Add your colleagues').count()).toBe(0);
        expect(await page.getByText('CARRIER').count()).toBe(0);
      },
      { userEmail: 'first-steps@example.com' },
    );
  });

  it('shows figures with their changes, their sources and the number of missing days', async () => {
    const sharedFields = { shop_id: 'fox', date: dateDaysAgo(2), visits: 1 };
    const [profitableListingId, losingListingId] = [LISTING_ID, LISTING_ID + 1];
    await backOffice.send('/api/product-statistics', {
      ...sharedFields,
      listing_id: profitableListingId,
      revenue: 90,
      spent_total: 8,
    });
    await backOffice.send('/api/product-statistics', {
      ...sharedFields,
      listing_id: losingListingId,
      revenue: 5,
      spent_total: 46.25,
      ad_revenue: 37,
    });
    await backOffice.withPage('?range=7d', async (page) => {
      await page
        .getByText(
          'Compared with the previous 7 days. Sales days are in New York time. Today is not over yet: it counts in the totals',
        )
        .waitFor();
      // Today is not compared: each shop's six orders on the other six days are compared with its four a week earlier.
      expect(await readFigure(page, 'Revenue, GBP')).toEqual([
        '£140.00',
        'up 50%',
        '$140.00 up 50%',
        'From orders',
      ]);
      expect(await readFigure(page, 'Orders')).toEqual(['14', 'up 50%', 'From orders · 28 units']);
      const reportSource = 'From the marketplace’s report · 1 day missing';
      expect(await readFigure(page, 'Ad spend, GBP')).toEqual([
        '£12.00',
        'no change: 0%',
        '$10.00 no change: 0%',
        reportSource,
      ]);
      expect(await readFigure(page, 'ROAS')).toEqual([
        '4.50×',
        'no change: 0%',
        'USD 4.50× no change: 0%',
        reportSource,
      ]);
      expect(await readFigure(page, 'Profit after ads, GBP')).toEqual([
        '£108.00',
        'up 28.6%',
        '$90.00 no change: 0%',
        'Before cost of goods and fees',
      ]);
      expect(await readFigure(page, 'Delivery time')).toEqual(['–', 'No deliveries']);
      const row = page.getByRole('table', { name: 'Shops' }).getByRole('row', { name: /Fox and Bricks/ });
      expect(await row.locator('td > span:last-of-type').allTextContents()).toEqual([
        '7',
        '$140.00',
        '▲ up 50%',
        '$10.00',
        '4.50×',
        '$90.00',
        '11',
        '1 day missing',
      ]);
      await page.getByLabel('Currency', { exact: true }).selectOption('USD');
      const listingsRegion = page.getByRole('region', { name: 'Listings by profit, USD' });
      await listingsRegion.getByText('From the marketplace’s report · 1 loses money').waitFor();
      const rows = listingsRegion.getByRole('listitem');
      expect(await rows.nth(0).innerText()).toMatch(/^Owl Magnet\s+ROAS –\s+\$82\.00$/);
      expect(await rows.nth(1).innerText()).toMatch(
        /^Listing 1089350186\s+ROAS 0\.80×\s+-\$41\.25\s+Loses money$/,
      );
      await listingsRegion.getByRole('link', { name: 'All 2' }).click();
      await page.waitForURL(/\/admin\/statistics\/listings\?from=.*sort=-profit/);
    });
  });

  it('links counts of orders, queue entries and missing days to lists with as many entries', async () => {
    await backOffice.withPage('?range=7d', async (page) => {
      await chartChoice(page).getByText('Shipments').click();
      await page
        .getByRole('link', { name: /show them$/ })
        .first()
        .waitFor();
      const figures = await page
        .getByRole('main')
        .locator('a[href*="/queues/"], a[href*="/orders?"], a[href*="/missing?"]')
        .evaluateAll((links) =>
          (links as HTMLAnchorElement[]).flatMap((link) => {
            const container = link.closest<HTMLElement>('td, dl > div, li')!;
            // The count is the link's text in a table cell, the whole <dd> of a description list, or the end of a list item.
            const text = container.matches('dl > div')
              ? container.querySelector('dd')!.innerText
              : container.innerText;
            const numberMatch =
              /^(\d+)\b/.exec(link.innerText) ?? (container.matches('li') ? /(\d+)$/ : /^(\d+)$/).exec(text);
            return numberMatch ? [{ href: link.href, count: Number(numberMatch[1]) }] : [];
          }),
        );
      const nonzeroFigures = figures.filter(({ count }) => count > 0);
      expect(nonzeroFigures).toHaveLength(11);
      for (const { href, count } of nonzeroFigures) {
        await page.goto(href);
        const main = page.getByRole('main');
        const queueEntries = main.getByRole('list', { name: 'Work' }).getByRole('listitem');
        if (href.includes('/queues/'))
          await expect.poll(() => queueEntries.count(), { message: href }).toBe(count);
        else
          await main
            .getByText(new RegExp(`^${count} (orders?|days? (is|are) missing)`))
            .first()
            .waitFor();
      }
    });
  });

  it('counts all shops without statistics, and links to all of them if there are too many to name', async () => {
    await backOffice.queryDatabase(
      `INSERT INTO shop_daily_statistics (shop_id, date)
       SELECT 'silent-' || n, '${dateDaysAgo(4)}' FROM generate_series(101, 160) n`,
    );
    await backOffice.withPage('', async (page) => {
      const tile = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: 'No statistics for yesterday' }) });
      expect(await tile.innerText()).toMatch(/silent-101, .*, silent-150, 10 more\s+60$/);
      await link(page, 'No statistics for yesterday').click();
      await page.waitForURL(`${backOffice.service.url}/admin/statistics/missing`);
    });
    await backOffice.queryDatabase(`DELETE FROM shop_daily_statistics WHERE shop_id LIKE 'silent-%'`);
  });

  it('keeps the chosen days and shops in its URL, and passes them on to the statistics', async () => {
    await backOffice.withPage('', async (page) => {
      await page.getByLabel('Days', { exact: true }).selectOption('7d');
      await page.getByRole('button', { name: 'Shops' }).click();
      await page.getByRole('checkbox', { name: 'Fox and Bricks' }).check();
      await page.keyboard.press('Escape');
      await expect.poll(() => readFigure(page, 'Orders').then(([value]) => value)).toBe('7');
      await page.reload();
      await expect.poll(() => readFigure(page, 'Orders').then(([value]) => value)).toBe('7');
      await link(page, 'Ad spend, USD').click();
      await page.waitForURL(
        `${backOffice.service.url}/admin/statistics?from=${dateDaysAgo(6)}&to=${dateDaysAgo(0)}&shop=fox`,
      );
    });
    await backOffice.withPage('', async (page) => {
      await page.getByLabel('First day').fill(dateDaysAgo(2));
      await page.waitForURL(new RegExp(`from=${dateDaysAgo(2)}&to=${dateDaysAgo(0)}`));
      await expect.poll(() => readFigure(page, 'Orders').then(([value]) => value)).toBe('6');
    });
  });

  it('counts as many late orders in the chosen shop as the queue shows', async () => {
    const [shop] = await backOffice.query('shops.list', null);
    await backOffice.withPage(`?shop=${shop.id}`, async (page) => {
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: /^Late/ });
      await expect.poll(() => row.innerText()).toMatch(/\d+$/);
      const count = (await row.innerText()).match(/\d+$/)![0];
      await row.getByRole('link').click();
      await page.waitForURL(`${backOffice.service.url}/admin/queues/late?shop=${shop.id}`);
      const entries = page.getByRole('list', { name: 'Work' }).getByRole('listitem');
      await expect.poll(() => entries.count()).toBe(Number.parseInt(count, 10));
    });
  });

  it('draws its chart with hardly any layout shift, and offers it as a table', async () => {
    await backOffice.withPage('', async (page) => {
      await page
        .getByRole('region', { name: 'Revenue by day' })
        .locator('path[data-before]')
        .waitFor({ state: 'attached' });
      const layoutShift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              const shifts = list.getEntries() as unknown as { value: number }[];
              resolve(shifts.reduce((sum, { value }) => sum + value, 0));
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(0), 500);
          }),
      );
      expect(layoutShift).toBeLessThan(0.02);
      await chartChoice(page).getByText('Orders').click();
      const region = page.getByRole('region', { name: 'Orders by day' });
      // Hovering over a day shows its figures; today is the hatched one.
      await region.locator('[data-today]').last().hover();
      await region.getByText('The previous 30 days 0').waitFor();
      await region.getByText('Orders 2').waitFor();
      await page.getByRole('button', { name: 'Table Orders by day' }).focus();
      await page.keyboard.press('Enter');
      const table = region.getByRole('table');
      await expect
        .poll(() => table.getByRole('columnheader').allInnerTexts())
        .toEqual(['Day', 'The previous 30 days', 'Orders']);
      expect(await table.getByRole('row').count()).toBe(31);
      expect(await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual(['0', '2']);
    });
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [['', 'overview-days']],
);
