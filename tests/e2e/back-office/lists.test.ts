import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessibilityViolations } from '../../support/browser/accessibility';
import { type BackOffice, openBackOffice } from '../../support/browser/back-office';
import {
  FIRST_DUE_DAY,
  makeOrders,
  ORDER_COUNT,
  readReceiptIds,
  receiptIdOf,
} from '../../support/browser/back-office-orders';
import {
  measureHorizontalOverflow,
  waitForAnimations,
  waitUntilSettled,
} from '../../support/browser/browser';
import { screenshot } from '../../support/browser/screenshot';

const PHONE = { viewport: { width: 360, height: 800 }, hasTouch: true };

/** The lists that declare the layout of their cards. */
const LISTS = [
  '/orders?tab=all',
  '/tracking',
  '/tracking/callbacks',
  '/imports',
  '/messages/replies',
  '/audit',
];

let backOffice: BackOffice;

beforeAll(async () => {
  backOffice = await openBackOffice('admin-lists');
  await makeOrders(backOffice);
});
afterAll(() => backOffice?.close());

const card = (page: Page, n: number) => page.locator('tbody tr').filter({ hasText: receiptIdOf(n) });

/** Returns the texts of a card, line by line. */
const readLines = (page: Page, n: number) =>
  card(page, n).evaluate((row) => {
    const lines = new Map<number, string[]>();
    const cells = [...row.querySelectorAll<HTMLElement>('td[data-card]')];
    const cellsFromLeft = cells.sort(
      (a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left,
    );
    for (const cell of cellsFromLeft) {
      const { top, height } = cell.getBoundingClientRect();
      const middle = Math.round((top + height / 2) / 8);
      lines.set(middle, [...(lines.get(middle) ?? []), cell.innerText.trim()]);
    }
    return [...lines].sort(([a], [b]) => a - b).map(([, texts]) => texts);
  });

describe('a list on a phone', () => {
  it('shows an order as a card of two lines: number, status and value; due day, buyer and item', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        expect(await readLines(page, 1)).toEqual([
          [receiptIdOf(1), 'Paid', '$4.50'],
          [FIRST_DUE_DAY, 'Buyer 1', 'Owl Magnet'],
        ]);
        const heights = await page
          .locator('tbody tr')
          .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
        expect(Math.max(...heights)).toBeLessThanOrEqual(76);
        expect(await measureHorizontalOverflow(page)).toBe(0);
        await screenshot(page, 'admin-lists-orders-phone');
      },
      PHONE,
    );
  });

  it.each(LISTS)('%s fits the screen as cards, even when zoomed to twice its size', async (path) => {
    await backOffice.withPage(
      path,
      async (page) => {
        expect(await measureHorizontalOverflow(page)).toBe(0);
        const heights = await page
          .locator('tbody tr')
          .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
        expect(Math.max(0, ...heights)).toBeLessThanOrEqual(76);
        expect(await findAccessibilityViolations(page)).toEqual([]);
        // The size of the page in a window of 640 × 800 pixels at a zoom of 200%.
        await page.setViewportSize({ width: 320, height: 400 });
        await expect.poll(() => measureHorizontalOverflow(page)).toBe(0);
      },
      PHONE,
    );
  });

  it('lets the user select a card by clicking beside its checkbox, or all cards of the page at once', async () => {
    await backOffice.withPage(
      '/orders',
      async (page) => {
        const selectionBar = page.getByRole('region', { name: 'Selection' });
        await card(page, 2)
          .locator('td[data-choose]')
          .click({ position: { x: 4, y: 60 } });
        await selectionBar.getByText('1 selected', { exact: true }).waitFor();
        await waitForAnimations(page);
        expect(await page.getByRole('complementary').count()).toBe(0);
        const cellBox = await card(page, 2).locator('td[data-choose]').boundingBox();
        expect(cellBox!.width).toBeGreaterThanOrEqual(44);
        expect(cellBox!.height).toBeGreaterThanOrEqual(44);
        const checkboxBox = await card(page, 2).getByRole('checkbox').boundingBox();
        expect(checkboxBox!.x).toBeGreaterThanOrEqual(cellBox!.x);
        await page.getByText('Select all on this page').click();
        await selectionBar.getByText('50 selected', { exact: true }).waitFor();
        expect(await measureHorizontalOverflow(page)).toBe(0);
      },
      PHONE,
    );
  });

  it('keeps its search on the page, and has its filters in a sheet whose button says how many are set', async () => {
    await backOffice.withPage(
      '/orders?tab=all',
      async (page) => {
        expect(await page.getByRole('button', { name: 'Country' }).count()).toBe(0);
        await page.getByRole('searchbox').fill('fox');
        await page.getByText(`${ORDER_COUNT - 1} orders`, { exact: true }).waitFor();
        await page.getByRole('button', { name: 'Filters', exact: true }).click();
        const sheet = page.getByRole('dialog', { name: 'Filters' });
        await sheet.getByRole('button', { name: 'Country' }).click();
        await page.getByRole('textbox', { name: 'Search Country' }).fill('germ');
        await page.getByRole('checkbox', { name: 'Germany' }).check();
        await page.keyboard.press('Escape');
        await sheet.getByLabel('Sort by').selectOption('sold');
        expect(await findAccessibilityViolations(page)).toEqual([]);
        // The sheet is no taller than its content, so the list stays visible above it while the filters change.
        const [sheetBox, buttonBox] = await Promise.all([
          sheet.boundingBox(),
          sheet.getByRole('button', { name: 'Show the list' }).boundingBox(),
        ]);
        const buttonBottom = buttonBox!.y + buttonBox!.height;
        expect(sheetBox!.y + sheetBox!.height - buttonBottom).toBeLessThanOrEqual(24);
        expect(sheetBox!.y).toBeGreaterThan(0);
        const heights = await sheet
          .locator('button:visible, select:visible')
          .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().height));
        expect(Math.min(...heights.slice(1))).toBeGreaterThanOrEqual(44);
        await sheet.getByRole('button', { name: 'Show the list' }).click();
        await sheet.waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
        await expect
          .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
          .toEqual({ tab: 'all', q: 'fox', country: 'DE', sort: 'sold' });
        await expect.poll(async () => (await readReceiptIds(page))[0]).toBe(receiptIdOf(2));
      },
      PHONE,
    );
  });

  it('opens a row’s page when its card is clicked at the edge', async () => {
    await backOffice.withPage(
      '/imports',
      async (page) => {
        await page
          .locator('tbody tr')
          .first()
          .click({ position: { x: 8, y: 64 } });
        await page.getByRole('heading', { level: 1, name: 'Import 1' }).waitFor();
      },
      PHONE,
    );
  });
});

