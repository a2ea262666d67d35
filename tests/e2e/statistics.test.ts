import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_CSV_BYTES } from '../../src/server/core/text/csv-limit';
import { findAccessibilityViolations } from '../support/browser/accessibility';
import { type BackOffice, OWNER_EMAIL, openBackOffice } from '../support/browser/back-office';
import {
  DAY_COUNT,
  dateDaysAgo,
  GAP_DAYS_AGO,
  LISTING_ID,
  makeDailyData,
} from '../support/browser/back-office-days';
import { screenshot } from '../support/browser/screenshot';
import { itRendersInEveryView } from '../support/browser/views';

const VIEWER_EMAIL = 'vic@example.com';

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-statistics');
  await backOffice.addUser(VIEWER_EMAIL, 'viewer');
  await makeDailyData(backOffice);
});
afterAll(() => backOffice?.close());

const link = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('link', { name });

describe('the statistics', () => {
  it('list the days of a shop, keep the chosen chart and order in the URL, and offer the rows as CSV and as an API call', async () => {
    await backOffice.withPage(
      `/statistics?from=${dateDaysAgo(3)}&to=${dateDaysAgo(1)}&shop=fox`,
      async (page) => {
        await expect.poll(() => page.locator('tbody tr').count()).toBe(3);
        const comparedDays =
          'Only days that are over, and whose report has the figure in both periods, are compared.';
        await page
          .getByText(`From the marketplace’s report, compared with the previous 3 days. ${comparedDays}`)
          .waitFor();
        // Two of the three days have a row three days earlier.
        const sums = page.getByLabel('Totals for these days').locator('dl > div, div:has(> dt)');
        await expect
          .poll(() => sums.nth(0).locator('dt, dd').allTextContents())
          .toEqual(['Orders', '6', '▼ down 60%']);
        await expect.poll(() => sums.nth(1).locator('dt').innerText()).toBe('Revenue, USD');
        await page.getByLabel('What the chart shows').selectOption('total_visits');
        await page.waitForURL(/chart=total_visits/);
        await page.getByRole('button', { name: 'Revenue', exact: true }).click();
        await page.waitForURL(/sort=total_revenue/);
        await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('20.50');
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          (async () => {
            await page.getByRole('button', { name: 'Download' }).click();
            await page.getByRole('menuitem', { name: 'CSV, to import again' }).click();
          })(),
        ]);
        const csv = await readFile(await download.path(), 'utf8');
        expect(csv.trim().split(/\r?\n/)).toHaveLength(4);
        expect(csv).toContain(`"fox","${dateDaysAgo(3)}"`);
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: 'View API call' }).click();
        await page.getByText('/api/shop-statistics').first().waitFor();
        expect(await page.locator('code').first().innerText()).not.toContain(backOffice.service.key!);
      },
    );
  });

  it('have headings of which none skips a level', async () => {
    await backOffice.withPage('/statistics', async (page) => {
      await page.getByLabel('What the chart shows').waitFor();
      const levels = await page
        .getByRole('main')
        .getByRole('heading')
        .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
      expect(levels[0]).toBe(1);
      const steps = levels.slice(1).map((level, index) => level - levels[index]!);
      expect(Math.max(...steps)).toBe(1);
    });
  });

  it('are downloaded as a table with the columns, rows, order and figures on the screen', async () => {
    const path = `/statistics?from=${dateDaysAgo(DAY_COUNT)}&to=${dateDaysAgo(1)}&sort=-total_revenue`;
    await backOffice.withPage(path, async (page) => {
      await page.getByRole('button', { name: 'Choose columns' }).click();
      await page.getByRole('checkbox', { name: 'Ad spend' }).uncheck();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2 * DAY_COUNT - 1);
      const readTexts = async (selector: string) =>
        (await page.locator(selector).allInnerTexts()).map((text) => text.trim());
      const header = await readTexts('thead th');
      const shownRows = await Promise.all(
        (await page.locator('tbody tr').all()).map(async (row) => row.locator('th, td').allInnerTexts()),
      );
      const downloadAs = async (name: string) => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          (async () => {
            await page.getByRole('button', { name: 'Download' }).click();
            await page.getByRole('menuitem', { name, exact: true }).click();
          })(),
        ]);
        return readFile(await download.path());
      };
      const [columnNames, ...rows] = parse(await downloadAs('CSV'), { bom: true }) as string[][];
      expect(columnNames).toEqual([...header, 'Currency']);
      expect(columnNames).not.toContain('Ad spend');
      expect(rows).toHaveLength(2 * DAY_COUNT - 1);
      const toNumber = (text: string) => Number(text.replace(/[^\d.-]/g, ''));
      shownRows.forEach((cells, index) => {
        const [day, shop, ...figures] = rows[index]!;
        expect(new Date(cells[0]!).toDateString()).toBe(new Date(`${day}T00:00:00`).toDateString());
        expect(cells[1]).toBe(shop);
        cells.slice(2).forEach((cell, column) => {
          expect(toNumber(figures[column]!), columnNames![column + 2]).toBe(
            cell === '–' ? 0 : toNumber(cell),
          );
        });
      });
      const [, firstRow] = await readSheet(await downloadAs('Excel (.xlsx)'));
      expect(firstRow!.slice(1, 4)).toEqual([
        shownRows[0]![1],
        Number(rows[0]![2]),
        toNumber(shownRows[0]![3]!),
      ]);
    });
  });

  it('show listings with their profit or loss, and link from a listing to its days', async () => {
    const losingDay = {
      listing_id: LISTING_ID + 1,
      shop_id: 'fox',
      date: dateDaysAgo(2),
      revenue: 5,
      spent_total: 46.25,
    };
    await backOffice.send('/api/product-statistics', losingDay);
    await backOffice.withPage('/statistics/listings', async (page) => {
      const losingRow = page.getByRole('row').filter({ hasText: 'Loses money' });
      expect(await losingRow.innerText()).toMatch(/Listing 1089350186[\s\S]+-\$41\.25\s*Loses money/);
      await page.getByText('profit is revenue minus ad spend').waitFor();
      await link(page, 'Owl Magnet').click();
      await page.getByRole('heading', { level: 1, name: 'Owl Magnet' }).waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(DAY_COUNT);
      await link(page, 'Listings').last().click();
      await page.waitForURL(`${backOffice.service.url}/admin/statistics/listings`);
    });
  });

  it('keep both days of a range, no matter how quickly they are entered', async () => {
    const [firstDay, lastDay] = [dateDaysAgo(5), dateDaysAgo(2)];
    await backOffice.withPage('/statistics', async (page) => {
      const inputs = [page.getByLabel('First day'), page.getByLabel('Last day')] as const;
      const [fromField, toField] = await Promise.all(inputs.map((input) => input.elementHandle()));
      await page.evaluate(
        async ({ fields, days }) => {
          const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
          for (const [index, field] of fields.entries()) {
            setValue.call(field, days[index]);
            field!.dispatchEvent(new Event('input', { bubbles: true }));
            // Long enough for the page to show the new day, but not for the URL to change.
            for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          }
        },
        { fields: [fromField, toField], days: [firstDay, lastDay] },
      );
      await page.waitForURL(new RegExp(`from=${firstDay}&to=${lastDay}`));
      await expect
        .poll(() => Promise.all(inputs.map((input) => input.inputValue())))
        .toEqual([firstDay, lastDay]);
      await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(0);
    });
  });

  it('show a listing’s profit or loss in full on a phone, no matter how long its shop’s name is', async () => {
    const phoneOptions = { viewport: { width: 360, height: 800 }, hasTouch: true };
    await backOffice.withPage(
      '/statistics/listings',
      async (page) => {
        const row = page.locator('tbody tr', { hasText: 'loses money' });
        const profitCell = row.locator('td', { hasText: 'loses money' });
        await profitCell.waitFor();
        // As if the shop had a name that fills the card.
        await row.getByText('Fox and Bricks').evaluate((cell) => {
          cell.textContent = 'Fox and Bricks of the Old Town '.repeat(3);
        });
        const box = (await profitCell.boundingBox())!;
        expect(box.x + box.width).toBeLessThanOrEqual(360 - 16);
        expect(await profitCell.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
        await screenshot(page, 'admin-statistics-listings-card');
      },
      phoneOptions,
    );
  });

  it('mark missing days with a word and a strikethrough, not only with colour', async () => {
    await backOffice.withPage('/statistics/missing', async (page) => {
      await page.getByText('1 day is missing').waitFor();
      const missingCells = page.locator('td[data-state=missing]');
      expect(await missingCells.count()).toBe(1);
      expect(await missingCells.innerText()).toMatch(
        new RegExp(`^${Number(dateDaysAgo(GAP_DAYS_AGO).slice(8))}\\s+missing$`),
      );
      expect(await missingCells.evaluate((cell) => getComputedStyle(cell).textDecorationLine)).toBe(
        'line-through',
      );
    });
  });

  it('import CSV completely or not at all, and say what is wrong by line and column', async () => {
    const validCsv = `shop_id,date,total_orders\nfox,${dateDaysAgo(GAP_DAYS_AGO)},7\nowl,${dateDaysAgo(3)},99\n`;
    await backOffice.withPage(
      '/statistics/import',
      async (page) => {
        const csvField = page.getByRole('textbox', { name: 'CSV text' });
        await csvField.fill(validCsv.replace(',99', ',many'));
        const checkButton = page.getByRole('button', { name: 'Check', exact: true });
        await checkButton.click();
        await page.getByRole('alert').getByText('Nothing was saved').waitFor();
        const row = page.getByRole('row').filter({ hasText: 'total_orders' });
        expect(await row.innerText()).toContain('must be a number');
        await row.getByRole('button', { name: 'Line 3' }).click();
        await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain('many');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        await screenshot(page, 'admin-statistics-import-refused', { fullPage: true });
        const chooseFile = (content: Buffer) =>
          page
            .locator('input[type=file]')
            .setInputFiles({ name: 'days.csv', mimeType: 'text/csv', buffer: content });
        await chooseFile(Buffer.alloc(MAX_CSV_BYTES + 1, 'x'));
        await page.getByText('The file is larger than 1 MiB.', { exact: false }).waitFor();
        // The text and the failure that were there before are gone, because the error is not about them.
        expect(await csvField.inputValue()).toBe('');
        expect(await page.getByText('Nothing was saved').count()).toBe(0);
        await chooseFile(Buffer.from(validCsv));
        await page.getByText('3 lines').waitFor();
        await csvField.fill(`${validCsv}no-such-shop,${dateDaysAgo(3)},5\n`);
        await checkButton.click();
        await page
          .getByText(
            '2 new days; 1 day is already stored: the file’s figures overwrite it, and blank cells change nothing.',
          )
          .waitFor();
        await page.getByText('No shop has the marketplace shop ID no-such-shop').waitFor();
        await chooseFile(Buffer.from(validCsv));
        await checkButton.click();
        await page
          .getByText(
            '1 new day; 1 day is already stored: the file’s figures overwrite it, and blank cells change nothing.',
          )
          .waitFor();
        expect(await page.getByText('No shop has').count()).toBe(0);
        await page.getByRole('button', { name: 'Import', exact: true }).click();
        await page.getByText('1 new day, 1 updated, 0 unchanged.').waitFor();
      },
      { allowedErrors: /status of 422/ },
    );
    await backOffice.withPage('/statistics/missing', async (page) => {
      await page.getByText('No day is missing').nth(1).waitFor();
    });
  });

  it('show who changed a past day, with its values before and after', async () => {
    await backOffice.send('/api/shop-statistics', {
      shop_id: 'owl',
      date: dateDaysAgo(4),
      total_revenue: 1_000,
    });
    await backOffice.withPage('/statistics/rewrites', async (page) => {
      const [rowByKey, rowByUser] = [page.locator('tbody tr').nth(0), page.locator('tbody tr').nth(1)];
      await expect.poll(() => rowByKey.innerText()).toMatch(/Revenue\s+82\.00\s+1,000\.00/);
      expect(await rowByKey.innerText()).toContain('4 days');
      expect(await rowByUser.innerText()).toMatch(/Orders\s+3\s+99/);
      expect(await rowByUser.innerText()).toContain(OWNER_EMAIL);
    });
  });

  it('can be read but not imported by viewers', async () => {
    await backOffice.withPage(
      '/statistics',
      async (page) => {
        await page.getByRole('link', { name: 'Changed days' }).waitFor();
        expect(await page.getByRole('link', { name: 'CSV import' }).count()).toBe(0);
        const response = await page.goto(`${backOffice.service.url}/admin/statistics/import`);
        expect(response?.status()).toBe(403);
      },
      { userEmail: VIEWER_EMAIL, allowedErrors: /status of 403/ },
    );
  });
});

itRendersInEveryView(
  () => backOffice,
  () => [
    ['/statistics', 'statistics'],
    ['/statistics/listings', 'statistics-listings'],
    [`/statistics/listings/${LISTING_ID}`, 'statistics-listing'],
    ['/statistics/missing?kind=listing', 'statistics-missing'],
    ['/statistics/rewrites', 'statistics-rewrites'],
    ['/statistics/import', 'statistics-import'],
  ],
);
