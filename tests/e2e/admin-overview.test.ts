import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/accessibility';
import { itShowsInEveryView, type Office, openOffice, SCREENSHOTS } from '../support/office';
import { daysAgo, makeDays } from '../support/office-days';
import { transferredScript } from '../support/transferred';

const MAX_OVERVIEW_BYTES = 380_000;
const MAX_ORDERS_BYTES = 300_000;

let office: Office;

beforeAll(async () => {
  office = await openOffice('admin-overview');
});
afterAll(() => office?.close());

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });

describe('the overview', () => {
  it('shows a new owner what to do first, and what is done', async () => {
    await office.onPage('', async (page) => {
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
      // The first start has created a key.
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
      await makeDays(office);
      await link(page, 'Add a shop').click();
      await page.waitForURL(`${office.service.url}/admin/shops`);
    });
  });

  it('leads from each figure to the list behind it', async () => {
    await office.onPage('?range=7d', async (page) => {
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('14');
      await page.getByText('$140.00').waitFor();
      await page.getByText('£140.00').waitFor();
      // Advertising has the currencies that the shops took from their orders; ROAS has a single denominator.
      const ads = page.getByLabel('Advertising', { exact: true }).locator('dd');
      await expect
        .poll(() => ads.allInnerTexts())
        .toEqual(expect.arrayContaining(['$10.00', '£12.00', '$45.00', '£54.00', '4.50×', 'USD 4.50×']));
      await link(page, 'Orders').click();
      await page.waitForURL(
        `${office.service.url}/admin/orders?status=pending,paid,shipped,delivered&from=${daysAgo(6)}&to=${daysAgo(0)}`,
      );
      await expect.poll(() => page.locator('tbody td[data-heading]').count()).toBe(14);
    });
    await office.onPage('', async (page) => {
      await link(page, /^1 show them$/)
        .first()
        .click();
      await page.waitForURL(/\/admin\/queues\/exception$/);
      await expect.poll(() => page.getByRole('list', { name: 'Work' }).getByRole('listitem').count()).toBe(1);
    });
  });

  it('keeps the days and the shops in its address, and hands them on', async () => {
    await office.onPage('', async (page) => {
      await page.getByLabel('Days', { exact: true }).selectOption('7d');
      await page.getByRole('button', { name: 'Shops' }).click();
      await page.getByRole('checkbox', { name: 'Fox and Bricks' }).check();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('7');
      await page.reload();
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('7');
      await link(page, 'Ad spend').click();
      await page.waitForURL(
        `${office.service.url}/admin/statistics?from=${daysAgo(6)}&to=${daysAgo(0)}&shop=fox`,
      );
    });
    await office.onPage('', async (page) => {
      await page.getByLabel('First day').fill(daysAgo(2));
      await page.waitForURL(new RegExp(`from=${daysAgo(2)}&to=${daysAgo(0)}`));
      await expect.poll(() => page.locator('dd').first().innerText()).toBe('6');
    });
  });

  it('counts what is to do as the queues do, in the chosen shops', async () => {
    const [shop] = await office.ask('shops.list', null);
    await office.onPage(`?shop=${shop.id}`, async (page) => {
      const row = page
        .getByRole('listitem')
        .filter({ hasText: 'Late: paid 3 days ago or earlier, not shipped' });
      const count = await row.getByRole('link').innerText();
      await row.getByRole('link').click();
      await page.waitForURL(`${office.service.url}/admin/queues/late?shop=${shop.id}`);
      const entries = page.getByRole('list', { name: 'Work' }).getByRole('listitem');
      await expect.poll(() => entries.count()).toBe(Number.parseInt(count, 10));
    });
  });

  it('draws its days without moving the page, and tells them as a table', async () => {
    await office.onPage('', async (page) => {
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
    await office.onPage('/account', async (page) => {
      const measured = [
        ['', MAX_OVERVIEW_BYTES],
        ['/orders', MAX_ORDERS_BYTES],
        ['/statistics', MAX_OVERVIEW_BYTES],
      ] as const;
      for (const [at, most] of measured) {
        const bytes = await transferredScript(page, `${office.service.url}/admin${at}`);
        console.log(`/admin${at}: ${bytes} bytes of script`);
        expect(bytes, at).toBeLessThan(most);
      }
    });
  });
});

itShowsInEveryView(
  () => office,
  () => [['', 'overview-days']],
);