describe('a search', () => {
  it('is applied without interrupting the typing, and is cleared with the filters', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      const searchField = page.getByRole('searchbox');
      await searchField.pressSequentially('buyer ');
      await page.waitForURL(/q=buyer$/);
      await page.getByText(`${ORDER_COUNT} orders`, { exact: true }).waitFor();
      await searchField.pressSequentially('60');
      await page.waitForURL(/q=buyer\+60$/);
      expect(await searchField.inputValue()).toBe('buyer 60');
      await expect.poll(() => readReceiptIds(page)).toEqual([receiptIdOf(ORDER_COUNT)]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(() => searchField.inputValue()).toBe('');
    });
  });
});

describe('the rows of a page', () => {
  it('are as many as the user chose, in other lists too, and arrive with the page', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      expect(await page.locator('tbody tr').count()).toBe(50);
      await page.getByRole('button', { name: 'Next' }).click();
      await page.waitForURL(/[?&]cursor=/);
      await page.getByLabel('Rows per page').selectOption('25');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(25);
      await expect.poll(() => page.url()).not.toContain('cursor=');
      const requestUrls: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/trpc/')) requestUrls.push(request.url());
      });
      await page.reload();
      await waitUntilSettled(page);
      expect(await page.locator('tbody tr').count()).toBe(25);
      expect(requestUrls).toEqual([]);
      await page.getByLabel('Rows per page').selectOption('100');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(ORDER_COUNT);
      // All rows are on one page now, and the choice is still offered.
      expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
      await page.getByLabel('Rows per page').selectOption('25');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(25);
      await backOffice.queryDatabase(`
        INSERT INTO audit_log (actor_kind, actor, action, record_type, record_id)
        SELECT actor_kind, actor, action, record_type, record_id FROM (SELECT * FROM audit_log LIMIT 1) a, generate_series(1, 30)`);
      await backOffice.visit(page, '/audit');
      expect(await page.locator('tbody tr').count()).toBe(25);
    });
  });

  it('are 30 px high once set to compact, in other lists too; the setting is already in a page’s HTML', async () => {
    await backOffice.withPage('/orders?tab=all', async (page) => {
      const readHeights = () =>
        page
          .locator('tbody tr')
          .evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]);
      expect(Math.min(...(await readHeights()))).toBeGreaterThan(30);
      await page.getByRole('button', { name: 'Compact rows' }).click();
      await expect.poll(readHeights).toEqual([30]);
      expect(await page.getByRole('button', { name: 'Compact rows' }).getAttribute('aria-pressed')).toBe(
        'true',
      );
      const response = await page.request.get(`${backOffice.service.url}/admin/orders?tab=all`);
      expect(response.status()).toBe(200);
      expect(/<table[^>]*>/.exec(await response.text())?.[0]).toContain(' data-compact="true"');
      await screenshot(page, 'admin-lists-orders-compact');
      await backOffice.visit(page, '/tracking');
      expect(await readHeights()).toEqual([30]);
    });
  });
});
